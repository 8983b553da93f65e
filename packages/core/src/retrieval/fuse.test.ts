import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { IndexHit } from '../domain/index-record.ts';
import { fuse } from './fuse.ts';

const NO_KEYWORDS = { hits: [], ceiling: 0 };

function hits(scores: Record<string, number>): IndexHit[] {
  return Object.entries(scores)
    .map(([id, score]): IndexHit => ({ id, kind: id.startsWith('f') ? 'fact' : 'episode', score }))
    .sort((a, b) => b.score - a.score);
}

function order(candidates: readonly { readonly id: string }[]): string[] {
  return candidates.map((candidate) => candidate.id);
}

describe('fuse', () => {
  it('adds the cosine and the weighted share of the reachable BM25, and says what each channel said', () => {
    const fused = fuse({ vector: hits({ a: 0.6, f1: 0.5 }), keyword: { hits: hits({ f1: 8, c: 4 }), ceiling: 10 }, keywordWeight: 0.5 });
    expect(fused).toEqual([
      {
        kind: 'fact',
        id: 'f1',
        score: 0.5 + 0.5 * 0.8,
        channels: [
          { channel: 'vector', rank: 2, score: 0.5 },
          { channel: 'keyword', rank: 1, score: 0.8 },
        ],
        parts: { cosine: 0.5, keywords: 0.5 * 0.8 },
        path: [],
      },
      { kind: 'episode', id: 'a', score: 0.6, channels: [{ channel: 'vector', rank: 1, score: 0.6 }], parts: { cosine: 0.6 }, path: [] },
      {
        kind: 'episode',
        id: 'c',
        score: 0.5 * 0.4,
        channels: [{ channel: 'keyword', rank: 2, score: 0.4 }],
        parts: { keywords: 0.5 * 0.4 },
        path: [],
      },
    ]);
  });

  it('does without a channel', () => {
    expect(order(fuse({ vector: hits({ a: 0.2, b: 0.4 }), keyword: NO_KEYWORDS, keywordWeight: 1 }))).toEqual(['b', 'a']);
    expect(order(fuse({ vector: [], keyword: { hits: hits({ a: 1, b: 2 }), ceiling: 3 }, keywordWeight: 1 }))).toEqual(['b', 'a']);
    expect(fuse({ vector: [], keyword: NO_KEYWORDS, keywordWeight: 1 })).toEqual([]);
  });

  it('gives finite scores for a ceiling of 0', () => {
    expect(fuse({ vector: hits({ a: 0.3 }), keyword: { hits: hits({ a: 0, b: 0 }), ceiling: 0 }, keywordWeight: 1 })).toMatchObject([
      { id: 'a', score: 0.3 },
    ]);
  });

  it('breaks ties by id, whatever the order of the channels', () => {
    expect(order(fuse({ vector: hits({ c: 0.5, a: 0.5 }), keyword: { hits: hits({ b: 5 }), ceiling: 10 }, keywordWeight: 1 }))).toEqual([
      'a',
      'b',
      'c',
    ]);
  });

  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const cosines = fc.dictionary(ids, fc.double({ min: -1, max: 1, noNaN: true }));
  const shares = fc.dictionary(ids, fc.double({ min: 0, max: 1, noNaN: true }));

  it('keeps scores between 0 and 1 + weight, each record once, best first', () => {
    fc.assert(
      fc.property(
        cosines,
        shares,
        fc.double({ min: 0, max: 10, noNaN: true }),
        fc.double({ min: 0.001, max: 50, noNaN: true }),
        (vector, share, keywordWeight, ceiling) => {
          const keyword = { hits: hits(Object.fromEntries(Object.entries(share).map(([id, part]) => [id, part * ceiling]))), ceiling };
          const fused = fuse({ vector: hits(vector), keyword, keywordWeight });
          expect(order(fused).sort()).toEqual([...new Set([...Object.keys(vector), ...Object.keys(share)])].sort());
          for (const [i, { score }] of fused.entries()) {
            expect(score).toBeGreaterThanOrEqual(0);
            expect(score).toBeLessThanOrEqual(1 + keywordWeight + 1e-9);
            expect(score).toBeLessThanOrEqual(fused[i - 1]?.score ?? Number.POSITIVE_INFINITY);
          }
        },
      ),
    );
  });

  it('never ranks a record lower for a higher cosine', () => {
    fc.assert(
      fc.property(cosines, shares, ids, fc.double({ min: 0, max: 1, noNaN: true }), (vector, share, id, gain) => {
        const keyword = { hits: hits(share), ceiling: 1 };
        const rank = (cosine: number) => order(fuse({ vector: hits({ ...vector, [id]: cosine }), keyword, keywordWeight: 0.7 })).indexOf(id);
        const cosine = vector[id] ?? 0;
        expect(rank(Math.min(1, cosine + gain))).toBeLessThanOrEqual(rank(cosine));
      }),
    );
  });
});
