import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { startQdrant } from '../services/qdrant/qdrant-service.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';
import { markedTurns } from '../support/marked-turns.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const service = await startQdrant();
const { marks: MARKS, scope, said, other } = markedTurns(60);

describe.skipIf('missing' in service)('what was forgotten is in no file of Qdrant', () => {
  if ('missing' in service) return;
  const indexes = new TestIndexes(service);
  afterAll(async () => {
    await indexes.clear();
    await service.stop();
  });
  const folder = service.folder;

  function marksIn(path: string): string[] {
    const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const bytes = files.map((entry) => readFileSync(join(entry.parentPath, entry.name)));
    return MARKS.filter((mark) => bytes.some((each) => each.includes(mark) || each.includes(Buffer.from(mark, 'utf16le'))));
  }

  it.skipIf(folder === undefined).each([
    ['a user', 'u-forgotten', {}],
    ['a session of a user who stays', 'u-kept', { sessionId: scope.sessionId }],
    ['an entity of a user who stays', 'u-kept', { entity: 'ZORK-BLAT' }],
  ] as const)(
    'of %s, nor in the file of the graph, and the others are found as before',
    async (_, userId, narrowed) => {
      using own = temporaryFolder();
      const { memory } = openTestMemory({ path: join(own.path, 'memory.db'), index: indexes.make() });
      for (let from = 0; from < said.length; from += 30) {
        await memory.store(said.slice(from, from + 30), { userId, ...scope });
        await memory.store(other.slice(from, from + 30), { userId: 'u-kept', sessionId: 'kept' });
      }
      expect(marksIn(folder ?? '')).toEqual(expect.arrayContaining(['Zork-blat', '김도깨비', scope.sessionId, 'secret-place']));
      expect(await memory.forget({ userId, ...narrowed })).toMatchObject({ erased: { episodes: 60 }, compacted: true, left: [], degraded: [] });
      expect(marksIn(folder ?? '')).toEqual([]);
      expect(marksIn(own.path)).toEqual([]);
      expect(await memory.stats('u-kept')).toMatchObject({ episodes: 60, vectors: 120, keywords: 120 });
      const found = await memory.retrieve('What was talk 17 of Marek?', { userId: 'u-kept' });
      expect(found.items.map((item) => item.text)).toContainEqual(expect.stringContaining('talk 17 '));
      await memory.close();
    },
    120_000,
  );

  it('and what is stored and deleted while the points move is there and gone', async () => {
    const index = indexes.make();
    const { memory } = openTestMemory({ index });
    const first = await memory.store(other, { userId: 'u' });
    const moving = index.compact();
    const [receipt] = await Promise.all([
      memory.store('The kestrel flew.', { userId: 'u' }),
      memory.delete(first.episodes[0]?.id ?? '', { userId: 'u' }),
      moving,
    ]);
    expect(receipt.indexed).toBe(true);
    expect(await memory.check()).toMatchObject({ missing: 0, orphaned: 0, records: 119 });
    expect((await memory.retrieve('kestrel', { userId: 'u' })).items[0]?.text).toBe('The kestrel flew.');
    await memory.close();
  });
});
