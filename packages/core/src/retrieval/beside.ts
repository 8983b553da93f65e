import type { Candidate } from '../domain/candidate.ts';
import type { GraphStore } from '../ports/graph-store.ts';

/** The best turns whose neighbours are looked at, and how far before and after them. */
const BEST = 5;
const REACH = 4;

/**
 * Adds the turns around the best: an answer ("Oh, that was in Lindby!") may share neither a word nor its meaning with the question, and only
 * stand beside what does.
 * @param flat hits of the channels, best first
 * @param candidates to add to
 * @returns the candidates, then the turns that were none, with score 0, those of the best first
 */
export async function withNeighbours(
  userId: string,
  flat: readonly Candidate[],
  candidates: readonly Candidate[],
  { graph }: { readonly graph: GraphStore },
): Promise<Candidate[]> {
  const best = flat.filter((hit) => hit.kind === 'episode').slice(0, BEST);
  const ids = best.map((hit) => hit.id);
  const sides = await Promise.all([graph.neighbours(userId, ids, REACH), graph.neighbours(userId, ids, -REACH)]);
  const known = new Set(candidates.map((candidate) => candidate.id));
  const added: Candidate[] = [];
  for (const { id, score } of best) {
    for (const episode of sides.flatMap((side) => side.get(id) ?? [])) {
      if (known.has(episode.id)) continue;
      known.add(episode.id);
      added.push({ kind: 'episode', id: episode.id, score: 0, channels: [{ channel: 'neighbour', rank: added.length + 1, score }], path: [] });
    }
  }
  return [...candidates, ...added];
}
