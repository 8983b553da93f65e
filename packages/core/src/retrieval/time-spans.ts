import type { QuestionTime } from '../domain/query.ts';
import type { Timestamp } from '../domain/time.ts';
import { DAY_MS, daysOfTime, isDate } from './calendar-days.ts';

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

/** From where it begins first to where it ends last; `age` years before the last such date, of which only one without a year has any. */
function everywhere(time: QuestionTime, age: number, now: Date): TimeSpan | undefined {
  if (age > 0 && !(isDate(time) && time.year === undefined)) return undefined;
  const local = ZONES.map((zone) => {
    const offset = zone * HOUR_MS;
    return { ...daysOfTime(time, Math.floor((now.getTime() + offset) / DAY_MS), { yearsBefore: age }), offset };
  });
  const since = Math.min(...local.map(({ first = Number.NEGATIVE_INFINITY, offset }) => first * DAY_MS - offset));
  const until = Math.max(
    ...local.map(({ last = Number.POSITIVE_INFINITY, offset }) => (last > LAST_DAY ? last * DAY_MS : (last + 1) * DAY_MS - offset)),
  );
  return {
    ...(Number.isFinite(since) ? { since: new Date(since).toISOString() } : {}),
    ...(until <= LAST_DAY * DAY_MS ? { until: new Date(until).toISOString() } : {}),
  };
}
