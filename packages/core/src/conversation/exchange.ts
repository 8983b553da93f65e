import type { ChatMessage } from '../domain/chat-message.ts';

/** Messages that only make sense together: one turn, or a call with the results of all its tools. */
export interface Exchange {
  /** Position of the first message. */
  readonly start: number;
  readonly messages: readonly ChatMessage[];
  readonly kind: 'user' | 'assistant' | 'tools';
}

export interface Exchanges {
  readonly exchanges: readonly Exchange[];
  /** Messages that no model may be shown. `orphan`: a result without its call. `incomplete`: a call without all its results. */
  readonly broken: readonly { readonly position: number; readonly reason: 'orphan' | 'incomplete' }[];
}

/**
 * Splits a conversation (without system messages) where it may be cut. A call and its results must follow each other, as chat models demand;
 * results may come in any order. A call at the very end that waits for all its results is whole. Pure.
 */
export function splitExchanges(messages: readonly ChatMessage[]): Exchanges {
  const exchanges: Exchange[] = [];
  const broken: { position: number; reason: 'orphan' | 'incomplete' }[] = [];
  for (let position = 0; position < messages.length; ) {
    const message = messages[position];
    if (message === undefined) break;
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    if (message.role === 'tool' || calls.length === 0) {
      if (message.role === 'tool') broken.push({ position, reason: 'orphan' });
      else exchanges.push({ start: position, messages: [message], kind: message.role === 'user' ? 'user' : 'assistant' });
      position++;
      continue;
    }
    const open = new Set(calls.map((call) => call.id));
    const members = [message];
    let end = position + 1;
    for (; end < messages.length; end++) {
      const result = messages[end];
      if (result?.role !== 'tool' || result.toolCallId === undefined || !open.delete(result.toolCallId)) break;
      members.push(result);
    }
    const waiting = members.length === 1 && end === messages.length;
    if (open.size === 0 || waiting) exchanges.push({ start: position, messages: members, kind: 'tools' });
    else for (let index = position; index < end; index++) broken.push({ position: index, reason: 'incomplete' });
    position = end;
  }
  return { exchanges, broken };
}
