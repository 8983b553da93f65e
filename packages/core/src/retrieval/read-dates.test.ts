import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateMatch, readDates } from './read-dates.ts';

describe('readDates', () => {
  it.each([
    ['What happened on 2023-05-08?', [{ year: 2023, month: 5, day: 8 }]],
    ['at 2023-05-08T09:30:00+09:00', [{ year: 2023, month: 5, day: 8 }]],
    ['2023-05에 뭐 했어?', [{ year: 2023, month: 5 }]],
    [
      'between 2023-05-08 and 2023-06-01',
      [
        { year: 2023, month: 5, day: 8 },
        { year: 2023, month: 6, day: 1 },
      ],
    ],
    ['May 8, 2023', [{ year: 2023, month: 5, day: 8 }]],
    ['8 May 2023', [{ year: 2023, month: 5, day: 8 }]],
    ['on the 8th of May', [{ month: 5, day: 8 }]],
    ['on March 3rd', [{ month: 3, day: 3 }]],
    ['in May 2023', [{ year: 2023, month: 5 }]],
    ['in march', [{ month: 3 }]],
    ['since May', [{ month: 5 }]],
    ['Oct. 12', [{ month: 10, day: 12 }]],
    ['12 Sept', [{ month: 9, day: 12 }]],
    ['JULY 2022', [{ year: 2022, month: 7 }]],
    ['Dec 2022', [{ year: 2022, month: 12 }]],
    [
      'in June and in July 2023',
      [
        { year: 2023, month: 6 },
        { year: 2023, month: 7 },
      ],
    ],
    ['in 2022', [{ year: 2022 }]],
    ['2022년에', [{ year: 2022 }]],
    ['2023年5月8日に何をした', [{ year: 2023, month: 5, day: 8 }]],
    ['5月8号', [{ month: 5, day: 8 }]],
    ['2023년 5월 8일', [{ year: 2023, month: 5, day: 8 }]],
    ['12월에', [{ month: 12 }]],
  ])('%s', (text, dates) => {
    expect(readDates(text)).toEqual(dates);
  });

  it.each([
    '',
    'May I come in?',
    'I may go, and you may stay',
    'They march to work',
    'Is permit HB-2031-07 valid?',
    'version 2024-13',
    'part 2024-99-99',
    'id 12024-03-01',
    'room 2023b',
    'the 1850 house',
    '3个月',
    '13월',
    'marching band, mayor, decide, augment',
  ])('no date: %s', (text) => {
    expect(readDates(text)).toEqual([]);
  });

  it('takes any text; what it reads are possible dates', () => {
    const pieces = fc
      .array(fc.constantFrom('may', 'march', 'on', '2023', '8', '31st', ' ', '-', '/', '年', '월', '12', 'of', '일'), { maxLength: 10 })
      .map((list) => list.join(' '));
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), pieces), (text) => {
        for (const { month, day } of readDates(text)) {
          expect(month ?? 1).toBeGreaterThanOrEqual(1);
          expect(month ?? 1).toBeLessThanOrEqual(12);
          expect(day ?? 1).toBeGreaterThanOrEqual(1);
          expect(day ?? 1).toBeLessThanOrEqual(31);
        }
      }),
    );
  });
});

describe('dateMatch', () => {
  it.each([
    [{ year: 2023, month: 5, day: 8 }, '2023-05-08', 1],
    [{ year: 2023, month: 5, day: 8 }, '2023-05-09', 0.5],
    [{ year: 2023, month: 5, day: 8 }, '2023-05-22', 0.5],
    [{ year: 2023, month: 5, day: 8 }, '2023-05-23', 0],
    [{ year: 2023, month: 5, day: 8 }, '2023-05-07', 0],
    [{ year: 2023, month: 5, day: 8 }, '2022-05-08', 0],
    [{ month: 5, day: 8 }, '2019-05-08', 1],
    [{ month: 12, day: 25 }, '2024-01-03', 0.5],
    [{ month: 12, day: 25 }, '2024-12-25', 1],
    [{ month: 1, day: 5 }, '2024-12-31', 0],
    [{ year: 2023, month: 5 }, '2023-05-31', 1],
    [{ year: 2023, month: 5 }, '2023-06-30', 0.5],
    [{ year: 2023, month: 5 }, '2023-07-01', 0],
    [{ year: 2023, month: 5 }, '2023-04-30', 0],
    [{ month: 12 }, '2024-01-15', 0.5],
    [{ year: 2023, month: 12 }, '2023-01-15', 0],
    [{ year: 2023 }, '2023-09-01', 0.5],
    [{ year: 2023 }, '2024-01-01', 0],
  ])('%j on %s: %d', (wanted, day, match) => {
    expect(dateMatch([wanted], day)).toBe(match);
  });

  it('takes the best of several, and 0 of none', () => {
    expect(dateMatch([{ year: 2021 }, { month: 5 }, { year: 2023 }], '2023-05-01')).toBe(1);
    expect(dateMatch([], '2023-05-01')).toBe(0);
  });
});
