import type { Candidate, ChannelScore } from '../domain/candidate.ts';
import type { GraphStore } from '../ports/graph-store.ts';

/** The best turns whose neighbours are looked at, and how far before and after them. */
const BEST = 5;
const REACH = 4;

/**
 * Adds the turns around the best: an answer ("Oh, that was in Lindby!") may share neither a word nor its meaning with the question, and only
 * stand beside what does.
 * @param flat hits of the channels, best first
 * @param candidates to add to
 * @returns the candidates, those around the best with a channel `neighbour`, then the turns that were none, with score 0
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
  const around = new Map<string, ChannelScore>();
  for (const { id, score } of best) {
    for (const episode of sides.flatMap((side) => side.get(id) ?? [])) {
      if (!around.has(episode.id)) around.set(episode.id, { channel: 'neighbour', rank: around.size + 1, score });
    }
  }
  const found = candidates.map((candidate) => {
    const channel = around.get(candidate.id);
    around.delete(candidate.id);
    return channel === undefined ? candidate : { ...candidate, channels: [...candidate.channels, channel] };
  });
  return [...found, ...[...around].map(([id, channel]): Candidate => ({ kind: 'episode', id, score: 0, channels: [channel], path: [] }))];
}
