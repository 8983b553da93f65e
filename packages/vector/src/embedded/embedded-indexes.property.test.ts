import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IndexFilter, IndexHit, IndexRecord } from '@tandem-memory/core';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EmbeddedKeywordIndex } from './embedded-keyword-index.ts';
import { EmbeddedVectorIndex } from './embedded-vector-index.ts';

const DIMENSIONS = 20;
const WORDS = Array.from({ length: 25 }, (_, i) => `word${i}`);
const WEIGHTS = [0.25, 0.5, 1, 1, 1, 2, 2.5, 5.25, 40];

/** A small pseudo-random generator (mulberry32), so that one number describes a batch. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function pick<T>(next: () => number, values: readonly [T, ...T[]]): T {
  return values[Math.floor(next() * values.length)] ?? values[0];
}

/** Few distinct vectors, so that equal scores are common. */
function vector(number: number): Float32Array {
  const next = random(number * 7919);
  const components = Float32Array.from({ length: DIMENSIONS }, () => next() - 0.5);
  const norm = Math.hypot(...components);
  return components.map((value) => value / norm);
}

function record(next: () => number, id: string, userId: string): IndexRecord {
  const terms = WORDS.filter(() => next() < 0.2).map((term) => ({ term, weight: pick(next, WEIGHTS as [number, ...number[]]) }));
  return {
    id,
    userId,
    kind: pick(next, ['episode', 'fact']),
    ...(next() < 0.5 ? { sessionId: pick(next, ['one', 'two', '세션']) } : {}),
    ...(next() < 0.5 ? { agentId: pick(next, ['x', 'y']) } : {}),
    ...(next() < 0.3 ? { sourceId: pick(next, ['book', 'mail']) } : {}),
    at: new Date(1.7e12 + Math.floor(next() * 10) * 86_400_000).toISOString(),
    vector: vector(Math.floor(next() * 60)),
    terms,
  };
}

function filterOf(next: () => number): IndexFilter {
  return {
    ...(next() < 0.2 ? { sessionId: pick(next, ['one', 'two', 'none']) } : {}),
    ...(next() < 0.2 ? { agentId: 'x' } : {}),
    ...(next() < 0.2 ? { sourceId: 'book' } : {}),
    ...(next() < 0.2 ? { kinds: [pick(next, ['episode', 'fact'] as const)] } : {}),
    ...(next() < 0.2 ? { since: new Date(1.7e12 + 3 * 86_400_000).toISOString() } : {}),
    ...(next() < 0.2 ? { until: new Date(1.7e12 + 7 * 86_400_000).toISOString() } : {}),
    ...(next() < 0.2 ? { ids: Array.from({ length: 50 }, () => `r${Math.floor(next() * 400)}`) } : {}),
  };
}

function matches(record: IndexRecord, filter: IndexFilter): boolean {
  return (
    (filter.agentId === undefined || record.agentId === filter.agentId) &&
    (filter.sessionId === undefined || record.sessionId === filter.sessionId) &&
    (filter.sourceId === undefined || record.sourceId === filter.sourceId) &&
    (filter.kinds === undefined || filter.kinds.includes(record.kind)) &&
    (filter.since === undefined || record.at >= filter.since) &&
    (filter.until === undefined || record.at < filter.until) &&
    (filter.ids === undefined || filter.ids.includes(record.id))
  );
}

/** Okapi BM25 by its formula over all records, without any index. */
function bm25(records: readonly IndexRecord[], query: readonly string[]): { readonly scores: Map<string, number>; readonly ceiling: number } {
  const length = (record: IndexRecord) => record.terms.reduce((sum, term) => sum + term.weight, 0);
  const average = records.reduce((sum, record) => sum + length(record), 0) / records.length;
  const scores = new Map<string, number>();
  let ceiling = 0;
  for (const word of query) {
    const having = records.filter((record) => record.terms.some(({ term }) => term === word));
    const idf = Math.log(1 + (records.length - having.length + 0.5) / (having.length + 0.5));
    ceiling += idf * 2.2;
    for (const record of having) {
      const frequency = record.terms.find(({ term }) => term === word)?.weight ?? 0;
      const score = (idf * frequency * 2.2) / (frequency + 1.2 * (0.25 + (0.75 * length(record)) / average));
      scores.set(record.id, (scores.get(record.id) ?? 0) + score);
    }
  }
  return { scores, ceiling };
}

