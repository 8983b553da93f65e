import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConversationEntry } from '@tandem-memory/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JsonlChatStore } from './jsonl-chat-store.ts';

const ID = { userId: 'ada', sessionId: 's1' };
const said = (content: string): ConversationEntry => ({ type: 'message', message: { role: 'user', content } });

describe('JSONL files of conversations', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-jsonl-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const onlyFile = () => {
    const [path] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.jsonl'));
    return join(folder, path ?? 'none');
  };

  it('reads on after a crash in the middle of a line, without the half, and lists it still', async () => {
    const store = new JsonlChatStore({ folder });
    await store.update(ID, [said('whole')]);
    appendFileSync(onlyFile(), '{"type":"message","message":{"role":"us');
    expect(await store.get(ID)).toEqual([said('whole')]);
    await store.update(ID, [said('next'), said('after')]);
    expect(await store.get(ID)).toEqual([said('whole'), said('next'), said('after')]);
    expect(await store.list('ada')).toEqual(['s1']);
  });

  it('reports a damaged line instead of passing over it, without its text', async () => {
    const store = new JsonlChatStore({ folder });
    await store.update(ID, [said('a secret')]);
    writeFileSync(onlyFile(), readFileSync(onlyFile(), 'utf8').replace('"role":"user"', '"role":"usr"'));
    await expect(store.get(ID)).rejects.toMatchObject({ code: 'CORRUPT_RECORD', message: expect.not.stringContaining('secret') });
  });

  it('says so where the folder is a file', async () => {
    const path = join(folder, 'file');
    writeFileSync(path, '');
    await expect(new JsonlChatStore({ folder: path }).update(ID, [said('x')])).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  });
});
