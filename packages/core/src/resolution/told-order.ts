import type { Episode, NewEpisode } from '../domain/episode.ts';

interface Turn {
  readonly episode: NewEpisode;
  readonly isNew: boolean;
}

/**
 * By id the places of turns in the order in which they were told: by their day, then by the call that stored them, then by their place in it.
 * Passages of one document are told at once: where in it they stand says nothing of what came first. Pure.
 * @param fresh the turns that are read, in the order of their thread; as saved, where they are among the known ones
 */
export function toldOrder(known: readonly Episode[], fresh: readonly NewEpisode[]): Map<string, number> {
  const saved = new Map(known.map((episode) => [episode.id, episode]));
  const own = new Set(fresh.map(({ id }) => id));
  const turns: Turn[] = [
    ...known.filter(({ id }) => !own.has(id)).map((episode) => ({ episode, isNew: false })),
    ...fresh.map((episode) => ({ episode: saved.get(episode.id) ?? episode, isNew: true })),
  ];
  const places = new Map<string, number>();
  let before: NewEpisode | undefined;
  let place = 0;
  for (const { episode } of turns.sort(compareTurns)) {
    if (before !== undefined && !areToldAtOnce(before, episode)) place++;
    places.set(episode.id, place);
    before = episode;
  }
  return places;
}

function compareTurns(a: Turn, b: Turn): number {
  const [one, other] = [a.episode, b.episode];
  const byTime = compare(one.at, other.at) || compare(one.createdAt, other.createdAt);
  if (byTime !== 0) return byTime;
  if (one.threadId !== undefined && one.threadId === other.threadId && one.position !== undefined && other.position !== undefined)
    return one.position - other.position;
  return Number(a.isNew) - Number(b.isNew);
}

function areToldAtOnce(one: NewEpisode, other: NewEpisode): boolean {
  return (
    one.kind === 'chunk' && other.kind === 'chunk' && one.sourceId === other.sourceId && one.at === other.at && one.createdAt === other.createdAt
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
