import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { type IngestOptions, ingest } from '@tandem-memory/ingest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePdf } from '../../bench/src/ingest/make-pdf.ts';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const userId = 'u';
let folder: ReturnType<typeof temporaryFolder>;
let memory: ReturnType<typeof openTestMemory>['memory'];

beforeEach(() => {
  folder = temporaryFolder();
  memory = openTestMemory({ embedding: new HashEmbeddingModel() }).memory;
});
afterEach(() => folder[Symbol.dispose]());

function write(name: string, content: string | Uint8Array): void {
  const path = join(folder.path, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
const run = (inputs: readonly string[], options: Partial<IngestOptions> = {}) => ingest(memory, inputs, { userId, cwd: folder.path, ...options });
const texts = async () => (await memory.episodes({ userId }, { limit: 1000 })).map((episode) => episode.content.trim()).toSorted();
const statuses = (report: Awaited<ReturnType<typeof run>>) => Object.fromEntries(report.files.map((file) => [file.path, file.status]));
const line = (content: string, more: object = {}) => `${JSON.stringify({ role: 'user', content, ...more })}\n`;

describe('what is gone from the files goes from the memory', () => {
  it('a file edited to nothing, or to white space', async () => {
    write('a.md', 'The pier light is green.');
    write('b.md', 'The fog horn is blue.');
    await run(['.']);
    write('a.md', '');
    write('b.md', ' \n\t');
    const report = await run(['.']);
    expect(statuses(report)).toEqual({ 'a.md': 'removed', 'b.md': 'removed' });
    expect(report.removed).toBe(2);
    expect(await texts()).toEqual([]);
    expect((await memory.retrieve('pier light', { userId })).items).toEqual([]);
    expect(statuses(await run(['.']))).toEqual({ 'a.md': 'skipped', 'b.md': 'skipped' });
  });

  it('a file that was deleted or renamed, inside a folder that is read again', async () => {
    write('notes/a.md', 'The pier light is green.');
    write('notes/sub/b.md', 'The fog horn is blue.');
    write('other/c.md', 'The buoy is red.');
    await run(['.']);
    rmSync(join(folder.path, 'notes/a.md'));
    renameSync(join(folder.path, 'notes/sub/b.md'), join(folder.path, 'notes/sub/d.md'));
    rmSync(join(folder.path, 'other/c.md'));
    const report = await run(['notes']);
    expect(statuses(report)).toEqual({ 'notes/a.md': 'removed', 'notes/sub/b.md': 'removed', 'notes/sub/d.md': 'ingested' });
    // Nobody asked about the other folder.
    expect(await texts()).toEqual(['The buoy is red.', 'The fog horn is blue.']);
    expect(statuses(await run(['.']))).toMatchObject({ 'other/c.md': 'removed' });
    expect((await memory.stats(userId)).outbox).toBe(0);
  });

  it('but not on request, and not for files that are only hard to read now', async () => {
    write('a.md', 'The pier light is green.');
    write('b.pdf', makePdf([[{ text: 'The fog horn is blue.' }]]));
    write('c.md', 'The buoy is red.');
    await run(['.']);
    rmSync(join(folder.path, 'a.md'));
    write('b.pdf', '%PDF-1.7 half written');
    write('c.md', 'x'.repeat(500));
    const report = await run(['.'], { keepVanished: true, maxFileBytes: 100 });
    expect(statuses(report)).toEqual({ 'b.pdf': 'skipped', 'c.md': 'skipped' });
    expect(await texts()).toEqual(['The buoy is red.', 'The fog horn is blue.', 'The pier light is green.']);
  });

  it('messages that were deleted from a chat, or edited under their id', async () => {
    write('chat.jsonl', line('one', { id: 'm1' }) + line('two', { id: 'm2', session: 's' }) + line('three') + line('three'));
    await run(['chat.jsonl']);
    write('chat.jsonl', line('one, edited', { id: 'm1' }) + line('three'));
    expect(await run(['chat.jsonl'])).toMatchObject({ created: 1, removed: 3 });
    expect(await texts()).toEqual(['one, edited', 'three']);
    expect(await run(['chat.jsonl'])).toMatchObject({ created: 0, removed: 0, files: [{ status: 'unchanged' }] });
  });

  it('chunks of a file that turned from a chat into a text', async () => {
    write('a.json', JSON.stringify([{ role: 'user', content: 'said' }]));
    await run(['a.json']);
    write('a.json', '{"now": "data"}');
    await run(['a.json']);
    expect(await texts()).toEqual(['{"now": "data"}']);
  });

  it('and nothing else: not of another working folder, agent, session or user, and not what was stored by hand', async () => {
    write('one/notes.md', 'The pier light is green.');
    write('two/other.md', 'The fog horn is blue.');
    await run(['.'], { cwd: join(folder.path, 'one') });
    await ingest(memory, ['.'], { userId: 'v', cwd: join(folder.path, 'one') });
    await run(['.'], { cwd: join(folder.path, 'one'), agentId: 'bot' });
    await memory.store({ text: 'Stored by hand.', sourceId: 'by-hand.md' }, { userId, infer: false });
    await memory.store('Said.', { userId, infer: false });
    const report = await run(['.'], { cwd: join(folder.path, 'two') });
    expect(statuses(report)).toEqual({ 'other.md': 'ingested' });
    rmSync(join(folder.path, 'one/notes.md'));
    expect(await run(['.'], { cwd: join(folder.path, 'one') })).toMatchObject({ removed: 1 });
    expect(await texts()).toEqual(['Said.', 'Stored by hand.', 'The fog horn is blue.', 'The pier light is green.']);
    expect((await memory.episodes({ userId }))[0]).toBeDefined();
    expect((await memory.episodes({ userId, agentId: 'bot' })).length).toBe(1);
    expect((await memory.stats('v')).episodes).toBe(1);
  });
});

describe('ingest of several files at once', () => {
  it('gives the same memory and the same report as one after another', async () => {
    for (let file = 0; file < 12; file++) write(`n/${file}.md`, `# Note ${file}\n\nPier ${file} is open on day ${file}.\n`);
    const one = await run(['n'], { concurrency: 1 });
    const other = openTestMemory({ embedding: new HashEmbeddingModel() }).memory;
    const many = await ingest(other, ['n'], { userId, cwd: folder.path, concurrency: 6 });
    expect(many.files).toEqual(one.files);
    expect((await other.episodes({ userId }, { limit: 100 })).map((episode) => episode.id)).toEqual(
      (await memory.episodes({ userId }, { limit: 100 })).map((episode) => episode.id),
    );
  });

  it('measures its progress by bytes that are known from the beginning', async () => {
    write('a.jsonl', line('x'.repeat(50)).repeat(450));
    write('b.md', 'text');
    const seen: number[][] = [];
    const report = await run(['.'], { concurrency: 1, onProgress: ({ bytesDone, bytesTotal }) => seen.push([bytesDone, bytesTotal]) });
    const total = report.bytes;
    expect(new Set(seen.map((now) => now[1]))).toEqual(new Set([total]));
    expect(seen.map((now) => now[0])).toEqual(seen.map((now) => now[0]).toSorted((a = 0, b = 0) => a - b));
    expect(seen.at(-1)?.[0]).toBe(total);
    expect(seen.some(([done = 0]) => done > 0.3 * total && done < 0.6 * total)).toBe(true);
  });

  it('stops all of them when it is told to, and says so once', async () => {
    for (let file = 0; file < 20; file++) write(`n/${file}.md`, `Pier ${file} is open.`);
    const controller = new AbortController();
    const stop = ({ filesDone }: { readonly filesDone: number }) => {
      if (filesDone === 3) controller.abort();
    };
    await expect(run(['n'], { signal: controller.signal, onProgress: stop })).rejects.toMatchObject({ code: 'ABORTED' });
    const stored = (await texts()).length;
    expect(stored).toBeGreaterThanOrEqual(3);
    expect(stored).toBeLessThan(20);
    expect(await run(['n'])).toMatchObject({ episodes: 20, created: 20 - stored });
  });
});
