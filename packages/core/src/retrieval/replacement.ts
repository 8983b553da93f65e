import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { analyseText } from '../domain/text-analysis.ts';
import { byScore, withPart } from './fuse.ts';

/** Question words that stop words swallow or that share no stem with the wording of a statement. */
const CUES: Readonly<Record<string, RegExp>> = {
  place: /\b(?:where|live|lives|living|home|city|town|country|address|moved?|reside|based|located|location)\b/i,
  employer: /\b(?:work|works|working|job|employer|employed|company|office)\b/i,
  job: /\b(?:work|works|job|role|position|profession|occupation|living)\b/i,
  spouse: /\b(?:married|wife|husband|spouse|partner)\b/i,
  due: /\b(?:when|due|deadline)\b/i,
};
const SMALLEST_STEP = 1e-6;
const MAX_CHAIN = 32;

/**
 * Of what ended the replacements that count for a question: what ended in part only (a turn with several statements) does where the question is
 * about the part that ended. Pure.
 * @param replacedBy id of a record to the id of the one that took its place
 */
export function replacementsFor(query: Query, items: readonly Recollection[], replacedBy: ReadonlyMap<string, string>): Map<string, string> {
  const known = new Set(items.map((item) => item.id));
  return new Map(
    items.flatMap((item) => {
      const by = replacedBy.get(item.id);
      return by !== undefined && by !== item.id && known.has(by) && concerns(item, query) ? [[item.id, by] as const] : [];
    }),
  );
}

/** Lets no memory that ended come before the one that took its place: that one is lifted to just above it. Pure; best first. */
export function liftReplacements(items: readonly Recollection[], replacements: ReadonlyMap<string, string>): Recollection[] {
  const scores = new Map(items.map((item) => [item.id, item.score]));
  const pairs = [...replacements].filter(([old, by]) => scores.has(old) && scores.has(by));
  // Each pass lifts one more step of a chain: Lindby, Corran, Bergen.
  for (let pass = 0, changed = pairs.length > 0; changed && pass < MAX_CHAIN; pass++) {
    changed = false;
    for (const [old, by] of pairs) {
      const floor = (scores.get(old) ?? 0) + SMALLEST_STEP;
      if ((scores.get(by) ?? 0) >= floor) continue;
      scores.set(by, floor);
      changed = true;
    }
  }
  const lifted = items.map((item) => {
    const by = (scores.get(item.id) ?? item.score) - item.score;
    return by > 0 ? withPart(item, 'replacement', by) : item;
  });
  return lifted.sort(byScore);
}

function concerns(item: Recollection, query: Query): boolean {
  if (item.kind === 'fact' || item.episode.outdated === undefined || !item.episode.outdated.inPart) return true;
  const { about } = item.episode.outdated;
  const words = new Set(analyseText(about));
  return (
    query.terms.some(({ term }) => words.has(term)) ||
    Object.entries(CUES).some(([slot, cue]) => words.has(analyseText(slot)[0] ?? '') && cue.test(query.text))
  );
}