/** Whether hits are the best of what the model scores: complete, in order, none better left out. Rounding may swap near-equal ones. */
function expectBest(hits: readonly IndexHit[], scores: ReadonlyMap<string, number>, limit: number, tolerance: number): void {
  expect(hits).toHaveLength(Math.min(limit, scores.size));
  for (const [i, hit] of hits.entries()) {
    expect(Math.abs(hit.score - (scores.get(hit.id) ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
    const before = hits[i - 1];
    if (before !== undefined) expect(before.score > hit.score || (before.score === hit.score && before.id < hit.id)).toBe(true);
  }
  const last = hits.at(-1);
  const found = new Set(hits.map((hit) => hit.id));
  for (const [id, score] of scores) if (last !== undefined && !found.has(id)) expect(score).toBeLessThanOrEqual(last.score + tolerance);
}

const operation = fc.record({
  action: fc.constantFrom('upsert', 'upsert', 'upsert', 'delete', 'erase'),
  user: fc.constantFrom('ada', 'ada', 'ada', 'bob'),
  count: fc.integer({ min: 1, max: 250 }),
  first: fc.integer({ min: 0, max: 399 }),
  seed: fc.integer(),
  handle: fc.constantFrom(0, 1),
});

it('both indexes answer as a plain model does, whatever is written through either of two handles', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 20 }), async (operations) => {
      const folder = mkdtempSync(join(tmpdir(), 'tandem-property-'));
      const databases = [0, 1].map(() => new SqliteDatabase({ path: join(folder, 'memory.db') }));
      // The second handle has a cache that holds one user at a time.
      const vectors = databases.map((database, i) => new EmbeddedVectorIndex({ database, ...(i === 1 ? { cacheBytes: 0 } : {}) }));
      const keywords = databases.map((database, i) => new EmbeddedKeywordIndex({ database, ...(i === 1 ? { cacheBytes: 0 } : {}) }));
      for (const index of vectors) await index.open({ modelId: 'm', dimensions: DIMENSIONS });
      for (const index of keywords) await index.open();
      const model = new Map<string, Map<string, IndexRecord>>([
        ['ada', new Map()],
        ['bob', new Map()],
      ]);
      try {
        for (const { action, user, count, first, seed, handle } of operations) {
          const next = random(seed);
          const known = model.get(user) ?? new Map<string, IndexRecord>();
          const [vectorIndex, keywordIndex] = [vectors[handle], keywords[handle]];
          if (vectorIndex === undefined || keywordIndex === undefined) throw new Error('no such handle');
          if (action === 'upsert') {
            const records = Array.from({ length: count }, (_, i) => record(next, `r${(first + i) % 400}`, user));
            await vectorIndex.upsert(records);
            await keywordIndex.upsert(records);
            for (const written of records) known.set(written.id, written);
          } else {
            const ids = action === 'erase' ? [...known.keys()] : Array.from({ length: count }, (_, i) => `r${(first + i) % 400}`);
            await vectorIndex.delete(user, ids);
            await keywordIndex.delete(user, ids);
            for (const id of ids) known.delete(id);
          }

          const filter = filterOf(next);
          const limit = pick(next, [1, 5, 30, 1000]);
          const query = vector(Math.floor(next() * 80));
          const words = WORDS.filter(() => next() < 0.2);
          const { scores, ceiling } = bm25([...known.values()], words);
          for (const id of [...scores.keys()]) if (!matches(known.get(id) as IndexRecord, filter)) scores.delete(id);
          const cosines = new Map<string, number>();
          for (const stored of known.values()) {
            if (matches(stored, filter))
              cosines.set(
                stored.id,
                stored.vector.reduce((sum, value, i) => sum + value * (query[i] ?? 0), 0),
              );
          }
          for (const index of vectors) {
            expectBest(await index.search({ userId: user, vector: query, filter, limit }), cosines, limit, 1e-5);
            expect(await index.count(user)).toBe(known.size);
          }
          for (const index of keywords) {
            const answer = await index.search({ userId: user, terms: words.map((term) => ({ term, weight: 1 })), filter, limit });
            expectBest(answer.hits, scores, limit, 1e-9);
            if (known.size > 0) expect(answer.ceiling).toBeCloseTo(ceiling, 9);
          }
          expect(await vectors[0]?.ids(user, 1000)).toEqual([...known.keys()].sort());
          expect(await keywords[1]?.ids(user, 1000)).toEqual([...known.keys()].sort());
        }
      } finally {
        for (const database of databases) database.close();
        rmSync(folder, { recursive: true });
      }
    }),
    // Shrinking would take minutes; the seed of a failure is reported.
    { numRuns: 20, endOnFailure: true },
  );
});
