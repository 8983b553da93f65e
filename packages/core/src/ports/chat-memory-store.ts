import type { ChatMessage } from '../domain/chat-message.ts';

/** A conversation belongs to a user; the same session id of two users names two conversations. */
export interface ConversationId {
  readonly userId: string;
  readonly sessionId: string;
}

/**
 * What happened in a conversation, one step an entry. Positions count messages without the system message, from 0. Steps that name positions
 * carry the epoch of the log they were made for, so that one made for a log that was cleared meanwhile means nothing in the next.
 */
export type ConversationEntry =
  | { readonly type: 'start'; readonly epoch: string }
  | { readonly type: 'message'; readonly message: ChatMessage }
  /** `text` stands for all messages before position `covers`. */
  | { readonly type: 'summary'; readonly epoch: string; readonly covers: number; readonly text: string; readonly by: string }
  /** All messages before position `upTo` are in the long-term memory; raw turns as the named episodes. */
  | {
      readonly type: 'archived';
      readonly epoch: string;
      readonly upTo: number;
      readonly episodes: readonly (readonly [position: number, episodeId: string])[];
    };

/**
 * Keeps conversations as logs that only grow. Two writers of one conversation lose nothing: their entries stand in the log in one order,
 * which is the same for every reader. Entries are JSON values and come back word for word.
 */
export interface ChatMemoryStore {
  /** All entries in order; empty where there is no such conversation. @throws CORRUPT_RECORD, STORAGE_FAILED, STORAGE_BUSY */
  get(id: ConversationId): Promise<readonly ConversationEntry[]>;
  /** Adds entries at the end, all of them or none, next to each other; durable when it resolves. */
  update(id: ConversationId, entries: readonly ConversationEntry[]): Promise<void>;
  /**
   * Puts another log in the place of the whole one, in one step: what `change` makes of its entries; no entries delete the conversation, and
   * undefined leaves it. For forgetting; `change` may be called more than once.
   */
  rewrite(id: ConversationId, change: (entries: readonly ConversationEntry[]) => readonly ConversationEntry[] | undefined): Promise<void>;
  /** Deletes the conversation; of an unknown one, nothing. */
  delete(id: ConversationId): Promise<void>;
  /** Session ids of a user's conversations, sorted. */
  list(userId: string): Promise<readonly string[]>;
}
