import { describe, expect, it } from 'vitest';
import type { Recollection } from '../domain/recollection.ts';
import { fuseQuestions } from './fuse-questions.ts';

const found = (id: string, score: number) => ({ kind: 'fact', id, score, channels: [], path: [] }) as unknown as Recollection;

describe('fuseQuestions', () => {
  it('keeps each record once, with the best score that any question gives it, best first, ties by id', () => {
    const whole = [found('a', 0.5), found('c', 0.4), found('n', -1)];
    const part = [found('b', 0.5), found('c', 0.9)];
    expect(fuseQuestions([whole, part]).map(({ id, score }) => [id, score])).toEqual([
      ['c', 0.9],
      ['a', 0.5],
      ['b', 0.5],
      ['n', -1],
    ]);
    expect(fuseQuestions([])).toEqual([]);
  });
});
