import type { CalendarDate, CalendarUnit, DateSpan, QuestionTime } from '../domain/query.ts';
import { dateMatch } from './read-dates.ts';

const DAY_MS = 86_400_000;
/** People tell of a thing when it happens or soon after. */
const FOLLOW_UP_DAYS: Readonly<Record<CalendarUnit, number>> = { day: 14, week: 7, month: 31, year: 0 };

/**
 * How well a day fits the times that a question names: 1 on the day, in the week or in the month, or between two dates; .5 soon after, in a
 * year, and on the open side of one date.
 * @param day local calendar day of what was said, `2024-03-01`
 * @param today the day on which the question is asked, in the same zone
 */
export function timeMatch(times: readonly QuestionTime[], day: string, today: string): number {
  return times.reduce((best, time) => Math.max(best, matchOf(time, day, today)), 0);
}

function matchOf(time: QuestionTime, day: string, today: string): number {
  if ('unit' in time) {
    const last = startOf(today, time.unit, time.last + 1) - 1;
    return within(day, startOf(today, time.unit, time.first), last, time.unit);
  }
  if ('weekday' in time) {
    const now = numberOf(today);
    // The last such day before today.
    const since = (new Date(now * DAY_MS).getUTCDay() - time.weekday + 7) % 7 || 7;
    return within(day, now - since, now - since, 'day');
  }
  return isSpan(time) ? spanMatch(time, day, today) : dateMatch([time], day);
}

function isSpan(time: CalendarDate | DateSpan): time is DateSpan {
  return 'from' in time || 'until' in time || 'before' in time;
}

function within(day: string, first: number, last: number, unit: CalendarUnit): number {
  const at = numberOf(day);
  if (at < first || at > last + FOLLOW_UP_DAYS[unit]) return 0;
  return at > last || unit === 'year' ? 0.5 : 1;
}

function spanMatch({ from, until, before }: DateSpan, day: string, today: string): number {
  const at = numberOf(day);
  const now = numberOf(today);
  const end = until === undefined ? undefined : bounds(until, now).last;
  const start = from === undefined ? undefined : bounds(from, end ?? now).first;
  if (start !== undefined && end !== undefined) return within(day, start, end, 'day');
  const limit = before === undefined ? undefined : bounds(before, now).first;
  return (start === undefined || at >= start) && (end === undefined || at <= end) && (limit === undefined || at < limit) ? 0.5 : 0;
}

/** First and last day of a date, as numbers of days; without a year the last such date that is not later than `latest`. */
function bounds({ year, month, day }: CalendarDate, latest: number): { readonly first: number; readonly last: number } {
  const of = (wanted: number) => ({
    first: Date.UTC(wanted, (month ?? 1) - 1, day ?? 1) / DAY_MS,
    last: (day === undefined ? Date.UTC(wanted, month ?? 12, 0) : Date.UTC(wanted, (month ?? 1) - 1, day)) / DAY_MS,
  });
  if (year !== undefined) return of(year);
  const thisYear = new Date(latest * DAY_MS).getUTCFullYear();
  return of(thisYear).first > latest ? of(thisYear - 1) : of(thisYear);
}

/** The day on which the unit begins that lies `offset` from today's, as a number of days. Weeks begin on Monday. */
function startOf(today: string, unit: CalendarUnit, offset: number): number {
  const [year = 0, month = 1] = today.split('-').map(Number);
  if (unit === 'year') return Date.UTC(year + offset, 0, 1) / DAY_MS;
  if (unit === 'month') return Date.UTC(year, month - 1 + offset, 1) / DAY_MS;
  const now = numberOf(today);
  return unit === 'day' ? now + offset : now - ((new Date(now * DAY_MS).getUTCDay() + 6) % 7) + 7 * offset;
}

function numberOf(day: string): number {
  return Math.floor(Date.parse(day) / DAY_MS);
}
