import type { OutboxEntry } from '../domain/change-set.ts';
import type { Episode, NewEpisode } from '../domain/episode.ts';
import type { Timestamp } from '../domain/time.ts';
import { eachPage } from '../lifecycle/forget.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { endAnew } from './undo-ends.ts';

/** The document that a call stores, and the scope it belongs to. */
export type StoredDocument = Pick<NewEpisode, 'userId' | 'agentId' | 'sessionId'> & { readonly sourceId: string };

/**
 * Removes the chunks of a document that its new text no longer has, and with them the ends that they told. Without a trace: what vanished from a
 * document was not forgotten.
 */
export async function removeVanishedChunks(
  document: StoredDocument,
  kept: ReadonlySet<string>,
  now: Timestamp,
  graph: GraphStore,
): Promise<{ readonly removed: number; readonly outbox: readonly OutboxEntry[] }> {
  const { userId, agentId, sessionId, sourceId } = document;
  const vanished: string[] = [];
  await eachPage(
    (page) => graph.findEpisodes({ userId, sourceId }, page),
    (episode: Episode) => {
      if (episode.kind === 'chunk' && episode.agentId === agentId && episode.sessionId === sessionId && !kept.has(episode.id))
        vanished.push(episode.id);
    },
  );
  if (vanished.length === 0) return { removed: 0, outbox: [] };
  const { episodes, outbox, reopened } = await graph.erase({ userId, ids: vanished }, { following: 0, leaveTrace: false });
  if (reopened.length > 0) await endAnew(userId, reopened, now, graph);
  return { removed: episodes.length, outbox };
}
