import { type Fact, startOf } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import { readPredicate } from '../domain/predicate.ts';

/** A fact of the rules, and what it says once one knows what was left. */
export interface ReadMove {
  readonly written: Fact;
  readonly read: Fact;
}

/** What one moves out of without its having been told before. */
const DWELLING = /(?:^|\s)(?:house|home|flat|apartment|room|place|village|town|city|country|countryside|suburbs?|island|coast)$/i;

/**
 * "I moved from X to Y" says nothing of what X and Y are. What the one who moves had with X tells it: a home there, a job, something in use. Of an
 * X that nobody has heard of, beside a home that is known, it tells nothing: then nothing ends.
 * @param related what is known of the same subjects
 * @param isPlace whether an entity was known as a place before, and its name
 */
export function readMoves(
  facts: readonly Fact[],
  related: readonly Fact[],
  entity: (id: string | undefined) => { readonly name: string; readonly isKnownPlace: boolean },
): ReadMove[] {
  return facts.flatMap((to) => {
    if (to.origin !== 'rules' || to.slot !== 'place') return [];
    const from = facts.find((fact) => isOriginOf(fact, to));
    if (from === undefined) return [];
    const known = related.filter(({ subjectId, objectId }) => subjectId === from.subjectId && objectId === from.objectId).map(readingOf);
    if (known.some(({ holds, slot }) => holds === 'holds' && slot === 'place')) return [];
    const left = known.find(({ holds, slot, family }) => holds === 'holds' && (slot === 'employer' || family === 'use'));
    if (left !== undefined) {
      const [leave, start] = left.slot === 'employer' ? (['leave', 'start at'] as const) : (['switch from', 'switch to'] as const);
      const slot = left.slot === 'employer' ? left.slot : undefined;
      return [
        { written: from, read: reworded(from, leave, undefined) },
        { written: to, read: reworded(to, start, slot) },
      ];
    }
    const origin = entity(from.objectId);
    if (origin.isKnownPlace || DWELLING.test(origin.name)) return [];
    const wouldEnd = related.some(
      (fact) => fact.subjectId === to.subjectId && fact.slot === 'place' && fact.invalidAt === undefined && startOf(fact) <= startOf(to),
    );
    return wouldEnd ? [{ written: to, read: withSlot(to, undefined) }] : [];
  });
}

/** Of the same sentence. */
function isOriginOf(from: Fact, to: Fact): boolean {
  const { family, holds } = readingOf(from);
  return family === 'live in' && holds === 'ended' && from.subjectId === to.subjectId && from.text === to.text && startOf(from) === startOf(to);
}

function readingOf({ predicate = '', slot }: Fact): { readonly family: string; readonly holds: string; readonly slot: string | undefined } {
  return { ...readPredicate(predicate, ''), slot };
}

function reworded(fact: Fact, predicate: string, slot: string | undefined): Fact {
  return { ...withSlot(fact, slot), predicate, id: relationId(fact.userId, fact.subjectId, predicate, fact.objectId) };
}

function withSlot({ slot: _, ...fact }: Fact, slot: string | undefined): Fact {
  return { ...fact, ...(slot === undefined ? {} : { slot }) };
}

export function relationId(userId: string, subjectId: string | undefined, predicate: string, objectId: string | undefined): string {
  return deriveId(userId, 'relation', subjectId, normalForm(predicate), objectId);
}
