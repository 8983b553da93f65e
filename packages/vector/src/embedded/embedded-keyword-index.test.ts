import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexRecord } from '@tandem-memory/core';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedKeywordIndex } from './embedded-keyword-index.ts';
import { encodeTerms } from './term-list.ts';

function record(id: string, words: string, userId = 'ada'): IndexRecord {
  return {
    id,
    userId,
    kind: 'episode',
    at: '2024-03-01T00:00:00.000Z',
    vector: new Float32Array(0),
    terms: words.split(' ').map((term) => ({ term, weight: 1 })),
  };
}

describe('EmbeddedKeywordIndex', () => {
  let folder: string;
  let database: SqliteDatabase;
  let index: EmbeddedKeywordIndex;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-keyword-'));
    database = new SqliteDatabase({ path: join(folder, 'memory.db') });
    index = new EmbeddedKeywordIndex({ database });
    await index.open();
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const search = (words: string, limit = 10) =>
    index.search({ userId: 'ada', terms: words.split(' ').map((term) => ({ term, weight: 1 })), filter: {}, limit });

  it('scores BM25 by the book', async () => {
    await index.upsert([record('a', 'red fox'), record('b', 'red whale in water')]);
    const idf = Math.log(1 + (2 - 1 + 0.5) / (1 + 0.5));
    const { hits, ceiling } = await search('fox');
    expect(hits[0]?.score).toBeCloseTo((idf * 2.2) / (1 + 1.2 * (0.25 + (0.75 * 2) / 3)), 12);
    expect(ceiling).toBeCloseTo(idf * 2.2, 12);
  });

  it('takes k1 and b as options', async () => {
    index = new EmbeddedKeywordIndex({ database, k1: 0, b: 0 });
    await index.open();
    await index.upsert([record('b', 'fox'), record('a', 'fox in a long text about other things')]);
    const { hits, ceiling } = await search('fox');
    expect(hits.map((hit) => hit.id)).toEqual(['a', 'b']);
    expect(hits[0]?.score).toBe(ceiling);
    for (const options of [{ k1: -1 }, { k1: Number.NaN }, { b: 1.1 }, { b: -0.1 }])
      expect(() => new EmbeddedKeywordIndex({ database, ...options })).toThrow('keyword index must be');
  });

  it('has a ceiling for a user without records', async () => {
    expect(await search('fox whale')).toEqual({ hits: [], ceiling: 2 * Math.log(2) * 2.2 });
  });

  it('counts a term of the query once, with its weights added up', async () => {
    await index.upsert([record('a', 'fox'), record('b', 'whale')]);
    const twice = await search('fox fox');
    const once = await search('fox');
    expect(twice.hits[0]?.score).toBeCloseTo(2 * (once.hits[0]?.score ?? 0), 12);
    expect(twice.ceiling).toBeCloseTo(2 * once.ceiling, 12);
  });

  it('refuses weights that are none, with nothing written', async () => {
    for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const terms = [{ term: 'x', weight }];
      await expect(index.upsert([record('a', 'fox'), { ...record('b', 'fox'), terms }])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(index.search({ userId: 'ada', terms, filter: {}, limit: 1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }
    expect(await index.count()).toBe(0);
  });

  it('needs to be opened', async () => {
    await expect(new EmbeddedKeywordIndex({ database }).count()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('finds records on both sides of every boundary of the lists', async () => {
    const total = 9000;
    await index.upsert(Array.from({ length: total }, (_, i) => record(`r${i}`, `common number${i}`)));
    for (const i of [0, 511, 512, 8191, 8192, total - 1]) expect((await search(`number${i}`)).hits.map((hit) => hit.id)).toEqual([`r${i}`]);
    expect((await search('common', total)).hits).toHaveLength(total);
    const boundary = [511, 512, 8191, 8192].map((i) => `r${i}`);
    await index.delete('ada', boundary);
    const left = (await search('common', total)).hits.map((hit) => hit.id);
    expect(left).toHaveLength(total - 4);
    expect(left.filter((id) => boundary.includes(id))).toEqual([]);
  });

  it('leaves nothing of a deleted or replaced record in the file', async () => {
    const trace = (word: string) => Buffer.from(encodeTerms([{ term: word, weight: 1 }])).subarray(0, 6);
    const file = () => {
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      return readFileSync(join(folder, 'memory.db'));
    };
    const rows = () => Number(database.prepare('SELECT count(*) AS n FROM keyword_posting').get()?.['n']);
    await index.upsert(Array.from({ length: 600 }, (_, i) => record(`r${i}`, `common word${i}`)));
    expect(rows()).toBe(513);
    expect(file().includes(trace('word5'))).toBe(true);
    expect(file().includes('word5')).toBe(false);

    await index.delete('ada', ['r5', 'r590']);
    await index.upsert([record('r6', 'other')]);
    expect(rows()).toBe(511);
    database.prepare('VACUUM').run();
    const after = file();
    for (const word of ['word5', 'word590', 'word6']) expect(after.includes(trace(word))).toBe(false);
    expect(after.includes(trace('word7'))).toBe(true);

    await index.delete('ada', await index.ids('ada', 1000));
    expect(rows()).toBe(0);
    expect(file().includes(trace('word7'))).toBe(false);
  });

  it('starts empty after reset', async () => {
    await index.upsert([record('a', 'fox')]);
    await index.reset();
    expect((await search('fox')).hits).toEqual([]);
    await index.upsert([record('a', 'fox')]);
    expect((await search('fox')).hits).toHaveLength(1);
  });
});
