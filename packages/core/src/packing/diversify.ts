import type { Folded } from './folded.ts';
import { overlap, stemsOf } from './near-duplicate.ts';
import { textOf } from './render-item.ts';

/** Entries that are reordered; those below keep their place. The cost is the square of it. */
const REORDERED = 100;

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): each next entry is the one with the most
 * `(1 - diversity) * score - diversity * likeness to the entries before it`. Score: share of the best; likeness: share of common words. Pure.
 * What ended waits for what took its place.
 * @param diversity 0 (order of the scores) to 1 (as unlike as can be)
 * @param replacements ids of what ended, each with the id of what took its place
 */
export function diversify(
  ranked: readonly Folded[],
  diversity: number,
  replacements: readonly (readonly [ended: string, by: string])[] = [],
): readonly Folded[] {
  const best = ranked[0]?.item.score ?? 0;
  if (diversity === 0 || best <= 0) return ranked;
  const waiting = ranked.slice(0, REORDERED).map((entry) => ({ entry, words: new Set(stemsOf(textOf(entry.item))), likeness: 0 }));
  const order: Folded[] = [];
  while (waiting.length > 0) {
    const value = ({ entry, likeness }: (typeof waiting)[number]) => (1 - diversity) * (entry.item.score / best) - diversity * likeness;
    const ids = new Set(waiting.map(({ entry }) => entry.item.id));
    const held = new Set(replacements.flatMap(([ended, by]) => (ids.has(by) ? [ended] : [])));
    const free = waiting.filter(({ entry }) => !held.has(entry.item.id));
    // All of them wait where two took the place of each other.
    const [first, ...others] = free.length > 0 ? free : waiting;
    if (first === undefined) break;
    const chosen = others.reduce((best, candidate) => (value(candidate) > value(best) ? candidate : best), first);
    waiting.splice(waiting.indexOf(chosen), 1);
    order.push(chosen.entry);
    for (const candidate of waiting) candidate.likeness = Math.max(candidate.likeness, overlap(candidate.words, chosen.words));
  }
  return [...order, ...ranked.slice(REORDERED)];
}
