import type { ChatMessage } from '../domain/chat-message.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Exchange } from './exchange.ts';
import { messageTokens } from './message-tokens.ts';
import { shortenText } from './shorten.ts';

/** The least that a text is cut down to: first a readable rest, and only where that is not enough little more than the mark. */
const FLOORS = [16, 1] as const;
const MAX_MARK_TOKENS = 48;

/**
 * Shortens texts, the longest first, until the exchanges fit into `maxTokens`; untouched messages stay the same objects.
 * @returns undefined where shortening every text is not enough
 */
export function fitMessages(exchanges: readonly Exchange[], maxTokens: number, counter: TokenCounter): readonly Exchange[] | undefined {
  const fitted = exchanges.map((exchange) => ({ ...exchange, messages: [...exchange.messages] }));
  const excess = () =>
    fitted.reduce((sum, exchange) => sum + exchange.messages.reduce((part, message) => part + messageTokens(message, counter), 0), -maxTokens);
  if (excess() <= 0) return fitted;
  const places = fitted
    .flatMap((exchange) => exchange.messages.map((message, index) => ({ exchange, index, message, tokens: counter.count(message.content) })))
    .sort((a, b) => b.tokens - a.tokens);
  for (const floor of FLOORS) {
    for (const place of places) {
      const { exchange, index, message } = place;
      const shorter = shorten(message, place.tokens, excess(), floor, counter);
      if (shorter === undefined) continue;
      exchange.messages[index] = shorter;
      place.tokens = counter.count(shorter.content);
      if (excess() <= 0) return fitted;
    }
  }
  return undefined;
}

function shorten(message: ChatMessage, tokens: number, excess: number, floor: number, counter: TokenCounter): ChatMessage | undefined {
  const target = Math.max(tokens - excess, floor);
  if (target >= tokens) return undefined;
  for (let limit = target; limit < tokens; limit += floor) {
    const content = shortenText(message.content, limit, counter);
    // Below a few tokens not even the mark fits; the next size up may still be a gain.
    if (content !== undefined) return counter.count(content) < tokens ? { ...message, content } : undefined;
    if (limit > MAX_MARK_TOKENS) return undefined;
  }
  return undefined;
}
