import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pointId, termIndex, termSaturation, weightsByIndex } from './point.ts';
import { readOptions } from './qdrant-options.ts';
import { rateQuery } from './term-statistics.ts';

const settings = readOptions({ url: 'http://localhost:6333' });

describe('pointId', () => {
  it('is a UUID for any id, and another one for any other user or id', () => {
    const ids = [
      'files/b.md#3',
      '0',
      '12345678901234567891',
      '9007199254740993',
      'ABCDEF00-1111-2222-3333-444455556666',
      'abcdef00-1111-2222-3333-444455556666',
      '日本 🦊',
      'x'.repeat(2000),
      '',
    ];
    const points = [...ids.map((id) => pointId('ada', id)), ...ids.map((id) => pointId('bob', id))];
    for (const point of points) expect(point).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(new Set(points).size).toBe(points.length);
    expect(pointId('a', 'bc')).not.toBe(pointId('ab', 'c'));
  });
});

describe('BM25 in two halves', () => {
  it('is the whole of it when multiplied, and never above the ceiling', async () => {
    const word = fc.constantFrom('ant', 'bee', 'cat', 'dog', 'eel');
    const texts = fc.array(fc.dictionary(word, fc.float({ min: Math.fround(0.25), max: 50, noNaN: true })), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(texts, fc.dictionary(word, fc.float({ min: Math.fround(0.25), max: 5, noNaN: true })), async (records, query) => {
        const terms = (weights: Record<string, number>) => Object.entries(weights).map(([term, weight]) => ({ term, weight }));
        const vectors = records.map((record) => termSaturation(weightsByIndex('ada', terms(record)), settings));
        const { indices, values, ceiling } = await rateQuery('ada', terms(query), settings.k1, async ({ must }) => {
          const wanted = must.flatMap((condition) =>
            'key' in condition && condition.key === 'terms' && condition.match && 'value' in condition.match ? [condition.match.value] : [],
          );
          return vectors.filter(({ indices: own }) => wanted.every((index) => own.includes(Number(index)))).length;
        });
        for (const [i, record] of records.entries()) {
          const length = Object.values(record).reduce((sum, weight) => sum + weight, 0);
          let expected = 0;
          for (const [term, weight] of Object.entries(query)) {
            const frequency = record[term] ?? 0;
            const having = records.filter((other) => term in other).length;
            const idf = Math.log(1 + (records.length - having + 0.5) / (having + 0.5));
            expected +=
              (weight * idf * frequency * (settings.k1 + 1)) /
              (frequency + settings.k1 * (1 - settings.b + (settings.b * length) / settings.averageLength));
          }
          const { indices: own, values: saturated } = vectors[i] ?? { indices: [], values: [] };
          const score = indices.reduce((sum, index, place) => sum + (values[place] ?? 0) * (saturated[own.indexOf(index)] ?? 0), 0);
          expect(score).toBeCloseTo(expected, 6);
          expect(score).toBeLessThanOrEqual(ceiling * (1 + 1e-12));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the terms of two users apart', () => {
    expect(termIndex('ada', 'fox')).not.toBe(termIndex('bob', 'fox'));
    expect(termIndex('ada', 'fox')).toBe(termIndex('ada', 'fox'));
    expect(termIndex('a', 'bc')).not.toBe(termIndex('ab', 'c'));
  });

  it('refuses weights that are none', () => {
    for (const weight of [-1, Number.NaN, Number.POSITIVE_INFINITY]) expect(() => weightsByIndex('ada', [{ term: 'fox', weight }])).toThrow(/weight/);
  });
});
