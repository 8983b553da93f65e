import type { Decision, FactClosure } from '../domain/change-set.ts';
import { dayOf, type Fact, startOf } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import { endsWhat, type PredicateReading, readPredicate } from '../domain/predicate.ts';
import type { Resolution } from '../domain/resolution.ts';
import type { Timestamp } from '../domain/time.ts';
import type { Update } from '../domain/update-log.ts';
import { tellsOfPeriod, tellsSince } from './told-since.ts';

export interface Decided {
  readonly facts: readonly Fact[];
  readonly closures: readonly FactClosure[];
  readonly updates: readonly Update[];
  readonly decisions: readonly Decision[];
  /** Facts that this change set ends, each with the one that ended it. */
  readonly ended: readonly { readonly fact: Fact; readonly by: Fact; readonly since: Timestamp }[];
}

/**
 * Decides for each new fact whether it is added, joins a known one, or ends others. World time decides, never the order of arrival: a fact
 * that is told later but was true earlier takes its place in the past. Pure.
 * - One value at a time (`slot`): a later value ends the earlier one; an earlier value ends where the next known one begins.
 * - "no longer", "not", "sold", "left": ends what held between the same two. Lists (languages, hobbies) never end each other.
 * - What a turn names as over ("moved from Lindby to Corran last week") is over, also where it was last said after that day.
 * - What ended and is told again is a new version of the fact, with its own times.
 * - Of what holds since the same moment the turn that was told last decides; what one turn says of several values stays.
 * - What the assistant says ends nothing that the user said.
 */
export function decide(resolution: Resolution, now: Timestamp): Decided {
  return new Decider(resolution, now).decide();
}

interface Held {
  readonly fact: Fact;
  readonly reading: PredicateReading | undefined;
  readonly isNew: boolean;
  invalidAt: Timestamp | undefined;
}

/** A change is told of within a year; what a model says that a home of years ago replaces is none. */
const TOLD_LATE_MS = 366 * 86_400_000;
/** Any name: what a predicate says of names. */
const SOMETHING = 'Acme';

class Decider {
  readonly #resolution: Resolution;
  readonly #now: Timestamp;
  readonly #held = new Map<string, Held>();
  readonly #written = new Map<string, Fact>();
  readonly #closures = new Map<string, FactClosure>();
  readonly #updates = new Map<string, Update>();
  readonly #decisions: Decision[] = [];
  readonly #ended = new Map<string, Decided['ended'][number]>();
  /** Ids of held facts that a new turn names as over though they were said after the day it tells of. */
  readonly #over = new Set<string>();

  constructor(resolution: Resolution, now: Timestamp) {
    this.#resolution = resolution;
    this.#now = now;
    const replaced = [...resolution.replaces.values()].flat();
    for (const fact of [...resolution.known.values(), ...resolution.related, ...replaced]) this.#hold(fact, false);
  }

