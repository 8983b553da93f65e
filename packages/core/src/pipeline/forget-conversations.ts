import { randomUUID } from 'node:crypto';
import { withoutMessages } from '../conversation/without-messages.ts';
import type { Erasure } from '../domain/erasure.ts';
import type { NameTest } from '../lifecycle/names-in-text.ts';
import type { ChatMemoryStore, ConversationId } from '../ports/chat-memory-store.ts';

export interface ForgottenTurns {
  readonly erasure: Erasure;
  /** Turns that went out of the long-term memory. */
  readonly episodes: ReadonlySet<string>;
  /** Whether a text holds a name of the entity that was forgotten. */
  readonly isNamed: NameTest;
}

/**
 * Takes what was forgotten out of the kept conversations too: all of the user's, those of a session, and else the messages that became the
 * forgotten turns, that were said before the moment, or that hold a name of the entity.
 * @returns number of messages that are gone
 */
export async function forgetConversations({ erasure, episodes, isNamed }: ForgottenTurns, store: ChatMemoryStore): Promise<number> {
  const { userId, agentId, sessionId, sourceId, before, ids, entityIds } = erasure;
  // A conversation has a session and times; agents and sources only its turns have.
  const byTurns = [agentId, sourceId, ids, entityIds].some((value) => value !== undefined);
  let removed = 0;
  for (const session of await store.list(userId)) {
    if (sessionId !== undefined && session !== sessionId) continue;
    const id: ConversationId = { userId, sessionId: session };
    // Of several calls the last one counts.
    let gone = 0;
    await store.rewrite(id, (entries) => {
      if (!byTurns && before === undefined) {
        gone = entries.filter((entry) => entry.type === 'message').length;
        return [];
      }
      const left = withoutMessages(
        entries,
        {
          message: (message, episodeId) =>
            (episodeId !== undefined && episodes.has(episodeId)) ||
            (!byTurns && before !== undefined && message.at !== undefined && Date.parse(message.at) < Date.parse(before)) ||
            isNamed(`${message.name ?? ''}\n${message.content}\n${message.toolCalls === undefined ? '' : JSON.stringify(message.toolCalls)}`),
          text: isNamed,
        },
        randomUUID(),
      );
      gone = left?.removed ?? 0;
      return left?.entries;
    });
    removed += gone;
  }
  return removed;
}
