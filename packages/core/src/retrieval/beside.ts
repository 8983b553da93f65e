import type { Candidate, ChannelScore } from '../domain/candidate.ts';
import type { Episode } from '../domain/episode.ts';
import type { GraphStore } from '../ports/graph-store.ts';

/** The best turns whose neighbours are looked at, and how far before and after them. */
const BEST = 5;
const REACH = 4;

/** A turn that stands beside a hit; the score of its channel is that of the hit. */
export interface TurnBeside {
  readonly episode: Episode;
  readonly channel: ChannelScore;
}

/**
 * The turns around the best: an answer ("Oh, that was in Lindby!") may share neither a word nor its meaning with the question, and only stand
 * beside what does.
 * @param flat hits of the channels, best first
 * @returns by episode id, those of the best first
 */
export async function turnsAround(
  userId: string,
  flat: readonly Candidate[],
  { graph }: { readonly graph: GraphStore },
): Promise<ReadonlyMap<string, TurnBeside>> {
  const best = flat.filter((hit) => hit.kind === 'episode').slice(0, BEST);
  const around = new Map<string, TurnBeside>();
  if (best.length === 0) return around;
  const ids = best.map((hit) => hit.id);
  const sides = await Promise.all([graph.neighbours(userId, ids, REACH), graph.neighbours(userId, ids, -REACH)]);
  for (const { id, score } of best) {
    for (const episode of sides.flatMap((side) => side.get(id) ?? [])) {
      if (!around.has(episode.id)) around.set(episode.id, { episode, channel: { channel: 'neighbour', rank: around.size + 1, score } });
    }
  }
  return around;
}

/** The candidates, each of the turns with its channel, those that were none at the end with score 0. Pure. */
export function withTurns(candidates: readonly Candidate[], turns: ReadonlyMap<string, TurnBeside>): Candidate[] {
  const known = new Set(candidates.map((candidate) => candidate.id));
  return [
    ...candidates.map((candidate) => {
      const turn = turns.get(candidate.id);
      return turn === undefined ? candidate : { ...candidate, channels: [...candidate.channels, turn.channel] };
    }),
    ...[...turns].flatMap(([id, { channel }]): Candidate[] =>
      known.has(id) ? [] : [{ kind: 'episode', id, score: 0, channels: [channel], path: [] }],
    ),
  ];
}
