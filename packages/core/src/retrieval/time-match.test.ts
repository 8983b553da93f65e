import { describe, expect, it } from 'vitest';
import type { QuestionTime } from '../domain/query.ts';
import { timeMatch } from './time-match.ts';

/** A Friday. */
const TODAY = '2024-03-01';

describe('timeMatch', () => {
  it.each<[QuestionTime, string, number]>([
    [{ unit: 'day', first: -1, last: -1 }, '2024-02-29', 1],
    [{ unit: 'day', first: -1, last: -1 }, '2024-02-28', 0],
    [{ unit: 'day', first: -1, last: -1 }, '2024-03-01', 0.5],
    [{ unit: 'day', first: -3, last: 0 }, '2024-02-27', 1],
    [{ unit: 'day', first: -3, last: 0 }, '2024-02-26', 0],
    [{ unit: 'week', first: -1, last: -1 }, '2024-02-19', 1],
    [{ unit: 'week', first: -1, last: -1 }, '2024-02-25', 1],
    [{ unit: 'week', first: -1, last: -1 }, '2024-02-18', 0],
    [{ unit: 'week', first: -1, last: -1 }, '2024-02-27', 0.5],
    [{ unit: 'month', first: -1, last: -1 }, '2024-02-29', 1],
    [{ unit: 'month', first: -1, last: -1 }, '2024-01-31', 0],
    [{ unit: 'month', first: -3, last: -3 }, '2023-12-31', 1],
    [{ unit: 'year', first: -1, last: -1 }, '2023-07-01', 0.5],
    [{ unit: 'year', first: -1, last: -1 }, '2024-01-01', 0],
    [{ weekday: 5 }, '2024-02-23', 1],
    [{ weekday: 4 }, '2024-02-29', 1],
    [{ weekday: 4 }, '2024-02-28', 0],
    [{ from: { year: 2023 } }, '2022-12-31', 0],
    [{ from: { year: 2023 } }, '2023-01-01', 0.5],
    [{ from: { year: 2023 } }, '2024-02-01', 0.5],
    [{ before: { year: 2023, month: 5 } }, '2023-04-30', 0.5],
    [{ before: { year: 2023, month: 5 } }, '2023-05-01', 0],
    [{ until: { year: 2023, month: 5 } }, '2023-05-31', 0.5],
    [{ until: { year: 2023 } }, '2024-01-01', 0],
    [{ from: { month: 5 } }, '2023-05-01', 0.5],
    [{ from: { month: 5 } }, '2023-04-30', 0],
    [{ from: { year: 2024, month: 2, day: 28 }, until: { year: 2024, month: 2, day: 29 } }, '2024-02-29', 1],
    [{ from: { year: 2024, month: 2, day: 10 }, until: { year: 2024, month: 2, day: 12 } }, '2024-02-13', 0.5],
    [{ from: { year: 2024, month: 2, day: 10 }, until: { year: 2024, month: 2, day: 12 } }, '2024-02-09', 0],
    [{ from: { year: 2023, month: 1 }, until: { year: 2023, month: 2 } }, '2023-02-28', 1],
    [{ from: { year: 2023, month: 1 }, until: { year: 2023, month: 2 } }, '2023-03-15', 0],
    [{ from: { month: 11 }, until: { month: 1 } }, '2023-12-24', 1],
    [{ from: { month: 11 }, until: { month: 1 } }, '2023-10-24', 0],
    [{ year: 2023, month: 5 }, '2023-05-31', 1],
  ])('%j on %s: %d', (time, day, match) => {
    expect(timeMatch([time], day, TODAY)).toBe(match);
  });

  it('takes the best of several, and 0 of none', () => {
    expect(timeMatch([], TODAY, TODAY)).toBe(0);
    expect(timeMatch([{ weekday: 1 }, { unit: 'day', first: 0, last: 0 }], TODAY, TODAY)).toBe(1);
  });
});
