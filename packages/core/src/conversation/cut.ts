import type { ChatMessage } from '../domain/chat-message.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { SummaryPlan } from './conversation-options.ts';
import { splitExchanges } from './exchange.ts';
import { messageTokens } from './message-tokens.ts';

/** Whether the messages beside the summary have become too many. Pure. */
export function isDue(messages: readonly ChatMessage[], plan: SummaryPlan, counter: TokenCounter): boolean {
  if (messages.length > plan.triggerMessages) return true;
  if (!Number.isFinite(plan.triggerTokens)) return false;
  return messages.reduce((sum, message) => sum + messageTokens(message, counter), 0) > plan.triggerTokens;
}

/**
 * Where to cut: the messages before the returned position are summarised, the rest is kept. The cut never falls into a tool exchange, and the
 * rest begins with a user message, as the window does; so the question that is being answered is never summarised. 0 where nothing can go. Pure.
 */
export function cutPosition(messages: readonly ChatMessage[], plan: SummaryPlan, counter: TokenCounter): number {
  const { exchanges } = splitExchanges(messages);
  const starts = exchanges.filter((exchange) => exchange.kind === 'user').map((exchange) => exchange.start);
  const last = starts.at(-1);
  if (last === undefined) return 0;
  const fits = (start: number) => {
    const rest = messages.slice(start);
    return rest.length <= plan.keepMessages && rest.reduce((sum, message) => sum + messageTokens(message, counter), 0) <= plan.keepTokens;
  };
  return starts.find(fits) ?? last;
}

/** End of the last turn that is over: everything, or everything before the question that still waits for its answer. Pure. */
export function closedEnd(messages: readonly ChatMessage[]): number {
  const { exchanges } = splitExchanges(messages);
  if (exchanges.at(-1)?.kind === 'assistant') return messages.length;
  return lastTurn(messages);
}

/** Where the last turn begins; 0 where there is only one. Pure. */
export function lastTurn(messages: readonly ChatMessage[]): number {
  return splitExchanges(messages).exchanges.findLast((exchange) => exchange.kind === 'user')?.start ?? 0;
}
