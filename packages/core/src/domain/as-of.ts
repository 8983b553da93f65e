import { type Fact, startOf } from './fact.ts';
import type { Timestamp } from './time.ts';

/** The moment that is asked about. Absent: now. */
export interface AsOf {
  readonly world?: Timestamp | undefined;
  readonly record?: Timestamp | undefined;
  /** Ends of a day to come do not count yet. Default: all ends count. */
  readonly now?: Timestamp;
}

/** The fact as it held and was known at the moment asked about: an end that came later, or was learned later, is not told. None where it did not hold, was not known, or never held. */
export function factAsOf(fact: Fact, asOf: AsOf): Fact[] {
  if (asOf.world === undefined && asOf.record === undefined) {
    // An end that is its beginning: it never held.
    if (fact.expiredAt !== undefined && fact.invalidAt !== undefined && fact.invalidAt <= startOf(fact)) return [];
    return [endsAhead(fact, asOf.now) ? withoutEnd(fact) : fact];
  }
  if (asOf.record !== undefined && fact.createdAt > asOf.record) return [];
  const learnedLater = asOf.record !== undefined && fact.expiredAt !== undefined && fact.expiredAt > asOf.record;
  const then = learnedLater ? withoutEnd(fact) : fact;
  if (asOf.world === undefined) return [endsAhead(then, asOf.now) ? withoutEnd(then) : then];
  if (startOf(then) > asOf.world || (then.invalidAt !== undefined && then.invalidAt <= asOf.world)) return [];
  return [then.expiredAt === undefined ? then : withoutEnd(then)];
}

/** Whether something that is known takes its place on a day to come. */
export function endsAhead({ invalidAt, expiredAt }: Fact, now: Timestamp | undefined): boolean {
  return now !== undefined && expiredAt !== undefined && invalidAt !== undefined && invalidAt > now;
}

/** Whether it holds no more, or never held. */
export function isOver(fact: Fact, now: Timestamp): boolean {
  return fact.invalidAt !== undefined && (fact.invalidAt <= now || fact.invalidAt <= startOf(fact));
}

function withoutEnd(fact: Fact): Fact {
  const { invalidAt: _, expiredAt: __, ...open } = fact;
  return open;
}
