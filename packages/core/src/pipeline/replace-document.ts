import type { OutboxEntry } from '../domain/change-set.ts';
import type { Episode, NewEpisode } from '../domain/episode.ts';
import { eachPage } from '../lifecycle/forget.ts';
import { settleErasure } from './settle-erasure.ts';
import type { RecordDependencies } from './user-locks.ts';

/** The document that a call stores, and the scope it belongs to. */
export type StoredDocument = Pick<NewEpisode, 'userId' | 'agentId' | 'sessionId'> & { readonly sourceId: string };

/**
 * Removes the chunks of a document that its new text no longer has, and with them the ends that they told. Without a trace: what vanished from a
 * document was not forgotten.
 */
export async function removeVanishedChunks(
  document: StoredDocument,
  kept: ReadonlySet<string>,
  dependencies: RecordDependencies,
): Promise<{ readonly removed: number; readonly outbox: readonly OutboxEntry[] }> {
  const { userId, agentId, sessionId, sourceId } = document;
  const { graph } = dependencies;
  const vanished: string[] = [];
  await eachPage(
    (page) => graph.findEpisodes({ userId, sourceId }, page),
    (episode: Episode) => {
      if (episode.kind === 'chunk' && episode.agentId === agentId && episode.sessionId === sessionId && !kept.has(episode.id))
        vanished.push(episode.id);
    },
  );
  if (vanished.length === 0) return { removed: 0, outbox: [] };
  const erased = await graph.erase({ userId, ids: vanished }, { following: 0, leaveTrace: false });
  await settleErasure(userId, [erased], dependencies);
  return { removed: erased.episodes.length, outbox: erased.outbox };
}
