import type { PromptMessage } from '../domain/prompt-message.ts';
import type { TokenCounter } from '../ports/token-counter.ts';

/** What a chat API adds to each message: marks around it and its role (4 for OpenAI's models, by their cookbook). */
export const DEFAULT_TOKENS_PER_MESSAGE = 4;
/** What it adds once, to begin the answer. */
export const TOKENS_FOR_REPLY = 3;

/** Counts messages as a chat API would: text as it is, tool calls and other parts as JSON, and the marks around. */
export function messageTokens(message: PromptMessage, counter: TokenCounter, tokensPerMessage: number): number {
  const { role: _, content, ...others } = message;
  const extra = Object.values(others).filter((value) => value !== undefined && value !== null);
  return tokensPerMessage + contentTokens(content, counter) + extra.reduce((sum: number, value) => sum + counter.count(asText(value)), 0);
}

function contentTokens(content: unknown, counter: TokenCounter): number {
  if (content === undefined || content === null) return 0;
  if (!Array.isArray(content)) return counter.count(asText(content));
  return content.reduce((sum: number, part: unknown) => sum + counter.count(asText(textPart(part) ?? part)), 0);
}

function textPart(part: unknown): string | undefined {
  return typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : undefined;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The text of a message, for comparing; undefined where it has none. */
export function messageText({ content }: PromptMessage): string | undefined {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return undefined;
  const texts = content.map(textPart).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join('\n').trim();
}
