import type { Recollection } from '../domain/recollection.ts';
import type { GraphStore } from '../ports/graph-store.ts';

/** Gives facts the time and zone of the turn that told them, in which people see their days; a fact itself keeps moments only. */
export async function withZones(userId: string, items: readonly Recollection[], graph: GraphStore): Promise<readonly Recollection[]> {
  const turnOf = (item: Recollection) => (item.kind === 'fact' ? item.fact.evidence[0] : undefined);
  const turns = new Map(items.flatMap((item) => (item.kind === 'episode' ? [[item.id, item.episode] as const] : [])));
  const wanted = [...new Set(items.flatMap((item) => turnOf(item) ?? []))].filter((id) => !turns.has(id));
  if (wanted.length > 0) for (const episode of await graph.getEpisodes(userId, wanted)) turns.set(episode.id, episode);
  return items.map((item) => {
    const turn = turns.get(turnOf(item) ?? '');
    if (item.kind !== 'fact' || turn === undefined) return item;
    return { ...item, told: { at: turn.at, utcOffsetMinutes: turn.utcOffsetMinutes } };
  });
}
