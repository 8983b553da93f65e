import type { Episode } from '../domain/episode.ts';
import type { IndexFilter } from '../domain/index-record.ts';
import { eachPage } from '../lifecycle/forget.ts';
import type { EpisodeFilter, GraphStore } from '../ports/graph-store.ts';

/** Narrows a search to the turns with the metadata, by their ids: no index holds metadata. Undefined or empty metadata narrow nothing. */
export async function turnsWithMetadata(filter: EpisodeFilter, graph: GraphStore): Promise<Pick<IndexFilter, 'ids'>> {
  if (Object.keys(filter.metadata ?? {}).length === 0) return {};
  const ids: string[] = [];
  await eachPage(
    (page) => graph.findEpisodes(filter, page),
    ({ id }: Episode) => void ids.push(id),
  );
  return { ids };
}
