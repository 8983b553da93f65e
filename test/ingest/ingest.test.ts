import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMemory, type Extraction, type Extractor, type Memory, MemoryError, NO_USAGE } from '@tandem-memory/core';
import { FixedClock, HashEmbeddingModel } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { type IngestOptions, type IngestProgress, ingest } from '@tandem-memory/ingest';
import { CharacterCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SAMPLE = fileURLToPath(new URL('../../examples/sample', import.meta.url));
const userId = 'ada';

/** Finds one fact in each turn that says "X likes Y", and counts what it read. */
class LikesExtractor implements Extractor {
  readonly id = 'likes';
  local = true;
  read = 0;
  failure: MemoryError | undefined;

  async extract(input: { readonly episodes: readonly { readonly content: string }[] }): Promise<Extraction> {
    if (this.failure !== undefined) throw this.failure;
    this.read += input.episodes.length;
    const relations = input.episodes.flatMap(({ content }, episode) => {
      const [, subject, object] = /(\w+) likes (\w+)/.exec(content) ?? [];
      return subject === undefined || object === undefined ? [] : [{ subject, predicate: 'likes', object, confidence: 1, episode }];
    });
    return { origin: 'rules', entities: [], relations, facts: [], skipped: [], usage: NO_USAGE };
  }
}

let cwd: string;
let embedding: HashEmbeddingModel;
let extractor: LikesExtractor;
let memory: Memory;

function open(path = ':memory:'): Memory {
  const database = new SqliteDatabase({ path });
  return createMemory({
    graph: new EmbeddedGraphStore({ database }),
    vectors: new EmbeddedVectorIndex({ database }),
    keywords: new EmbeddedKeywordIndex({ database }),
    embedding,
    extractor,
    counter: new CharacterCounter(4),
    clock: new FixedClock(),
    resources: [database],
  });
}

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'tandem-ingest-'));
  embedding = new HashEmbeddingModel();
  extractor = new LikesExtractor();
  memory = open();
});
afterEach(async () => {
  await memory.close();
  rmSync(cwd, { recursive: true });
});

function write(name: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), content);
}
const run = (inputs: readonly string[], options: Partial<IngestOptions> = {}) => ingest(memory, inputs, { userId, cwd, ...options });
const recall = async (query: string) => (await memory.retrieve(query, { userId })).items.filter((item) => item.kind === 'episode');
const counts = async () => {
  const { episodes, entities, facts, vectors, keywords, outbox } = await memory.stats(userId);
  return { episodes, entities, facts, vectors, keywords, outbox };
};
const line = (content: string, more: object = {}) => `${JSON.stringify({ role: 'user', content, ...more })}\n`;

