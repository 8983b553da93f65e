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

/** From which side a time without a year, or a day of the week, is seen. */
export interface View {
  /** Of dates without a year: so many years before the last one. */
  readonly yearsBefore?: number;
  /** The next one from today on, in place of the last. */
  readonly ahead?: boolean;
}

/** The days of a date; without a year of the last such date that is not later than `today`, or of the first that is not over. */
export function daysOf({ year, month, day }: CalendarDate, today: number, { yearsBefore = 0, ahead = false }: View = {}): Days {
  const of = (wanted: number) => ({
    first: Date.UTC(wanted, (month ?? 1) - 1, day ?? 1) / DAY_MS,
    last: (day === undefined ? Date.UTC(wanted, month ?? 12, 0) : Date.UTC(wanted, (month ?? 1) - 1, day)) / DAY_MS,
  });
  if (year !== undefined) return of(year);
  const thisYear = new Date(today * DAY_MS).getUTCFullYear();
  if (ahead) return of(of(thisYear).last < today ? thisYear + 1 : thisYear);
  return of((of(thisYear).first > today ? thisYear - 1 : thisYear) - yearsBefore);
}

/**
 * The days of a time as it is seen today, open where a span is: of units the whole ones (-1 to -1 is the last one; weeks begin on Monday), of a
 * weekday the last before today or the next from today on, of a date as `daysOf`.
 */
export function daysOfTime(time: QuestionTime, today: number, view: View = {}): Partial<Days> {
  if ('unit' in time) return { first: startOf(today, time.unit, time.first), last: startOf(today, time.unit, time.last + 1) - 1 };
  if ('weekday' in time) {
    const sinceThen = (new Date(today * DAY_MS).getUTCDay() - time.weekday + 7) % 7;
    const first = time.isNext === true ? today + 7 - sinceThen : view.ahead === true ? today + ((7 - sinceThen) % 7) : today - (sinceThen || 7);
    return { first, last: first + (time.days ?? 1) - 1 };
  }
  if ('dayOfMonth' in time) return dayOfMonth(time, today, view);
  if (!isSpan(time)) return daysOf(time, today, view);
  const { from, until, before } = time;
  const last = until === undefined ? undefined : daysOf(until, today, view).last;
  const end = last ?? (before === undefined ? undefined : daysOf(before, today, view).first - 1);
  const first = from === undefined ? undefined : daysOf(from, view.ahead === true ? today : (last ?? today), view).first;
  return { ...(first === undefined ? {} : { first }), ...(end === undefined ? {} : { last: end }) };
}

/** Whether all of them have passed: who asks what was planned for a day of last year does not look ahead. */
export function areOver(times: readonly QuestionTime[], today: string): boolean {
  return times.every((time) => (daysOfTime(time, dayNumber(today), { ahead: true }).last ?? Number.POSITIVE_INFINITY) < dayNumber(today));
}

/** Whether a time is a date, of which there is one each year where it names none. */
export function isDate(time: QuestionTime): time is CalendarDate {
  return !('unit' in time || 'weekday' in time || 'dayOfMonth' in time || isSpan(time));
}

/** Of the months, this one first, before or after it, the first that has such a day on the right side. */
function dayOfMonth(
  { dayOfMonth: day, days = 1 }: { readonly dayOfMonth: number; readonly days?: number },
  today: number,
  { ahead = false }: View,
): Partial<Days> {
  for (let months = 0; months < 12; months++) {
    const start = startOf(today, 'month', ahead ? months : -months);
    const at = start + day - 1;
    const exists = new Date(at * DAY_MS).getUTCDate() === day;
    const last = at + days - 1;
    if (exists && (ahead ? last >= today : at <= today)) return { first: at, last };
  }
  return {};
}

export function isSpan(time: QuestionTime): time is DateSpan {
  return 'from' in time || 'until' in time || 'before' in time;
}

function startOf(today: number, unit: CalendarUnit, offset: number): number {
  const now = new Date(today * DAY_MS);
  if (unit === 'year') return Date.UTC(now.getUTCFullYear() + offset, 0, 1) / DAY_MS;
  if (unit === 'month') return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1) / DAY_MS;
  return unit === 'day' ? today + offset : today - ((now.getUTCDay() + 6) % 7) + 7 * offset;
}
