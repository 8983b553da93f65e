import type { Episode, EpisodeState } from '../domain/episode.ts';
import { eachPage } from '../lifecycle/forget.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { IncomingEpisode } from './read-input.ts';

/** The user's turns in one of the states, thread by thread, in the order in which they were said. */
export async function turnsToRead(userId: string, states: readonly EpisodeState[], graph: GraphStore): Promise<Episode[]> {
  const turns: Episode[] = [];
  for (const state of states) {
    await eachPage(
      (page) => graph.findEpisodes({ userId, state }, page),
      (episode: Episode) => void turns.push(episode),
    );
  }
  return turns.sort((a, b) => compare(a.threadId ?? '', b.threadId ?? '') || a.position - b.position || compare(a.at, b.at) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A saved turn as one to be read. */
export function asIncoming(episode: Episode): IncomingEpisode {
  return { episode, relations: undefined };
}

export function batch<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}

/** Turns that the model reads together; none reach over the end of a thread. */
export function batchThreads(items: readonly IncomingEpisode[], size: number): IncomingEpisode[][] {
  return [...Map.groupBy(items, ({ episode }) => episode.threadId).values()].flatMap((own) => batch(own, size));
}
