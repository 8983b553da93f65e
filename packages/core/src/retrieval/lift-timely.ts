import { normalForm } from '../domain/normal-form.ts';
import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { localMinute } from '../domain/time.ts';
import { areOver } from './calendar-days.ts';
import { byScore, withPart } from './fuse.ts';
import { timeMatch } from './time-match.ts';
import { pastFit, plannedFit, readTold, type Told } from './told-days.ts';

/** Of the best score, for what tells of the day to which a question looks ahead, where it asks for more than the day. */
const PLANNED = 0.5;

/**
 * Where a question asks for nothing but a time, all that was said then goes before all else: its words need not say anything of it. Of a day
 * without a year that is the last such day, where anything was said on it, else that of another year. The same for "What did Ana say?", which asks
 * for nothing but who speaks. Pure.
 * @param scored best first
 */
export function liftTimely(scored: readonly Recollection[], query: Query, now: Date): Recollection[] {
  const { times, subjects, terms, onlyTime, looksAhead } = query;
  const onlySpeaker = times.length === 0 && terms.length === 0 && subjects.length > 0;
  if (!onlyTime && !looksAhead && !onlySpeaker) return [...scored];
  const names = new Set(subjects.map(normalForm));
  const fitting = scored.map((item) => ({ item, fit: onlySpeaker ? 1 : timeFit(item, query, now, false) })).filter(({ fit }) => fit > 0);
  const theirs = fitting.filter(({ item }) => item.kind === 'episode' && names.has(normalForm(item.episode.speaker ?? '')));
  // Of all that was said then, that of who is asked about.
  const asked = theirs.length > 0 ? theirs : onlySpeaker ? [] : fitting;
  const best = Math.max(0, ...asked.map(({ fit }) => fit));
  if (best < 1 && !onlyTime) return [...scored];
  const lifted = new Set(asked.filter(({ fit }) => fit === best).map(({ item }) => item.id));
  const top = (looksAhead && !onlyTime ? PLANNED : 1) * (scored[0]?.score ?? 0);
  return scored.map((item) => (lifted.has(item.id) ? withPart(item, 'then', top) : item)).sort(byScore);
}

/**
 * How well the time of a record, or the days of which it tells, fit those that the question names; where it looks ahead the latter alone. What is
 * "yesterday" goes by the zone in which a turn was said: its author is who asks, as a rule.
 */
export function timeFit(item: Recollection, { times, looksAhead }: Query, now: Date, soonAfter = true): number {
  if (times.length === 0) return 0;
  const { at, utcOffsetMinutes } = item.kind === 'episode' ? item.episode : { at: item.fact.validAt, utcOffsetMinutes: 0 };
  if (at === undefined) return 0;
  const dayOf = (moment: string) => localMinute({ at: moment, utcOffsetMinutes }).slice(0, 10);
  const today = dayOf(now.toISOString());
  const told = toldBy(item);
  if (looksAhead && !areOver(times, today)) return plannedFit(told, dayOf(at), times, today);
  return Math.max(timeMatch(times, dayOf(at), today, soonAfter), pastFit(told, dayOf(at), times, today));
}

/** By record: several stages of one question ask. */
const known = new WeakMap<object, Told>();

function toldBy(item: Recollection): Told {
  const [record, text] = item.kind === 'episode' ? [item.episode, item.episode.content] : [item.fact, item.fact.text];
  const told = known.get(record) ?? readTold(text);
  known.set(record, told);
  return told;
}