describe('ingest', () => {
  it('reads the sample chats, and a repeat ends with the same record without an embedding', async () => {
    const files = ['team-chat.jsonl', 'personal-chat.jsonl'];
    const first = await ingest(memory, files, { userId, cwd: SAMPLE });
    expect(first).toMatchObject({ episodes: 379, created: 379, skipped: 0 });
    expect(first.files.map(({ path, status, items, notes }) => ({ path, status, items, notes }))).toEqual([
      { path: 'team-chat.jsonl', status: 'ingested', items: 248, notes: [] },
      { path: 'personal-chat.jsonl', status: 'ingested', items: 131, notes: [] },
    ]);
    const before = await counts();
    const embedded = embedding.embedded;
    expect(before).toMatchObject({ episodes: 379, outbox: 0 });
    expect(embedded).toBeGreaterThanOrEqual(379);

    const second = await ingest(memory, files, { userId, cwd: SAMPLE });
    expect(second).toMatchObject({ episodes: 379, created: 0, entities: 0, facts: 0 });
    expect(second.files.map((file) => file.status)).toEqual(['unchanged', 'unchanged']);
    expect(await counts()).toEqual(before);
    expect(embedding.embedded).toBe(embedded);

    const standup = await memory.episodes({ userId, sessionId: 'standup-2026-03-02', sourceId: 'team-chat.jsonl' });
    const turns = standup.toSorted((a, b) => a.position - b.position);
    expect(turns[0]).toMatchObject({ speaker: 'Signe', at: '2026-03-02T08:14:11.000Z', utcOffsetMinutes: 60, threadId: 'standup-2026-03-02' });
    expect(turns.map((turn) => turn.at)).toEqual(turns.map((turn) => turn.at).toSorted());
  });

  it('keeps each of many equal turns, however the file is cut into calls, and adds what a grown file added', async () => {
    write('chat.jsonl', line('ok').repeat(450));
    expect(await run(['chat.jsonl'])).toMatchObject({ episodes: 450, created: 450 });
    write('chat.jsonl', line('ok').repeat(460));
    expect(await run(['chat.jsonl'])).toMatchObject({ episodes: 460, created: 10 });
    const turns = await memory.episodes({ userId }, { limit: 1000 });
    expect(turns.map((turn) => turn.position).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 460 }, (_, index) => index));
  });

  it('keeps the speakers and the sessions of a mixed file apart, and gives the rest the session of the call', async () => {
    write('chat.jsonl', line('Ada likes tea', { session: 's1' }) + line('hello') + line('Bob likes milk', { session: 's1', at: '2026-02-01' }));
    const report = await run(['chat.jsonl'], { sessionId: 'mine', at: '2026-01-15', agentId: 'bot' });
    expect(report).toMatchObject({ episodes: 3, entities: 4, facts: 2 });
    const turns = await memory.episodes({ userId, agentId: 'bot' });
    expect(Object.fromEntries(turns.map((turn) => [turn.content, [turn.sessionId, turn.at.slice(0, 10)]]))).toEqual({
      'Ada likes tea': ['s1', '2026-01-15'],
      hello: ['mine', '2026-01-15'],
      'Bob likes milk': ['s1', '2026-02-01'],
    });
  });

  it('says what it masked', async () => {
    write('keys.txt', 'The key is sk-abcdefghijklmnopqrstuvwxyz123456, and again sk-zyxwvutsrqponmlkjihgfedcba654321.');
    write('plain.txt', 'No key here.');
    const { files } = await run(['.']);
    expect(files.map(({ path, notes }) => [path, notes])).toEqual([
      ['keys.txt', ['masked: access key']],
      ['plain.txt', []],
    ]);
  });

  it('extracts nothing where it is told so', async () => {
    write('chat.jsonl', line('Ada likes tea'));
    expect(await run(['chat.jsonl'], { infer: false })).toMatchObject({ created: 1, facts: 0 });
    expect(extractor.read).toBe(0);
  });

  it('goes on where it was stopped, and stores nothing twice', async () => {
    write('chat.jsonl', Array.from({ length: 500 }, (_, index) => line(`turn ${index}`)).join(''));
    const controller = new AbortController();
    const stopAfterFirstCall = ({ itemsDone }: IngestProgress) => {
      if (itemsDone >= 200) controller.abort();
    };
    await expect(run(['chat.jsonl'], { signal: controller.signal, onProgress: stopAfterFirstCall })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await counts()).toMatchObject({ episodes: 200, outbox: 0 });
    expect(await run(['chat.jsonl'])).toMatchObject({ episodes: 500, created: 300 });
    expect(await counts()).toMatchObject({ episodes: 500, vectors: 500, keywords: 500, outbox: 0 });
    // One more text shows, before the first one is written, how long the vectors are.
    expect(embedding.embedded).toBe(501);
    // Also where there is nothing to write.
    const seen: number[] = [];
    const stopAtOnce = new AbortController();
    const stop = ({ itemsDone }: IngestProgress) => {
      seen.push(itemsDone);
      stopAtOnce.abort();
    };
    await expect(run(['chat.jsonl'], { signal: stopAtOnce.signal, onProgress: stop })).rejects.toMatchObject({ code: 'ABORTED' });
    expect(seen).toEqual([0]);
  });

  it('tells its progress', async () => {
    write('a.jsonl', line('x').repeat(250));
    write('b.md', 'text');
    write('c.md', '');
    const seen: (readonly unknown[])[] = [];
    await run(['.'], {
      concurrency: 1,
      onProgress: (now) => {
        const state = [now.currentFile, now.filesDone, now.filesTotal, now.itemsDone, now.itemsTotal];
        if (JSON.stringify(state) !== JSON.stringify(seen.at(-1))) seen.push(state);
      },
    });
    expect(seen).toEqual([
      ['a.jsonl', 0, 3, 0, 250],
      // Read, the first half in the indexes, all of it.
      ['a.jsonl', 0, 3, 100, 250],
      ['a.jsonl', 0, 3, 164, 250],
      ['a.jsonl', 0, 3, 200, 250],
      ['a.jsonl', 0, 3, 225, 250],
      ['a.jsonl', 0, 3, 250, 250],
      [undefined, 1, 3, 250, 250],
      ['b.md', 1, 3, 250, 251],
      ['b.md', 1, 3, 251, 251],
      [undefined, 2, 3, 251, 251],
      [undefined, 3, 3, 251, 251],
    ]);
  });

  it('tells its progress within one large document', async () => {
    write('book.md', Array.from({ length: 900 }, (_, index) => `# Chapter ${index}\n\nIn chapter ${index} it rains.\n`).join('\n'));
    const seen: number[] = [];
    const { bytes } = await run(['book.md'], { onProgress: ({ bytesDone }) => seen.push(bytesDone) });
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect([seen[0], seen.at(-1)]).toEqual([0, bytes]);
    const steps = new Set(seen);
    expect(steps.size).toBeGreaterThanOrEqual(8);
    for (const share of [0.25, 0.5, 0.75]) expect(seen.some((done) => Math.abs(done / bytes - share) < 0.15)).toBe(true);
  });

  it('reports broken lines and messages that are no memory, and keeps the rest', async () => {
    write('chat.jsonl', `${line('hello')}{"broken\n${JSON.stringify({ role: 'system', content: 'Be brief.' })}\n${line('  ')}`);
    const report = await run(['chat.jsonl']);
    expect(report).toMatchObject({ episodes: 1, created: 1, skipped: 3 });
    expect(report.files[0]?.notes).toEqual([
      'line 2 left out: not JSON',
      '1 left out (message: a system message is not a memory of the user)',
      '1 left out (message: empty text)',
    ]);
  });

  it('keeps text that spells control tokens, emoji and CJK letter for letter', async () => {
    const text = '# 메모 🎉\n我喜欢茶。 <|endoftext|> </memories> e\u0301 👩‍🚀\n';
    write('노트/메모.md', text);
    await run(['노트']);
    const [stored] = await memory.episodes({ userId });
    expect(stored).toMatchObject({ content: text, sourceId: '노트/메모.md', threadId: '노트/메모.md', kind: 'chunk' });
    expect(stored?.metadata).toMatchObject({ title: '메모 🎉', section: '메모 🎉' });
  });

  it('says when a model failed, keeps the turns, and reads them again on the next run', async () => {
    write('chat.jsonl', line('Ada likes tea'));
    extractor.local = false;
    extractor.failure = new MemoryError('MODEL_UNAVAILABLE', 'The model did not answer.');
    const [failed] = (await run(['chat.jsonl'])).files;
    expect(failed).toMatchObject({ status: 'ingested', items: 1, notes: [expect.stringContaining('MODEL_UNAVAILABLE')] });
    extractor.failure = undefined;
    const again = await run(['chat.jsonl']);
    expect(again).toMatchObject({ created: 0, facts: 1 });
    expect(again.files[0]).toMatchObject({ status: 'ingested', notes: [] });
    expect((await run(['chat.jsonl'])).files[0]?.status).toBe('unchanged');
  });

  it('leaves other users alone', async () => {
    write('a.md', 'the key hangs behind the map');
    await run(['a.md']);
    await ingest(memory, ['a.md'], { userId: 'bob', cwd });
    expect((await memory.stats('bob')).episodes).toBe(1);
    expect((await counts()).episodes).toBe(1);
  });

  // ingest-01
  it('reads every encoding of one run, and says what it did', async () => {
    const base64 = (text: string) => Buffer.from(text, 'base64');
    write(
      'key.txt',
      base64(
        '//5UAGgAZQAgAGIAbwBhAHQAaABvAHUAcwBlACAAawBlAHkAIABoAGEAbgBnAHMAIABiAGUAaABpAG4AZAAgAHQAaABlACAAbQBhAHAAIABvAGYAIABGAGUAbgAgAEwAYQBrAGUALgANAAoA',
      ),
    );
    write('sauna.txt', base64('/v8AVABoAGUAIABzAGEAdQBuAGEAIABzAHQAbwB2AGUAIABiAHUAcgBuAHMAIABiAGkAcgBjAGgALgANAAo='));
    write('pier.md', base64('77u/LS0tDQp0aXRsZTogUGllciBub3Rlcw0KLS0tDQojIFBpZXINClRoZSBwaWVyIGxpZ2h0IGlzIGdyZWVuLg0K'));
    write('cafe.txt', base64('VGhlIGNhZukgb3BlbnMgYXQgbmluZS4='));
    write('mill.txt', base64('VGhlIG1pbGwAIHdoZWVsIHR1cm5zIGVhc3QuCg=='));
    const report = await run(['.']);
    expect(report.files.map((file) => [file.path, file.status, file.notes])).toEqual([
      ['cafe.txt', 'ingested', ['not valid UTF-8; decoded as windows-1252']],
      ['key.txt', 'ingested', ['decoded from UTF-16LE']],
      ['mill.txt', 'ingested', ['1 NUL character removed']],
      ['pier.md', 'ingested', []],
      ['sauna.txt', 'ingested', ['decoded from UTF-16BE']],
    ]);
    for (const [query, text] of [
      ['boathouse key', 'The boathouse key hangs behind the map of Fen Lake.\n'],
      ['sauna stove', 'The sauna stove burns birch.\n'],
      ['pier light', '# Pier\nThe pier light is green.\n'],
      ['café', 'The café opens at nine.'],
      ['mill wheel', 'The mill wheel turns east.\n'],
    ] as const) {
      expect((await recall(query))[0]?.text).toBe(text);
    }
    const pier = (await memory.episodes({ userId, sourceId: 'pier.md' }))[0];
    expect(pier?.metadata).toMatchObject({ title: 'Pier notes', section: 'Pier' });
    for (const episode of await memory.episodes({ userId })) expect(episode.content).not.toMatch(/[\0\ufeff\r]/);
  });

  // ingest-02
  it('walks a folder with loops, links, binaries and a giant file', async () => {
    write('notes/a.md', 'The lighthouse was painted in 1931.');
    write('notes/sub/b.md', 'Same folder, other file: the fog horn is blue.');
    write('outside/secret.md', 'The vault number is 9.');
    write('notes/pic.txt', Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAECAwQFBgcICQoL', 'base64'));
    write('notes/empty.md', '');
    write('notes/spaces.md', ' \n\t\r\n ');
    write('notes/invisible.md', '\u200b\u2060\n');
    write('notes/.git/config', '[core]');
    write('notes/node_modules/x/readme.md', 'junk');
    write('notes/big.log', 'tick\n');
    truncateSync(join(cwd, 'notes/big.log'), 300 * 1024 * 1024);
    const links = process.platform !== 'win32';
    if (links) {
      symlinkSync('..', join(cwd, 'notes/sub/up'));
      symlinkSync('.', join(cwd, 'notes/self'));
      symlinkSync('../outside', join(cwd, 'notes/out'));
      symlinkSync('missing', join(cwd, 'notes/dead'));
      execFileSync('mkfifo', [join(cwd, 'notes/pipe')]);
    }
    const report = await run(['notes']);
    const byStatus = (status: string) => report.files.filter((file) => file.status === status);
    expect(byStatus('ingested').map((file) => file.path)).toEqual(['notes/a.md', 'notes/sub/b.md']);
    expect(byStatus('failed')).toEqual([]);
    expect(Object.fromEntries(byStatus('skipped').map((file) => [file.path, file.reason]))).toMatchObject({
      'notes/big.log': expect.stringContaining('larger than 52428800 bytes'),
      'notes/empty.md': 'empty',
      'notes/invisible.md': 'nothing in it to remember',
      'notes/pic.txt': 'no text: PNG image',
      'notes/spaces.md': 'empty',
    });
    expect(byStatus('skipped')).toHaveLength(links ? 10 : 5);
    expect(await counts()).toMatchObject({ episodes: 2 });
    expect(embedding.embedded).toBe(3);
  });

  // ingest-03, as far as the engine can delete: an edited file adds what is new and repeats nothing.
  it('reads the same bytes again for nothing, and tells a copy by its name', async () => {
    write('pump.md', 'Pump B opens at 06:00.\nPump C is spare.\n');
    await run(['pump.md']);
    const before = await counts();
    const calls = [embedding.embedded, extractor.read];
    expect((await run(['pump.md'])).files).toEqual([{ path: 'pump.md', status: 'unchanged', items: 1, notes: [] }]);
    expect(await counts()).toEqual(before);
    expect([embedding.embedded, extractor.read]).toEqual(calls);
    write('pump-copy.md', 'Pump B opens at 06:00.\nPump C is spare.\n');
    expect(await run(['.'])).toMatchObject({ created: 1 });
    expect((await memory.episodes({ userId, sourceId: 'pump-copy.md' })).map((episode) => episode.content)).toEqual([
      'Pump B opens at 06:00.\nPump C is spare.\n',
    ]);
  });

  describe('stdin', () => {
    async function* stdin(...parts: (string | Uint8Array)[]) {
      yield* parts;
    }

    it('reads text, also where an emoji is cut in two, and names it by its content', async () => {
      const bytes = Buffer.from('The fog horn 🎉 is blue.');
      const report = await run(['-'], { stdin: stdin(bytes.subarray(0, 15), bytes.subarray(15)) });
      expect(report.files).toEqual([{ path: '-', status: 'ingested', items: 1, notes: [] }]);
      expect(await run(['-'], { stdin: stdin(bytes) })).toMatchObject({ created: 0 });
      await run(['-'], { stdin: stdin('Another text.') });
      const stored = await memory.episodes({ userId });
      expect(stored.map((episode) => episode.content).toSorted()).toEqual(['Another text.', 'The fog horn 🎉 is blue.']);
      expect(new Set(stored.map((episode) => episode.sourceId)).size).toBe(2);
    });

    it('reads chat lines', async () => {
      expect(await run(['-'], { stdin: stdin(line('one'), line('two')) })).toMatchObject({ created: 2 });
    });

    it.each([
      ['nothing', [], 'INPUT_EMPTY'],
      ['white space', [' \n'], 'INPUT_EMPTY'],
      ['binary data', [Buffer.alloc(100)], 'FILE_UNSUPPORTED'],
      ['more than it may', ['x'.repeat(2000)], 'FILE_UNSUPPORTED'],
    ])('refuses %s', async (_, parts, code) => {
      await expect(run(['-'], { stdin: stdin(...parts), maxFileBytes: 1000 })).rejects.toMatchObject({ code });
    });
  });

  describe('what the user named', () => {
    it.each([
      ['is missing', 'missing.md', 'FILE_NOT_FOUND'],
      ['is binary', 'pic.png', 'FILE_UNSUPPORTED'],
      ['is too large', 'large.txt', 'FILE_UNSUPPORTED'],
    ])('and %s ends the run before anything is stored', async (_, name, code) => {
      write('a.md', 'text');
      write('pic.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
      write('large.txt', 'x'.repeat(2000));
      await expect(run(['a.md', name], { maxFileBytes: 1000 })).rejects.toMatchObject({ code, message: expect.stringContaining(name) });
      expect(await counts()).toMatchObject({ episodes: 0 });
    });

    it('does not end the run from inside a folder', async () => {
      write('n/a.md', 'text');
      write('n/pic.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
      expect((await run(['n'])).files.map((file) => file.status)).toEqual(['ingested', 'skipped']);
    });
  });

  it('refuses an empty user', async () => {
    write('a.md', 'text');
    await expect(run(['a.md'], { userId: ' ' })).rejects.toMatchObject({ code: 'SCOPE_REQUIRED' });
  });
});
