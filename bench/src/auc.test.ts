import { expect, it } from 'vitest';
import { areaUnderCurve } from './auc.ts';

const judged = (...list: readonly (readonly [number, boolean])[]) => list.map(([score, positive]) => ({ score, positive }));

it('is 1 for a perfect order, 0 for the reverse, a half for ties, and counts pairs', () => {
  expect(areaUnderCurve(judged([0.1, false], [0.9, true]))).toBe(1);
  expect(areaUnderCurve(judged([0.9, false], [0.1, true]))).toBe(0);
  expect(areaUnderCurve(judged([0.5, false], [0.5, true], [0.5, false]))).toBe(0.5);
  expect(areaUnderCurve(judged([0.1, false], [0.2, true], [0.3, false], [0.4, true]))).toBe(0.75);
  expect(areaUnderCurve(judged([0.1, true]))).toBeNaN();
});
