import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexRecord } from '@tandem-memory/core';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedVectorIndex } from './embedded-vector-index.ts';
import { quantize } from './kernel/quantize.ts';

const SPACE = { modelId: 'model-a', dimensions: 32 };

/** A unit vector that no other number has. */
function vector(number: number): Float32Array {
  const components = Float32Array.from({ length: SPACE.dimensions }, (_, i) => Math.sin((number + 1) * (i + 1) * 1.37));
  const norm = Math.hypot(...components);
  return components.map((value) => value / norm);
}

function record(number: number, userId = 'ada'): IndexRecord {
  return { id: `r${number}`, userId, kind: 'episode', at: '2024-03-01T00:00:00.000Z', vector: vector(number), terms: [] };
}

function records(count: number, userId = 'ada'): IndexRecord[] {
  return Array.from({ length: count }, (_, i) => record(i, userId));
}

describe('EmbeddedVectorIndex', () => {
  let folder: string;
  let database: SqliteDatabase;
  let index: EmbeddedVectorIndex;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tandem-vector-'));
    database = new SqliteDatabase({ path: join(folder, 'memory.db') });
    index = new EmbeddedVectorIndex({ database });
    await index.open(SPACE);
  });

  afterEach(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });

  const nearest = async (number: number, userId = 'ada') => (await index.search({ userId, vector: vector(number), filter: {}, limit: 1 }))[0]?.id;

  it('names file, sizes and remedy when the vector space differs', async () => {
    const other = new EmbeddedVectorIndex({ database });
    await expect(other.open({ ...SPACE, dimensions: 48 })).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      message: expect.stringMatching(/memory\.db have 32 .*gives 48\. Run `tandem reindex`/),
    });
    await expect(other.open({ ...SPACE, modelId: 'model-b' })).rejects.toMatchObject({
      code: 'EMBEDDING_MODEL_MISMATCH',
      message: expect.stringMatching(/memory\.db .*model-a, not by model-b.*`tandem reindex`/),
    });
    await expect(other.search({ userId: 'ada', vector: vector(0), filter: {}, limit: 1 })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('refuses impossible dimensions', async () => {
    for (const dimensions of [0, -1, 1.5, Number.NaN, 1e9])
      await expect(new EmbeddedVectorIndex({ database }).open({ modelId: 'm', dimensions })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('refuses half surrogates, which the file could not tell apart', async () => {
    for (const broken of [{ userId: 'a\ud800' }, { id: '\udfff' }, { sessionId: '\ud800' }])
      await expect(index.upsert([record(1), { ...record(0), ...broken }])).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(index.search({ userId: 'a\ud800', vector: vector(0), filter: {}, limit: 1 })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await index.upsert([{ ...record(0), userId: 'a\ufffd', id: '\ufffd' }]);
    expect(await index.search({ userId: 'a\ufffd', vector: vector(0), filter: { ids: ['\ud800'] }, limit: 1 })).toEqual([]);
    await index.delete('a\ufffd', ['\ud800']);
    expect(await index.count()).toBe(1);
  });

  it('scores the cosine of vectors of any length', async () => {
    await index.upsert([{ ...record(0), vector: vector(0).map((value) => value * 1000) }]);
    const [hit] = await index.search({ userId: 'ada', vector: vector(0).map((value) => value * 1e-3), filter: {}, limit: 1, threshold: 1 });
    expect(hit?.score).toBeCloseTo(1, 6);
  });

  it('rebuilds for another space after reset; a handle that still has the old one is refused', async () => {
    await index.upsert(records(200));
    const other = new EmbeddedVectorIndex({ database });
    await other.open(SPACE);
    await index.reset();
    await expect(other.upsert([record(1)])).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' });
    await index.open({ modelId: 'model-b', dimensions: 3 });
    await expect(other.search({ userId: 'ada', vector: vector(0), filter: {}, limit: 1 })).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' });
    expect(await index.count()).toBe(0);
    await index.upsert([{ ...record(0), vector: Float32Array.of(1, 0, 0) }]);
    expect(await index.search({ userId: 'ada', vector: Float32Array.of(1, 0, 0), filter: {}, limit: 5 })).toEqual([
      { id: 'r0', kind: 'episode', score: 1 },
    ]);
  });

  it('leaves the shared database open when it closes', async () => {
    await index.close();
    expect(database.dataVersion()).toBeGreaterThan(0);
  });

  it('serves more users than its cache holds, and users larger than the cache', async () => {
    index = new EmbeddedVectorIndex({ database, cacheBytes: 40_000 });
    await index.open(SPACE);
    const users = Array.from({ length: 12 }, (_, i) => `user-${i}`);
    for (const user of users) await index.upsert(records(user === 'user-3' ? 1500 : 150, user));
    for (let round = 0; round < 2; round++) for (const user of users) expect(await nearest(140, user)).toBe('r140');
    expect(await nearest(1400, 'user-3')).toBe('r1400');
  });

  it('rejects a cache size that is no size', () => {
    for (const cacheBytes of [-1, Number.NaN]) expect(() => new EmbeddedVectorIndex({ database, cacheBytes })).toThrow('`cacheBytes`');
  });

  it('leaves no byte of a deleted or replaced vector in the file', async () => {
    const bytesOf = (number: number) => {
      const int8 = new Int8Array(SPACE.dimensions);
      quantize(vector(number), int8, 0);
      return [Buffer.from(vector(number).buffer).subarray(0, 24), Buffer.from(int8.buffer).subarray(0, 24)];
    };
    const file = () => {
      database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      return readFileSync(join(folder, 'memory.db'));
    };
    await index.upsert(records(300));
    const before = file();
    for (const bytes of [...bytesOf(5), ...bytesOf(200), ...bytesOf(6)]) expect(before.includes(bytes)).toBe(true);

    await index.delete('ada', ['r5', 'r200', 'r299']);
    await index.upsert([{ ...record(6), vector: vector(1000) }]);
    database.prepare('VACUUM').run();
    const after = file();
    for (const bytes of [...bytesOf(5), ...bytesOf(200), ...bytesOf(299), ...bytesOf(6)]) expect(after.includes(bytes)).toBe(false);
    for (const bytes of bytesOf(7)) expect(after.includes(bytes)).toBe(true);

    await index.delete('ada', await index.ids('ada', 1000));
    const empty = file();
    for (const bytes of [...bytesOf(7), ...bytesOf(280)]) expect(empty.includes(bytes)).toBe(false);
    expect(empty.includes('ada')).toBe(false);
  });

  it('keeps file and memory in proportion to what lives, however often records are replaced', async () => {
    for (let round = 0; round < 60; round++) {
      const kept = Array.from({ length: 5 }, (_, i) => record(1000 + round * 5 + i));
      await index.upsert([...records(100), ...kept]);
      // Searching in between keeps the cache busy with blocks that come and go.
      expect(await nearest(77)).toBe('r77');
    }
    const blocks = database.prepare('SELECT count(*) AS n FROM vector_block WHERE length(data) > 0').get();
    expect(Number(blocks?.['n'])).toBeGreaterThan(1);
    // 400 records in blocks of 128 rows, each at least a quarter full; if the rest of sparse blocks stayed there, it would be 49.
    expect(Number(blocks?.['n'])).toBeLessThan(14);
    expect(await index.count('ada')).toBe(400);
    expect(await nearest(77)).toBe('r77');
  });
});
