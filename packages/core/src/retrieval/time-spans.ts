import type { QuestionTime } from '../domain/query.ts';
import type { Timestamp } from '../domain/time.ts';
import { DAY_MS, type Days, daysOf, daysOfUnits, lastWeekday } from './calendar-days.ts';
import { isSpan } from './time-match.ts';

/** From `since` up to `until`, which is not part of it; open where one is not given. */
export interface TimeSpan {
  readonly since?: Timestamp;
  readonly until?: Timestamp;
}

const MOST_SPANS = 4;
/** "In May" is of this year or the last; who asks about an old talk may mean the one before. */
const YEARS = 3;
const HOUR_MS = 3_600_000;
/** Offsets from UTC on earth, in hours: the zone of who asks is not known, nor that of who spoke. */
const ZONES = Array.from({ length: 27 }, (_, index) => index - 12);
/** The last day that a text of a time can name; those after it would sort before all others. */
const LAST_DAY = Date.UTC(9999, 11, 30) / DAY_MS;

/**
 * When the times that a question names were, somewhere on earth: what was said then is searched for by itself, since among all else nobody finds it
 * by its words. Pure.
 * @returns a few spans: of each time the last first
 */
export function timeSpans(times: readonly QuestionTime[], now: Date): TimeSpan[] {
  const spans = Array.from({ length: YEARS }, (_, age) => times.map((time) => everywhere(time, age, now))).flat();
  const different = new Map(spans.flatMap((span) => (span === undefined ? [] : [[`${span.since} ${span.until}`, span] as const])));
  return [...different.values()].slice(0, MOST_SPANS);
}

/** From where it begins first to where it ends last. */
function everywhere(time: QuestionTime, age: number, now: Date): TimeSpan | undefined {
  const local = ZONES.flatMap((zone) => {
    const days = daysAt(time, Math.floor((now.getTime() + zone * HOUR_MS) / DAY_MS), age);
    return days === undefined ? [] : [{ ...days, offset: zone * HOUR_MS }];
  });
  if (local.length === 0) return undefined;
  const since = Math.min(...local.map(({ first = Number.NEGATIVE_INFINITY, offset }) => first * DAY_MS - offset));
  const until = Math.max(
    ...local.map(({ last = Number.POSITIVE_INFINITY, offset }) => (last > LAST_DAY ? last * DAY_MS : (last + 1) * DAY_MS - offset)),
  );
  return {
    ...(Number.isFinite(since) ? { since: new Date(since).toISOString() } : {}),
    ...(until <= LAST_DAY * DAY_MS ? { until: new Date(until).toISOString() } : {}),
  };
}

/** Days of a time as it is seen today; of a date without a year also those of the years before. */
function daysAt(time: QuestionTime, today: number, age: number): Partial<Days> | undefined {
  if (!('unit' in time) && !('weekday' in time) && !isSpan(time)) return age === 0 || time.year === undefined ? daysOf(time, today, age) : undefined;
  if (age > 0) return undefined;
  if ('unit' in time) return daysOfUnits(time.unit, time.first, time.last, today);
  if ('weekday' in time) {
    const day = lastWeekday(time.weekday, today);
    return { first: day, last: day };
  }
  const { from, until, before } = time;
  const last = until === undefined ? undefined : daysOf(until, today).last;
  const end = last ?? (before === undefined ? undefined : daysOf(before, today).first - 1);
  return { ...(from === undefined ? {} : { first: daysOf(from, last ?? today).first }), ...(end === undefined ? {} : { last: end }) };
}
