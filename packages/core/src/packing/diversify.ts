import type { Folded } from './folded.ts';
import { overlap, wordingOf } from './near-duplicate.ts';
import { textOf } from './render-item.ts';

/** Entries that are reordered; those below keep their place. The cost is the square of it. */
const REORDERED = 100;

/**
 * Maximal marginal relevance (Carbonell and Goldstein, 1998): each next entry is the one with the most
 * `(1 - diversity) * score - diversity * likeness to the entries before it`. Score: share of the best; likeness: share of common words. Pure.
 * @param diversity 0 (order of the scores) to 1 (as unlike as can be)
 */
export function diversify(ranked: readonly Folded[], diversity: number): readonly Folded[] {
  const best = ranked[0]?.item.score ?? 0;
  if (diversity === 0 || best <= 0) return ranked;
  const waiting = ranked.slice(0, REORDERED).map((entry) => ({ entry, words: new Set(wordingOf(textOf(entry.item)).words), likeness: 0 }));
  const order: Folded[] = [];
  while (waiting.length > 0) {
    const value = ({ entry, likeness }: (typeof waiting)[number]) => (1 - diversity) * (entry.item.score / best) - diversity * likeness;
    let next = 0;
    for (const [index, candidate] of waiting.entries()) {
      const leader = waiting[next];
      if (leader !== undefined && value(candidate) > value(leader)) next = index;
    }
    const [chosen] = waiting.splice(next, 1);
    if (chosen === undefined) break;
    order.push(chosen.entry);
    for (const candidate of waiting) candidate.likeness = Math.max(candidate.likeness, overlap(candidate.words, chosen.words));
  }
  return [...order, ...ranked.slice(REORDERED)];
}
