import type { QuestionTime } from '../domain/query.ts';
import { type Days, dayNumber, daysOfTime, type View } from './calendar-days.ts';
import { readTimes } from './read-times.ts';

/** Of what tells of days that reach beyond those in question ("next week" for Tuesday), and of what was said on them and names none. */
const IN_PART = 0.5;
/** Days of a month. What tells of a longer time ("the budget of 2026") tells of no day. */
const LONGEST = 31;
/** Of what tells of other days only: an old "tomorrow". */
const ELSEWHEN = -0.5;

/**
 * How well the days of which a memory tells fit those that a question looks ahead to, each as seen on the day it was written: "dentist tomorrow",
 * said on Monday, is Tuesday's. 1 for days within them, `IN_PART`, 0, or `ELSEWHEN`. Pure.
 * @param written local calendar day, `2024-03-01`
 * @param today the day on which the question is asked, in the same zone
 */
export function plannedFit(text: string, written: string, times: readonly QuestionTime[], today: string): number {
  const view = { ahead: true };
  // What is over by now of this week is not asked for.
  const asked = times
    .map((time) => daysOfTime(time, dayNumber(today), view))
    .map((days) => ({ ...days, first: Math.max(days.first ?? 0, dayNumber(today)) }));
  const told = toldDays(text, written, view);
  const fits = (days: Partial<Days>) => asked.map((each) => overlap(days, each));
  if (told.length > 0) return Math.max(...told.flatMap(fits));
  const said = dayNumber(written);
  return fits({ first: said, last: said }).includes(1) ? IN_PART : 0;
}

/** How well they fit days that are over: "yesterday we moved", said on the 16th, is of the 15th. 1 for days within them, `IN_PART`, or 0. Pure. */
export function pastFit(text: string, written: string, times: readonly QuestionTime[], today: string): number {
  const asked = times.map((time) => daysOfTime(time, dayNumber(today)));
  const told = toldDays(text, written, {});
  return Math.max(0, ...told.flatMap((days) => asked.map((each) => overlap(days, each))));
}

function toldDays(text: string, written: string, view: View): Partial<Days>[] {
  const days = readTimes(text, true).map((time) => daysOfTime(time, dayNumber(written), view));
  return days.filter(({ first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY }) => last - first < LONGEST);
}

function overlap(told: Partial<Days>, asked: Partial<Days>): number {
  const { first = Number.NEGATIVE_INFINITY, last = Number.POSITIVE_INFINITY } = told;
  const { first: from = Number.NEGATIVE_INFINITY, last: until = Number.POSITIVE_INFINITY } = asked;
  if (last < from || first > until) return ELSEWHEN;
  return first >= from && last <= until ? 1 : IN_PART;
}
