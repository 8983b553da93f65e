import { SqliteDatabase } from '@tandem-memory/sqlite';
import { describe, expect, it } from 'vitest';
import { EmbeddedVectorIndex } from './embedded-vector-index.ts';

const DIMENSIONS = 384;
const ROWS = 4_000;
const TOPICS = 20;
const LIMIT = 100;

/** A small linear congruential generator, so that each run is about the same vectors. */
function generator(): () => number {
  let state = 7;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

function unit(vector: Float32Array): Float32Array {
  const norm = Math.hypot(...vector);
  return vector.map((value) => value / norm);
}

/** Vectors around topics, all with the same part in common: what an embedding model puts into every text. */
function corpus(common: (axis: number) => number): { readonly rows: Float32Array[]; readonly queries: Float32Array[] } {
  const next = generator();
  const noise = () => unit(Float32Array.from({ length: DIMENSIONS }, () => next() + next() + next() - 1.5));
  const topics = Array.from({ length: TOPICS }, noise);
  const text = (topic: number) => {
    const [about, own] = [topics[topic % TOPICS], noise()];
    return unit(own.map((value, axis) => value + (about?.[axis] ?? 0) + common(axis)));
  };
  return { rows: Array.from({ length: ROWS }, (_, row) => text(row)), queries: Array.from({ length: 10 }, (_, n) => text(n * 7)) };
}

describe('the search of a large memory', () => {
  it.each([
    ['vectors that point in all directions', () => 0],
    ['vectors with one large component in common', (axis: number) => (axis === 196 ? -2 : 0)],
    ['vectors with a large part in common', (axis: number) => 0.15 * Math.sin(axis * 1.7)],
    ['vectors of which most components are small', (axis: number) => (axis % 48 === 0 ? 0.9 : 0)],
  ])('finds the nearest of %s', async (_, common) => {
    using database = new SqliteDatabase({ path: ':memory:' });
    const index = new EmbeddedVectorIndex({ database });
    await index.open({ modelId: 'm', dimensions: DIMENSIONS });
    const { rows, queries } = corpus(common);
    await index.upsert(rows.map((vector, n) => ({ id: `r${n}`, userId: 'ada', kind: 'episode', at: '2024-03-01T00:00:00.000Z', vector, terms: [] })));
    let missed = 0;
    for (const vector of queries) {
      const dots = rows.map((row, n) => ({ id: `r${n}`, score: row.reduce((sum, value, axis) => sum + value * (vector[axis] ?? 0), 0) }));
      const nearest = dots.sort((a, b) => b.score - a.score).slice(0, LIMIT);
      const found = new Set((await index.search({ userId: 'ada', vector, filter: {}, limit: LIMIT })).map(({ id }) => id));
      missed += nearest.filter(({ id }) => !found.has(id)).length;
    }
    expect(missed).toBeLessThanOrEqual(2);
  });
});
