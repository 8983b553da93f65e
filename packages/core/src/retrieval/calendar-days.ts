import type { CalendarDate, CalendarUnit, DateSpan, QuestionTime } from '../domain/query.ts';

/** Days are counted from 1970-01-01. */
export const DAY_MS = 86_400_000;

/** First and last of some days. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

/** @param day `2024-03-01` */
export function dayNumber(day: string): number {
  return Math.floor(Date.parse(day) / DAY_MS);
}

/** The days of a date; without a year of the last such date that is not later than `latest`, or so many years before it. */
export function daysOf({ year, month, day }: CalendarDate, latest: number, yearsBefore = 0): Days {
  const of = (wanted: number) => ({
    first: Date.UTC(wanted, (month ?? 1) - 1, day ?? 1) / DAY_MS,
    last: (day === undefined ? Date.UTC(wanted, month ?? 12, 0) : Date.UTC(wanted, (month ?? 1) - 1, day)) / DAY_MS,
  });
  if (year !== undefined) return of(year);
  const thisYear = new Date(latest * DAY_MS).getUTCFullYear();
  return of((of(thisYear).first > latest ? thisYear - 1 : thisYear) - yearsBefore);
}

/**
 * The days of a time as it is seen today, open where a span is: of units the whole ones (-1 to -1 is the last one; weeks begin on Monday), of a
 * weekday the last before today, of a date as `daysOf`.
 */
export function daysOfTime(time: QuestionTime, today: number, yearsBefore = 0): Partial<Days> {
  if ('unit' in time) return { first: startOf(today, time.unit, time.first), last: startOf(today, time.unit, time.last + 1) - 1 };
  if ('weekday' in time) {
    const day = today - ((new Date(today * DAY_MS).getUTCDay() - time.weekday + 7) % 7 || 7);
    return { first: day, last: day };
  }
  if (!isSpan(time)) return daysOf(time, today, yearsBefore);
  const { from, until, before } = time;
  const last = until === undefined ? undefined : daysOf(until, today).last;
  const end = last ?? (before === undefined ? undefined : daysOf(before, today).first - 1);
  return { ...(from === undefined ? {} : { first: daysOf(from, last ?? today).first }), ...(end === undefined ? {} : { last: end }) };
}

/** Whether a time is a date, of which there is one each year where it names none. */
export function isDate(time: QuestionTime): time is CalendarDate {
  return !('unit' in time || 'weekday' in time || isSpan(time));
}

function isSpan(time: CalendarDate | DateSpan): time is DateSpan {
  return 'from' in time || 'until' in time || 'before' in time;
}

function startOf(today: number, unit: CalendarUnit, offset: number): number {
  const now = new Date(today * DAY_MS);
  if (unit === 'year') return Date.UTC(now.getUTCFullYear() + offset, 0, 1) / DAY_MS;
  if (unit === 'month') return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1) / DAY_MS;
  return unit === 'day' ? today + offset : today - ((now.getUTCDay() + 6) % 7) + 7 * offset;
}
