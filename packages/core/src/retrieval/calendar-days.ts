import type { CalendarDate, CalendarUnit } from '../domain/query.ts';

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

/** The days from the first to the last of some units, as they lie from today: -1 to -1 is the last one. Weeks begin on Monday. */
export function daysOfUnits(unit: CalendarUnit, first: number, last: number, today: number): Days {
  return { first: startOf(today, unit, first), last: startOf(today, unit, last + 1) - 1 };
}

/** The last such day before today; 0 is Sunday. */
export function lastWeekday(weekday: number, today: number): number {
  return today - ((new Date(today * DAY_MS).getUTCDay() - weekday + 7) % 7 || 7);
}

function startOf(today: number, unit: CalendarUnit, offset: number): number {
  const now = new Date(today * DAY_MS);
  if (unit === 'year') return Date.UTC(now.getUTCFullYear() + offset, 0, 1) / DAY_MS;
  if (unit === 'month') return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1) / DAY_MS;
  return unit === 'day' ? today + offset : today - ((now.getUTCDay() + 6) % 7) + 7 * offset;
}
