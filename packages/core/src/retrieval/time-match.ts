import type { CalendarUnit, QuestionTime } from '../domain/query.ts';
import { dayNumber, daysOf, daysOfTime, isDate, isSpan } from './calendar-days.ts';
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
  return times.reduce((best, time) => Math.max(best, matchOf(time, day, today, soonAfter)), 0);
}

function matchOf(time: QuestionTime, day: string, today: string, soonAfter: boolean): number {
  if (isDate(time)) {
    const match = dateMatch([time], day, soonAfter);
    // Without a year the last such date is meant, but in an old talk another may be.
    const isEarlier = time.year === undefined && dayNumber(day) < daysOf(time, dayNumber(today)).first;
    return isEarlier ? EARLIER * match : match;
  }
  const at = dayNumber(day);
  const { first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY } = daysOfTime(time, dayNumber(today));
  const unit = 'unit' in time ? time.unit : 'day';
  const isOpen = isSpan(time) && (time.from === undefined || time.until === undefined);
  const after = soonAfter && !isOpen ? FOLLOW_UP_DAYS[unit] : 0;
  if (at < first || at > last + after) return 0;
  return at > last || unit === 'year' || isOpen ? 0.5 : 1;
}
