import { describe, expect, it } from 'vitest';
import { readTimes } from './read-times.ts';
import { timeSpans } from './time-spans.ts';

/** A Friday. */
const NOON = new Date('2024-03-01T11:00:00Z');
const spans = (text: string) =>
  timeSpans(readTimes(text), NOON).map(({ since, until }) => `${since?.slice(0, 13) ?? ''}..${until?.slice(0, 13) ?? ''}`);

describe('timeSpans', () => {
  it.each([
    ['What did I eat yesterday?', ['2024-02-28T12..2024-03-01T11']],
    ['What did I eat on 2024-02-14?', ['2024-02-13T10..2024-02-15T12']],
    ['What did I eat last week?', ['2024-02-18T10..2024-02-26T12']],
    // In the far west it is Thursday still.
    ['What did I eat last Thursday?', ['2024-02-22T12..2024-03-01T11']],
    ['What did I eat in 2023?', ['2022-12-31T10..2024-01-01T12']],
    ['What did I eat before 2023?', ['..2023-01-01T12']],
    ['What have I eaten since February 2024?', ['2024-01-31T10..']],
    ['What did I eat between 2024-02-01 and 2024-02-10?', ['2024-01-31T10..2024-02-11T12']],
    ['What did I eat?', []],
  ])('reaches over the days in every zone: %s', (text, wanted) => {
    expect(spans(text)).toEqual(wanted);
  });

  it('takes a date without a year for the last one and two before', () => {
    expect(spans('What did I eat on February 29?')).toEqual([
      '2024-02-28T10..2024-03-01T12',
      '2023-02-28T10..2023-03-02T12',
      '2022-02-28T10..2022-03-02T12',
    ]);
    expect(spans('What did I eat in December?')[0]).toBe('2023-11-30T10..2024-01-01T12');
  });

  it('gives a few, each once', () => {
    expect(spans('Yesterday, yesterday, in May, in June and in July?')).toHaveLength(4);
  });

  it('takes the last of each date before those of other years', () => {
    expect(
      spans('What did I eat on 14 June or 10 March?')
        .slice(0, 2)
        .map((span) => span.slice(0, 7))
        .sort(),
    ).toEqual(['2023-03', '2023-06']);
  });

  it('is open where a date lies beyond what a time can say', () => {
    expect(spans('What did I eat on 9999-12-31?')).toEqual(['9999-12-30T10..']);
  });
});
