import type { WeightedTerm } from '../domain/index-record.ts';
import type { QuestionTime } from '../domain/query.ts';
import { analyseText } from '../domain/text-analysis.ts';
import { DAY_MS, daysOfTime } from './calendar-days.ts';

/** A week. Of a longer time there are too many. */
const MOST_DAYS = 7;
const written = new Intl.DateTimeFormat('en', { month: 'long', day: 'numeric', weekday: 'long', timeZone: 'UTC' });

/**
 * How people write the dates to which a question looks ahead: what was said months ago of "December 5" has no word of "tomorrow". Pure.
 * @returns terms for a search of their own; none for a time of more than a week
 */
export function dayTerms(times: readonly QuestionTime[], now: Date): WeightedTerm[] {
  const today = Math.floor(now.getTime() / DAY_MS);
  const days = times.flatMap((time) => {
    const { first = 0, last = Number.POSITIVE_INFINITY } = daysOfTime(time, today, { ahead: true });
    return last - first < MOST_DAYS ? Array.from({ length: last - first + 1 }, (_, index) => new Date((first + index) * DAY_MS)) : [];
  });
  const terms = days.flatMap((day) => {
    const [month, date] = [day.getUTCMonth() + 1, day.getUTCDate()];
    return analyseText(`${written.format(day)} ${written.format(day).slice(0, 3)} ${date}th ${month}월 ${date}일 ${month}月${date}日`);
  });
  return [...new Set(terms)].sort().map((term) => ({ term, weight: 1 }));
}
