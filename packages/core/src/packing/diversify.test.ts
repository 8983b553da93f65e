import { describe, expect, it } from 'vitest';
import { diversify } from './diversify.ts';
import type { Folded } from './folded.ts';

function fact(id: string, score: number, text: string): Folded {
  const at = '2024-01-01T00:00:00.000Z';
  const record = { id, userId: 'u', text, entityIds: [], evidence: [], createdAt: at, confidence: 1, importance: 0.5, properties: {} };
  return {
    item: { kind: 'fact', id, score, channels: [], path: [], fact: { ...record, origin: 'model', saidBy: 'user' } },
    facts: [],
    alsoStatedIn: [],
  };
}

const RANKED = [
  fact('a', 1, 'Ana likes green tea from the market'),
  fact('b', 0.95, 'Ana likes black tea from the market'),
  fact('c', 0.7, 'Her boat lies in Corran'),
];
const order = (diversity: number) => diversify(RANKED, diversity).map(({ item }) => item.id);

describe('diversify', () => {
  it('keeps the order of the scores at 0, and prefers what is unlike the better ones above', () => {
    expect(order(0)).toEqual(['a', 'b', 'c']);
    expect(order(0.1)).toEqual(['a', 'b', 'c']);
    expect(order(0.5)).toEqual(['a', 'c', 'b']);
    expect(order(1)).toEqual(['a', 'c', 'b']);
  });

  it('loses nothing, whatever the scores', () => {
    expect(diversify([], 0.5)).toEqual([]);
    const many = Array.from({ length: 130 }, (_, i) => fact(String(i), 1 - i / 50, `text ${i % 7}`));
    expect(
      diversify(many, 0.5)
        .map(({ item }) => Number(item.id))
        .sort((a, b) => a - b),
    ).toEqual(many.map((_, i) => i));
  });

  it('puts nothing that ended before what took its place, and loses nothing where two took the place of each other', () => {
    const after = (...pairs: [string, string][]) => diversify(RANKED, 1, pairs).map(({ item }) => item.id);
    expect(after(['c', 'b'])).toEqual(['a', 'b', 'c']);
    expect(after(['a', 'b'], ['b', 'c'])).toEqual(['c', 'b', 'a']);
    expect(after(['a', 'b'], ['b', 'a'], ['c', 'a']).toSorted()).toEqual(['a', 'b', 'c']);
    expect(after(['a', 'gone'])).toEqual(['a', 'c', 'b']);
  });
});
