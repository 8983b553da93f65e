import type { ChatMessage } from '../domain/chat-message.ts';
import type { ConversationEntry } from '../ports/chat-memory-store.ts';

/** What a log says, read from its beginning. */
export interface ConversationState {
  readonly epoch: string | undefined;
  /** All messages but system ones. */
  readonly messages: readonly ChatMessage[];
  /** The newest system message, and the number of messages before it. */
  readonly system: { readonly message: ChatMessage; readonly position: number } | undefined;
  readonly summary: { readonly text: string; readonly covers: number; readonly by: string } | undefined;
  /** Messages before this position are in the long-term memory. */
  readonly archivedUpTo: number;
  /** Their episodes, by position, where they were kept as turns. */
  readonly episodes: ReadonlyMap<number, string>;
  readonly ids: ReadonlySet<string>;
}

/** Pure. The same log gives the same state in every process; steps made for another epoch, and ids seen before, are passed over. */
export function readState(entries: readonly ConversationEntry[]): ConversationState {
  let epoch: string | undefined;
  let system: ConversationState['system'];
  let summary: ConversationState['summary'];
  let archivedUpTo = 0;
  const messages: ChatMessage[] = [];
  const episodes = new Map<number, string>();
  const ids = new Set<string>();
  for (const entry of entries) {
    if (entry.type === 'start') epoch ??= entry.epoch;
    else if (entry.type === 'message') {
      const { message } = entry;
      if (message.id !== undefined) {
        if (ids.has(message.id)) continue;
        ids.add(message.id);
      }
      if (message.role !== 'system') messages.push(message);
      else if (message.content !== system?.message.content) system = { message, position: messages.length };
    } else if (entry.epoch === epoch) {
      // Two writers may have done the same step: the one that reaches further counts, of equals the first.
      if (entry.type === 'summary') {
        if (entry.covers > (summary?.covers ?? 0)) summary = { text: entry.text, covers: entry.covers, by: entry.by };
      } else {
        archivedUpTo = Math.max(archivedUpTo, entry.upTo);
        for (const [position, episodeId] of entry.episodes) episodes.set(position, episodeId);
      }
    }
  }
  return { epoch, messages, system, summary, archivedUpTo, episodes, ids };
}
