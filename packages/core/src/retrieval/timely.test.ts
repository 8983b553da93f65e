import { expect, it } from 'vitest';
import type { Candidate } from '../domain/candidate.ts';
import { withTimely } from './timely.ts';

const hit = (id: string, score: number): Candidate => ({ kind: 'episode', id, score, channels: [{ channel: 'vector', rank: 1, score }], path: [] });

it('marks what was said then and what names the day, which need not have been found', () => {
  const told = [
    { id: 'b', kind: 'episode', score: 3 },
    { id: 'd', kind: 'fact', score: 2 },
  ] as const;
  const marked = withTimely([hit('a', 0.9), hit('b', 0.5), hit('c', 0.2)], new Set(['a']), told);
  expect(marked.map(({ id, kind, score, channels }) => [id, kind, score, channels.at(-1)])).toEqual([
    ['a', 'episode', 0.9, { channel: 'time', rank: 1, score: 0.9 }],
    ['b', 'episode', 0.5, { channel: 'time', rank: 2, score: 0.5 }],
    ['c', 'episode', 0.2, { channel: 'vector', rank: 1, score: 0.2 }],
    ['d', 'fact', 0, { channel: 'time', rank: 3, score: 0 }],
  ]);
});

it('marks no more than forty of each', () => {
  const many = Array.from({ length: 100 }, (_, number) => hit(`id${number}`, 1 - number / 100));
  const marked = withTimely(many, new Set(many.map(({ id }) => id)), []);
  expect(marked.filter(({ channels }) => channels.length === 2).map(({ id }) => id)).toEqual(many.slice(0, 40).map(({ id }) => id));
});