  decide(): Decided {
    const ordered = this.#resolution.facts
      .map((fact, index) => ({ fact, index }))
      .sort((a, b) => compare(dayOf(a.fact), dayOf(b.fact)) || (this.#toldAfter(a.fact, b.fact) ?? 0) || a.index - b.index);
    for (const { fact } of ordered) for (const id of this.#namedAsOver(fact)) this.#over.add(id);
    for (const { fact } of ordered) this.#take(fact);
    return {
      facts: [...this.#written.values()],
      closures: [...this.#closures.values()],
      updates: [...this.#updates.values()],
      decisions: this.#decisions,
      ended: [...this.#ended.values()],
    };
  }

  #take(base: Fact): void {
    const reading = this.#read(base);
    const known = this.#versionOf(base, reading);
    if (known !== undefined) {
      this.#write({ ...base, id: known.fact.id });
      this.#decisions.push({ action: 'merge', factId: known.fact.id, reason: 'stated again: the evidence is added to the known fact' });
    }
    const held = known ?? this.#add(base);
    const fact: Fact = { ...base, id: held.fact.id };
    if (known !== undefined) this.#endAsTold(known, fact);
    const corrects = this.#resolution.corrections.has(base.id);
    // Of a stretch that is over when it is told nobody can say what followed it.
    const isPast = base.invalidAt !== undefined && base.invalidAt <= this.#now;
    if (!isPast) this.#fillSlot(fact, reading, held, corrects);
    this.#oppose(fact, reading, held);
    for (const target of this.#resolution.replaces.get(base.id) ?? []) {
      const other = this.#held.get(target.id);
      if (other === undefined || other.fact.id === fact.id) continue;
      const start = startOf(other.fact);
      if (corrects || this.#over.has(target.id)) this.#end(other, fact, start, 'replaced by a later statement');
      else if (start <= dayOf(fact)) this.#end(other, fact, dayOf(fact), 'replaced by a later statement');
      // The two exclude each other, but it is told late: the other began after it.
      else if (!isPast) this.#end(held, other.fact, start, 'what it replaces was known to hold later');
    }
  }

  /** What is known is told again, now with its end: unless a turn that was said later still states it after that day. */
  #endAsTold(known: Held, fact: Fact): void {
    const end = fact.invalidAt;
    if (end === undefined) return;
    const told = fact.evidence.map((id) => this.#resolution.saidAt.get(id) ?? fact.createdAt).sort(compare)[0] ?? fact.createdAt;
    const holdsStill = this.#evidenceOf(known.fact).some(([id, at]) => at > end && at > told && !fact.evidence.includes(id));
    if (!holdsStill) this.#end(known, fact, end, 'told again with its end');
  }

  /**
   * A statement without a date of its own holds when it is said: a turn that comes later and names it as over knows better, and so does one that
   * tells since when another value has held ("I have lived in Corran since 2019").
   */
  #namedAsOver(base: Fact): string[] {
    const at = dayOf(base);
    const replaced = new Set((this.#resolution.replaces.get(base.id) ?? []).map((fact) => fact.id));
    const isOfPeriod = tellsOfPeriod(base.text);
    const reading = isOfPeriod || this.#isMove(base) ? this.#read(base) : undefined;
    const isReplaced = ({ fact }: Held) => replaced.has(fact.id) && Date.parse(startOf(fact)) - Date.parse(at) <= TOLD_LATE_MS;
    const holdsSince =
      base.slot !== undefined && base.invalidAt === undefined && (isOfPeriod || tellsSince(base.text)) ? this.#read(base) : undefined;
    const takesPlace = holdsSince !== undefined && (isOfPeriod || holdsSince.holds === 'holds');
    const takesPlaceOf = (held: Held) => takesPlace && held.fact.slot === base.slot && this.#excludes(held, base, holdsSince);
    const isOpposite = ({ fact, reading: other }: Held) =>
      fact.subjectId === base.subjectId && fact.objectId === base.objectId && opposite(other, reading);
    const isNamed = (held: Held) => isReplaced(held) || takesPlaceOf(held) || isOpposite(held);
    const named = [...this.#held.values()].filter((held) => held.invalidAt === undefined && startOf(held.fact) > at && isNamed(held));
    if (named.length === 0) return [];
    const told = this.#evidenceOf(base).map(([, time]) => time);
    const latest = told.sort(compare).at(-1);
    if (latest === undefined) return [];
    const isTold = ({ fact }: Held) => {
      const said = this.#evidenceOf(fact).map(([, time]) => time);
      return said.length === fact.evidence.length && said.includes(startOf(fact)) && said.every((time) => time <= latest);
    };
    return named.filter(isTold).map(({ fact }) => fact.id);
  }

  /** "Moved from X to Y": the end of one value comes with the next. Of an end alone nobody knows whether it came back since. */
  #isMove(end: Fact): boolean {
    return this.#resolution.facts.some(
      (fact) =>
        fact.slot !== undefined &&
        fact.subjectId === end.subjectId &&
        startOf(fact) === dayOf(end) &&
        fact.evidence.some((id) => end.evidence.includes(id)),
    );
  }

  #add(base: Fact): Held {
    let id = base.id;
    for (let version = 1; this.#held.has(id); version++) id = versionId(base.id, version);
    const fact = id === base.id ? base : { ...base, id };
    this.#write(fact);
    this.#decisions.push({ action: 'add', factId: id, reason: id === base.id ? 'not known before' : 'holds again after it had ended' });
    return this.#hold(fact, true);
  }

  /** The known fact that says the same of the same stretch of time. */
  #versionOf(base: Fact, reading: PredicateReading | undefined): Held | undefined {
    const at = startOf(base);
    const same = this.#sayingTheSame(base).sort((a, b) => compare(startOf(a.fact), startOf(b.fact)));
    const end = dayOf(base);
    // Only its end was told: it is the stretch that held until then.
    if (end !== at) return same.find(({ fact, invalidAt }) => startOf(fact) < end && (invalidAt === undefined || invalidAt >= end));
    const covering = same.find(
      (held) =>
        startOf(held.fact) <= at &&
        (held.invalidAt === undefined ||
          held.invalidAt > at ||
          (startOf(held.fact) === at && this.#resolution.retold !== true && (this.#toldAfter(base, held.fact) ?? 0) <= 0)),
    );
    if (covering !== undefined) return covering;
    // Told of a time before it was known to hold: it held then already, unless something else did in between.
    const isOver = (moment: Timestamp) => base.invalidAt !== undefined && base.invalidAt <= moment;
    const later = same.find(({ fact, invalidAt }) => startOf(fact) > at && invalidAt !== startOf(fact) && !isOver(startOf(fact)));
    if (later === undefined) return undefined;
    const isBetween = (time: Timestamp | undefined) => time !== undefined && time > at && time < startOf(later.fact);
    const between = [...this.#held.values()].some(
      (held) => this.#excludes(held, base, reading) && (isBetween(startOf(held.fact)) || isBetween(this.#saidAgainAfter(held, at))),
    );
    return between ? undefined : later;
  }

  #sayingTheSame(base: Fact): Held[] {
    if (base.subjectId !== undefined && base.objectId !== undefined) return [...this.#held.values()].filter((held) => this.#isSame(held, base));
    const versions: Held[] = [];
    for (let held = this.#held.get(base.id); held !== undefined; held = this.#held.get(versionId(base.id, versions.length))) versions.push(held);
    return versions;
  }

  #isSame({ fact }: Held, base: Fact): boolean {
    // One that was told of another name since has the id that this one would have.
    if (fact.subjectId !== base.subjectId || fact.objectId !== base.objectId) return false;
    if (fact.id === base.id) return true;
    if (base.slot !== undefined) return fact.slot === base.slot;
    return fact.predicate !== undefined && base.predicate !== undefined && normalForm(fact.predicate) === normalForm(base.predicate);
  }

  /** Whether the two can't both hold. */
  #excludes(held: Held, base: Fact, reading: PredicateReading | undefined): boolean {
    const { fact } = held;
    if (fact.subjectId === undefined || fact.subjectId !== base.subjectId) return false;
    if (base.slot !== undefined && fact.slot === base.slot) return fact.objectId !== base.objectId;
    return fact.objectId === base.objectId && opposite(held.reading, reading);
  }

  #fillSlot(fact: Fact, reading: PredicateReading | undefined, self: Held, corrects: boolean): void {
    if (fact.slot === undefined) return;
    const at = startOf(fact);
    const others = [...this.#held.values()].filter(
      (held) => held !== self && this.#excludes(held, fact, reading) && held.fact.slot === fact.slot && !this.#isTwin(held.fact, fact),
    );
    for (const other of this.#isOneOfSeveral(fact, reading) ? [] : others) {
      const start = startOf(other.fact);
      if (this.#over.has(other.fact.id)) this.#end(other, fact, start, `${fact.slot}: a later turn says that it is over`);
      if (start > at || (start === at && !this.#endsAtOnce(fact, other))) continue;
      const [again, until] = [corrects ? undefined : this.#saidAgainAfter(other, at), other.invalidAt];
      this.#end(
        other,
        fact,
        corrects && other.invalidAt === undefined ? start : at,
        corrects ? 'corrected' : `${fact.slot}: a later value took its place`,
      );
      // The older value was told again later still: it came back.
      if (again !== undefined && other.invalidAt === at) others.push(this.#resume(other.fact, again, until));
    }
    const next = others
      .filter((other) => this.#isLater(other.fact, fact) && other.invalidAt !== startOf(other.fact))
      .sort((a, b) => compare(startOf(a.fact), startOf(b.fact)))[0];
    if (next !== undefined && outranks(next.fact, fact))
      this.#end(self, next.fact, startOf(next.fact), `${fact.slot}: a later value was known already`);
  }

  /** "I quit my job", where several hold at the time: nobody knows which. */
  #isOneOfSeveral(fact: Fact, reading: PredicateReading | undefined): boolean {
    if (reading?.holds !== 'ended') return false;
    const at = startOf(fact);
    const isOne = ({ fact: other, reading: its, invalidAt }: Held) =>
      other.subjectId === fact.subjectId &&
      its?.holds === 'holds' &&
      startOf(other) <= at &&
      (invalidAt === undefined || invalidAt > at) &&
      (other.slot === fact.slot || readPredicate(other.predicate ?? '', SOMETHING).slot === fact.slot);
    return [...this.#held.values()].filter(isOne).length > 1;
  }

  /** The first time after a moment at which a turn states a fact that holds then. Facts with a date of their own tell nothing of the turn's. */
  #saidAgainAfter(held: Held, moment: Timestamp): Timestamp | undefined {
    const times = this.#evidenceOf(held.fact).map(([, at]) => at);
    if (!times.includes(startOf(held.fact))) return undefined;
    return times.filter((at) => at > moment && (held.invalidAt === undefined || at < held.invalidAt)).sort(compare)[0];
  }

  #evidenceOf(fact: Fact): (readonly [episodeId: string, at: Timestamp])[] {
    const evidence = new Set([...fact.evidence, ...(this.#written.get(fact.id)?.evidence ?? [])]);
    return [...evidence].flatMap((id) => {
      const at = this.#resolution.saidAt.get(id);
      return at === undefined ? [] : [[id, at] as const];
    });
  }

  #resume(fact: Fact, since: Timestamp, until: Timestamp | undefined): Held {
    const evidence = this.#evidenceOf(fact).flatMap(([id, at]) => (at >= since ? [id] : []));
    const { invalidAt: _, expiredAt: __, ...open } = fact;
    return this.#add({
      ...open,
      evidence,
      validAt: since,
      createdAt: this.#now,
      ...(until === undefined ? {} : { invalidAt: until, expiredAt: this.#now }),
    });
  }

  /** One turn that names two values means both: "I work at Acme and at Globex". */
  #isTwin(other: Fact, fact: Fact): boolean {
    return startOf(other) === startOf(fact) && fact.evidence.some((id) => other.evidence.includes(id));
  }

  /** Of two that hold since the same moment: above 0 where the first was told later, 0 where both were told at once, undefined where nobody knows. */
  #toldAfter(fact: Fact, other: Fact): number | undefined {
    const [own, its] = [this.#placeOf(fact), this.#placeOf(other)];
    return own === undefined || its === undefined ? undefined : own - its;
  }

  /** Of the last turn that states it; of a fact without a day of its own the last of the turn's own moment. */
  #placeOf(fact: Fact): number | undefined {
    const { saidAt, toldOrder } = this.#resolution;
    const evidence = [...new Set([...fact.evidence, ...(this.#written.get(fact.id)?.evidence ?? [])])];
    const ofMoment = evidence.filter((id) => saidAt.get(id) === startOf(fact));
    const places = (ofMoment.length === 0 ? evidence : ofMoment).flatMap((id) => toldOrder?.get(id) ?? []);
    return places.length === 0 ? undefined : Math.max(...places);
  }

  /** Whether a fact ends one that holds since the same moment: where the order is not known, what arrives ends what was there. */
  #endsAtOnce(fact: Fact, other: Held): boolean {
    const after = this.#toldAfter(fact, other.fact);
    return after === undefined ? !other.isNew : after > 0;
  }

  #isLater(fact: Fact, than: Fact): boolean {
    const [start, other] = [startOf(fact), startOf(than)];
    return start > other || (start === other && (this.#toldAfter(fact, than) ?? 0) > 0);
  }

  /** "No longer owns" against "owns", and the other way round. */
  #oppose(fact: Fact, reading: PredicateReading | undefined, self: Held): void {
    if (reading === undefined || fact.subjectId === undefined || fact.objectId === undefined) return;
    const at = dayOf(fact);
    for (const other of [...this.#held.values()]) {
      if (other === self || other.fact.subjectId !== fact.subjectId || other.fact.objectId !== fact.objectId || !opposite(other.reading, reading))
        continue;
      const start = startOf(other.fact);
      if (start < at || (start === at && this.#endsAtOnce(fact, other)) || this.#over.has(other.fact.id))
        this.#end(
          other,
          fact,
          this.#over.has(other.fact.id) ? start : at,
          reading.holds === 'holds' ? 'holds again' : reading.holds === 'denied' ? 'denied later' : 'said to hold no longer',
        );
      else if (this.#isLater(other.fact, fact) && outranks(other.fact, fact)) this.#end(self, other.fact, start, 'a later statement says otherwise');
    }
  }

  #end(held: Held, by: Fact, at: Timestamp, reason: string): void {
    const start = startOf(held.fact);
    if (!outranks(by, held.fact) || at < start) return;
    if (held.invalidAt !== undefined && held.invalidAt <= at) return;
    held.invalidAt = at;
    const { fact } = held;
    if (held.isNew) this.#written.set(fact.id, { ...(this.#written.get(fact.id) ?? fact), invalidAt: at, expiredAt: this.#now });
    else this.#closures.set(fact.id, { factId: fact.id, invalidAt: at, expiredAt: this.#now, reason });
    this.#decisions.push({ action: 'invalidate', factId: fact.id, reason });
    const episodeId = by.evidence[0];
    const id = deriveId(fact.userId, 'update', 'invalidate', fact.id, by.id, at);
    this.#updates.set(fact.id, {
      id,
      userId: fact.userId,
      action: 'invalidate',
      kind: 'fact',
      recordId: fact.id,
      relatedId: by.id,
      actor: by.origin,
      reason,
      ...(episodeId === undefined ? {} : { episodeId }),
      at: this.#now,
    });
    this.#ended.set(fact.id, { fact, by, since: outdatedSince({ ...fact, invalidAt: at }, this.#now) });
  }

  #hold(fact: Fact, isNew: boolean): Held {
    const held: Held = this.#held.get(fact.id) ?? { fact, reading: this.#read(fact), isNew, invalidAt: fact.invalidAt };
    this.#held.set(fact.id, held);
    return held;
  }

  #write(fact: Fact): void {
    const twin = this.#written.get(fact.id);
    this.#written.set(fact.id, twin === undefined ? fact : { ...twin, evidence: [...new Set([...twin.evidence, ...fact.evidence])] });
  }

  #read(fact: Fact): PredicateReading | undefined {
    // Only the slot depends on the object, and facts bring theirs.
    return fact.predicate === undefined ? undefined : readPredicate(fact.predicate, '');
  }
}

/** A plan that was set right never held: it is out of date from now on, not from the day to come. */
export function outdatedSince(fact: Fact & { readonly invalidAt: Timestamp }, now: Timestamp): Timestamp {
  return fact.invalidAt > now && fact.invalidAt <= startOf(fact) ? now : fact.invalidAt;
}

/** Id of a later stretch in which the same holds again. */
export function versionId(baseId: string, version: number): string {
  return deriveId(baseId, 'version', version);
}

function opposite(a: PredicateReading | undefined, b: PredicateReading | undefined): boolean {
  return a !== undefined && b !== undefined && (endsWhat(a, b) || endsWhat(b, a));
}

/** What somebody says of themselves counts more than what an assistant makes of it. */
function outranks(fact: Fact, other: Fact): boolean {
  return authority(fact) >= authority(other);
}

function authority(fact: Fact): number {
  if (fact.origin === 'caller') return 2;
  return fact.saidBy === 'user' ? 2 : 1;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
