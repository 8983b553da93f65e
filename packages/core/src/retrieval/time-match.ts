import type { CalendarDate, CalendarUnit, DateSpan, QuestionTime } from '../domain/query.ts';
import { dayNumber, daysOf, daysOfUnits, lastWeekday } from './calendar-days.ts';
import { dateMatch } from './read-dates.ts';

/** People tell of a thing when it happens or soon after. */
const FOLLOW_UP_DAYS: Readonly<Record<CalendarUnit, number>> = { day: 14, week: 7, month: 31, year: 0 };

/** By so little that among turns that fit the words alike the last one comes first. */
const EARLIER = 0.99;

/**
 * How well a day fits the times that a question names: 1 on the day, in the week or in the month, or between two dates; .5 soon after, in a
 * year, and on the open side of one date; a hair less in another year than the last, where none is named.
 * @param day local calendar day of what was said, `2024-03-01`
 * @param today the day on which the question is asked, in the same zone
 * @param soonAfter whether days soon after count
 */
export function timeMatch(times: readonly QuestionTime[], day: string, today: string, soonAfter = true): number {
  return times.reduce((best, time) => Math.max(best, soonAfter || isThen(time, day, today) ? matchOf(time, day, today) : 0), 0);
}

/** Whether the day is one of those that are named, and not soon after. */
function isThen(time: QuestionTime, day: string, today: string): boolean {
  const at = dayNumber(day);
  const now = dayNumber(today);
  if ('unit' in time) return at <= daysOfUnits(time.unit, time.first, time.last, now).last;
  if ('weekday' in time) return at === lastWeekday(time.weekday, now);
  if (isSpan(time)) return time.until === undefined || at <= daysOf(time.until, now).last;
  const [, month, ofMonth] = day.split('-').map(Number);
  return (time.month === undefined || time.month === month) && (time.day === undefined || time.day === ofMonth);
}

function matchOf(time: QuestionTime, day: string, today: string): number {
  if ('unit' in time) {
    const { first, last } = daysOfUnits(time.unit, time.first, time.last, dayNumber(today));
    return within(day, first, last, time.unit);
  }
  if ('weekday' in time) {
    const last = lastWeekday(time.weekday, dayNumber(today));
    return within(day, last, last, 'day');
  }
  if (isSpan(time)) return spanMatch(time, day, today);
  const match = dateMatch([time], day);
  // Without a year the last such date is meant, but in an old talk another may be.
  const isEarlier = time.year === undefined && dayNumber(day) < daysOf(time, dayNumber(today)).first;
  return isEarlier ? EARLIER * match : match;
}

export function isSpan(time: CalendarDate | DateSpan): time is DateSpan {
  return 'from' in time || 'until' in time || 'before' in time;
}

function within(day: string, first: number, last: number, unit: CalendarUnit): number {
  const at = dayNumber(day);
  if (at < first || at > last + FOLLOW_UP_DAYS[unit]) return 0;
  return at > last || unit === 'year' ? 0.5 : 1;
}

function spanMatch({ from, until, before }: DateSpan, day: string, today: string): number {
  const at = dayNumber(day);
  const now = dayNumber(today);
  const end = until === undefined ? undefined : daysOf(until, now).last;
  const start = from === undefined ? undefined : daysOf(from, end ?? now).first;
  if (start !== undefined && end !== undefined) return within(day, start, end, 'day');
  const limit = before === undefined ? undefined : daysOf(before, now).first;
  return (start === undefined || at >= start) && (end === undefined || at <= end) && (limit === undefined || at < limit) ? 0.5 : 0;
}
