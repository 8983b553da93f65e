import type { QuestionTime } from '../domain/query.ts';
import { type Days, dayNumber, daysOfTime, type View } from './calendar-days.ts';
import { readTimes } from './read-times.ts';

/** Of what tells of days that reach beyond those in question ("next week" for Tuesday), and of what was said on them and names none. */
const IN_PART = 0.5;
/** Days of a month. What tells of a longer time ("the budget of 2026") tells of no day. */
const LONGEST = 31;
/** Of what tells of other days only: an old "tomorrow". */
const ELSEWHEN = -0.5;
/** Then the next time from the day in question on is meant, not the first after it was told. */
const RECURRING = /\b(?:every|each|(?:sun|mon|tues|wednes|thurs|fri|satur)days)\b|每|매[주달월일]|마다|毎/i;

/** A plan is told in few words; of a page its beginning is read. */
const LONGEST_TEXT = 2_000;

/** The times of which a memory tells, as they were seen on the day it was written. */
export interface Told {
  readonly times: readonly QuestionTime[];
  readonly isRecurring: boolean;
}

/** Pure. */
export function readTold(text: string): Told {
  const beginning = text.slice(0, LONGEST_TEXT);
  return { times: readTimes(beginning, true), isRecurring: RECURRING.test(beginning) };
}

/**
 * How well the days of which a memory tells fit those that a question looks ahead to, each as seen on the day it was written: "dentist tomorrow",
 * said on Monday, is Tuesday's. 1 for days within them, `IN_PART`, 0, or `ELSEWHEN`. Pure.
 * @param written local calendar day, `2024-03-01`
 * @param today the day on which the question is asked, in the same zone
 */
export function plannedFit(told: Told, written: string, times: readonly QuestionTime[], today: string): number {
  const [said, now] = [dayNumber(written), dayNumber(today)];
  const fits = times.map((time) => {
    const asked = daysOfTime(time, now, { ahead: true });
    // What is over by now of this week is not asked for.
    const days = { ...asked, first: Math.max(asked.first ?? now, now) };
    const tellsOf = toldDays(told, told.isRecurring ? Math.max(said, days.first) : said, { ahead: true });
    if (tellsOf.length > 0) return Math.max(...tellsOf.map((each) => overlap(each, days)));
    return overlap({ first: said, last: said }, days) === 1 ? IN_PART : 0;
  });
  return Math.max(...fits);
}

/** How well they fit days that are over: "yesterday we moved", said on the 16th, is of the 15th. 1 for days within them, `IN_PART`, or 0. Pure. */
export function pastFit(told: Told, written: string, times: readonly QuestionTime[], today: string): number {
  const said = dayNumber(written);
  const asked = times.map((time) => daysOfTime(time, dayNumber(today)));
  // What was planned may have come otherwise.
  const best = (days: Partial<Days>) => Math.max(...asked.map((each) => overlap(days, each))) * ((days.first ?? 0) > said ? IN_PART : 1);
  return Math.max(0, ...toldDays(told, said, {}).map(best));
}

function toldDays({ times }: Told, from: number, view: View): Partial<Days>[] {
  const days = times.map((time) => daysOfTime(time, from, view));
  return days.filter(({ first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY }) => last - first < LONGEST);
}

function overlap(told: Partial<Days>, asked: Partial<Days>): number {
  const { first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY } = told;
  const { first: from = Number.NEGATIVE_INFINITY, last: until = Number.POSITIVE_INFINITY } = asked;
  if (last < from || first > until) return ELSEWHEN;
  return first >= from && last <= until ? 1 : IN_PART;
}
