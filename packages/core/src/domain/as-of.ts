import { type Fact, startOf } from './fact.ts';
import type { Timestamp } from './time.ts';

/** The moment that is asked about. Absent: now. */
export interface AsOf {
  readonly world?: Timestamp | undefined;
  readonly record?: Timestamp | undefined;
}

/** The fact as it held and was known at the moment asked about: an end that came later, or was learned later, is not told. None where it did not hold, was not known, or never held. */
export function factAsOf(fact: Fact, asOf: AsOf): Fact[] {
  if (asOf.world === undefined && asOf.record === undefined) {
    // An end that is its beginning: it never held.
    return fact.expiredAt !== undefined && fact.invalidAt !== undefined && fact.invalidAt <= startOf(fact) ? [] : [fact];
  }
  if (asOf.record !== undefined && fact.createdAt > asOf.record) return [];
  const learnedLater = asOf.record !== undefined && fact.expiredAt !== undefined && fact.expiredAt > asOf.record;
  const then = learnedLater ? withoutEnd(fact) : fact;
  if (asOf.world === undefined) return [then];
  if (startOf(then) > asOf.world || (then.invalidAt !== undefined && then.invalidAt <= asOf.world)) return [];
  return [then.expiredAt === undefined ? then : withoutEnd(then)];
}

function withoutEnd(fact: Fact): Fact {
  const { invalidAt: _, expiredAt: __, ...open } = fact;
  return open;
}
