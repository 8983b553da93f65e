import type { QuestionTime } from '../domain/query.ts';
import type { Timestamp } from '../domain/time.ts';
import { DAY_MS, type Days, dayNumber, daysOf, daysOfUnits, lastWeekday } from './calendar-days.ts';
import { isSpan } from './time-match.ts';

/** From `since` up to `until`, which is not part of it; open where one is not given. */
export interface TimeSpan {
  readonly since?: Timestamp;
  readonly until?: Timestamp;
}

const MOST_SPANS = 3;
/** "In May" is of this year or the last; who asks about an old talk may mean the one before. */
const YEARS = 3;
const HOUR_MS = 3_600_000;
/** A day begins 14 hours before that of UTC in the east, and ends 12 hours after it in the west. */
const EAST_MS = 14 * HOUR_MS;
const WEST_MS = 12 * HOUR_MS;

/**
 * When the times that a question names were, somewhere on earth: what was said then is searched for by itself, since among all else nobody finds it
 * by its words. Pure.
 * @param today `2024-03-01`
 * @returns a few spans, the latest first
 */
export function timeSpans(times: readonly QuestionTime[], today: string): TimeSpan[] {
  const spans = times.flatMap((time) => spansOf(time, dayNumber(today)));
  const different = new Map(spans.map((span) => [`${span.since} ${span.until}`, span]));
  return [...different.values()].slice(0, MOST_SPANS);
}

function spansOf(time: QuestionTime, today: number): TimeSpan[] {
  if ('unit' in time) return [span(daysOfUnits(time.unit, time.first, time.last, today))];
  if ('weekday' in time) {
    const day = lastWeekday(time.weekday, today);
    return [span({ first: day, last: day })];
  }
  if (!isSpan(time)) return Array.from({ length: time.year === undefined ? YEARS : 1 }, (_, before) => span(daysOf(time, today, before)));
  const { from, until, before } = time;
  const last = until === undefined ? undefined : daysOf(until, today).last;
  const end = last ?? (before === undefined ? undefined : daysOf(before, today).first - 1);
  return [span({ ...(from === undefined ? {} : { first: daysOf(from, last ?? today).first }), ...(end === undefined ? {} : { last: end }) })];
}

function span({ first, last }: Partial<Days>): TimeSpan {
  return {
    ...(first === undefined ? {} : { since: new Date(first * DAY_MS - EAST_MS).toISOString() }),
    ...(last === undefined ? {} : { until: new Date((last + 1) * DAY_MS + WEST_MS).toISOString() }),
  };
}
