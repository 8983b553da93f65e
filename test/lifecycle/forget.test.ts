import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForgetOptions, Memory } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { onServers, openTestMemory } from '../pipeline/open-test-memory.ts';
import { markedTurns } from '../support/marked-turns.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NONE = { episodes: 0, facts: 0, entities: 0, vectors: 0, keywords: 0 };
const GONE = { episodes: 0, facts: 0, entities: 0, users: 0, vectors: 0, keywords: 0, outbox: 0 };

describe.skipIf(onServers)('forget leaves no byte of it', () => {
  const { marks: MARKS, scope, said, other } = markedTurns(700);

  async function fill(memory: Memory, forgotten: string): Promise<void> {
    for (let from = 0; from < said.length; from += 100) {
      await memory.store(said.slice(from, from + 100), { userId: forgotten, ...scope });
      await memory.store(other.slice(from, from + 100), { userId: 'u-kept', sessionId: 'sess-kept' });
    }
  }

  function marksIn(folder: string, marks: readonly string[]): string[] {
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name)));
    return marks
      .flatMap((mark) => [mark, mark.toLowerCase()])
      .filter((mark) => files.some((bytes) => bytes.includes(mark) || bytes.includes(Buffer.from(mark, 'utf16le'))));
  }

  it('of a user, while the memory is open, and other users keep all', async () => {
    using folder = temporaryFolder();
    const { memory } = openTestMemory({ path: join(folder.path, 'memory.db') });
    await fill(memory, 'u-forgotten');
    const before = await memory.stats('u-kept');
    expect(marksIn(folder.path, [...MARKS, 'u-forgotten'])).not.toEqual([]);
    const receipt = await memory.forget({ userId: 'u-forgotten' });
    expect(receipt).toMatchObject({ erased: { episodes: 700, facts: 57, entities: 59, labels: 3 }, remaining: NONE, compacted: true, degraded: [] });
    expect(marksIn(folder.path, [...MARKS, 'u-forgotten'])).toEqual([]);
    expect(await memory.stats('u-forgotten')).toMatchObject(GONE);
    expect(await memory.users()).toEqual(['u-kept']);
    expect(await memory.stats('u-kept')).toMatchObject({
      episodes: before.episodes,
      facts: before.facts,
      vectors: before.vectors,
      keywords: before.keywords,
      outbox: 0,
    });
    expect((await memory.retrieve('sheep 17', { userId: 'u-kept' })).items.length).toBeGreaterThan(0);
    expect(await memory.forget({ userId: 'u-forgotten' })).toMatchObject({ erased: { episodes: 0, facts: 0 }, remaining: NONE });
    await memory.close();
    expect(marksIn(folder.path, [...MARKS, 'u-forgotten'])).toEqual([]);
  });

  it.each([
    ['a session', { sessionId: 'sess-quux' }],
    ['a source', { sourceId: 'src-plugh.md' }],
    ['an agent', { agentId: 'agent-xyzzy' }],
    ['an entity', { entity: 'ZORK-BLAT' }],
  ] satisfies [string, Omit<ForgetOptions, 'userId'>][])('of %s of a user who stays', async (_, what) => {
    using folder = temporaryFolder();
    const { memory } = openTestMemory({ path: join(folder.path, 'memory.db') });
    await fill(memory, 'u-kept');
    expect(await memory.forget({ userId: 'u-kept', ...what })).toMatchObject({ erased: { episodes: 700 }, remaining: NONE, compacted: true });
    expect(marksIn(folder.path, [...MARKS, 'u-forgotten'])).toEqual([]);
    expect(await memory.stats('u-kept')).toMatchObject({ episodes: 700, facts: 700, outbox: 0 });
    await memory.close();
  });
});
