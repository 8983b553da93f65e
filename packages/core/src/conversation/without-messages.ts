import type { ChatMessage } from '../domain/chat-message.ts';
import type { ConversationEntry } from '../ports/chat-memory-store.ts';
import { readState } from './state.ts';

export interface Unwanted {
  /** @param episodeId the turn in the long-term memory that the message became, where it did */
  message(message: ChatMessage, episodeId: string | undefined): boolean;
  /** Whether a text that is made of many messages, such as a summary, holds what has to go. */
  text(text: string): boolean;
}

/**
 * The log of a conversation without the messages that have to go, and without a summary that may tell of them. What was archived stays archived.
 * Steps that are under way for the old log mean nothing in the new one. Pure.
 * @param epoch of the new log
 * @returns undefined where nothing has to go; no entries where no message is left
 */
export function withoutMessages(
  entries: readonly ConversationEntry[],
  unwanted: Unwanted,
  epoch: string,
): { readonly entries: readonly ConversationEntry[]; readonly removed: number } | undefined {
  const { messages, system, summary, archivedUpTo, episodes } = readState(entries);
  const kept = messages.flatMap((message, position) => (unwanted.message(message, episodes.get(position)) ? [] : [position]));
  const systemStays = system !== undefined && !unwanted.message(system.message, undefined);
  const places = new Map(kept.map((position, place) => [position, place]));
  const first = messages.findIndex((_, position) => !places.has(position));
  const summaryStays = summary !== undefined && (first < 0 || first >= summary.covers) && !unwanted.text(summary.text);
  const removed = messages.length - kept.length + (system !== undefined && !systemStays ? 1 : 0);
  if (removed === 0 && (summary === undefined || summaryStays)) return undefined;
  if (kept.length === 0 && !systemStays) return { entries: [], removed };
  const before = (position: number) => kept.filter((each) => each < position).length;
  const said = kept.flatMap((position): ConversationEntry[] => {
    const message = messages[position];
    return message === undefined ? [] : [{ type: 'message', message }];
  });
  if (system !== undefined && systemStays) said.splice(before(system.position), 0, { type: 'message', message: system.message });
  const archived = [...episodes].flatMap(([position, id]) => {
    const place = places.get(position);
    return place === undefined ? [] : [[place, id] as const];
  });
  return {
    removed,
    entries: [
      { type: 'start', epoch },
      ...said,
      ...(summary !== undefined && summaryStays ? [{ type: 'summary' as const, epoch, ...summary }] : []),
      ...(archivedUpTo === 0 ? [] : [{ type: 'archived' as const, epoch, upTo: before(archivedUpTo), episodes: archived }]),
    ],
  };
}
