import type { ChatMessage } from '../domain/chat-message.ts';
import type { TokenCounter } from '../ports/token-counter.ts';

/** What a chat format spends on role and separators: 3 tokens a message with OpenAI's models, a little more with others. */
const TOKENS_PER_MESSAGE = 4;

/** Tokens of one message in a prompt: its text, its calls, and the frame around them. */
export function messageTokens(message: ChatMessage, counter: TokenCounter): number {
  let tokens = TOKENS_PER_MESSAGE + counter.count(message.content);
  if (message.name !== undefined) tokens += counter.count(message.name);
  if (message.toolCallId !== undefined) tokens += counter.count(message.toolCallId);
  for (const call of message.toolCalls ?? []) {
    tokens += TOKENS_PER_MESSAGE + counter.count(call.id) + counter.count(call.name) + counter.count(call.arguments);
  }
  return tokens;
}
