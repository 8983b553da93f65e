import type { ChatMessage } from '../../domain/chat-message.ts';
import { contentText } from './content-text.ts';

/** A chat message as OpenAI's API has it, as far as it is used here; its own types fit. */
export interface OpenAiChatMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly name?: string;
  readonly tool_calls?: readonly unknown[];
  readonly tool_call_id?: string;
  /** What the model said where it would not answer. */
  readonly refusal?: string | null;
}

interface FunctionCall {
  readonly id: string;
  readonly type?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export type OpenAiOutputMessage =
  | { readonly role: 'system' | 'user'; readonly content: string; readonly name?: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly name?: string;
      readonly tool_calls?: (FunctionCall & { type: 'function' })[];
    }
  | { readonly role: 'tool'; readonly content: string; readonly tool_call_id: string };

/**
 * Parts that are no text become a visible mark; a `developer` message is a system message. Results of the calls that went before tools (role
 * `function`) have no id to go by and are left out: they are nobody's words.
 */
export function fromOpenAi(messages: readonly OpenAiChatMessage[]): ChatMessage[] {
  return messages.flatMap((message): ChatMessage | [] => {
    if (message.role === 'function') return [];
    const content = contentText(message.content ?? message.refusal);
    const name = message.name === undefined ? {} : { name: message.name };
    if (message.role === 'tool') return { role: 'tool', content, toolCallId: message.tool_call_id ?? '' };
    if (message.role === 'assistant') {
      const toolCalls = (message.tool_calls ?? []).filter(isFunctionCall).map((call) => ({ id: call.id, ...call.function }));
      return { role: 'assistant', content, ...name, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
    }
    return { role: message.role === 'system' || message.role === 'developer' ? 'system' : 'user', content, ...name };
  });
}

export function toOpenAi(messages: readonly ChatMessage[]): OpenAiOutputMessage[] {
  return messages.map((message): OpenAiOutputMessage => {
    const { content } = message;
    if (message.role === 'tool') return { role: 'tool', content, tool_call_id: message.toolCallId ?? '' };
    const name = message.name === undefined ? {} : { name: message.name };
    if (message.role !== 'assistant') return { role: message.role, content, ...name };
    const calls = (message.toolCalls ?? []).map((call) => ({
      id: call.id,
      type: 'function' as const,
      function: { name: call.name, arguments: call.arguments },
    }));
    return calls.length === 0
      ? { role: 'assistant', content, ...name }
      : { role: 'assistant', content: content === '' ? null : content, ...name, tool_calls: calls };
  });
}

function isFunctionCall(value: unknown): value is FunctionCall {
  if (typeof value !== 'object' || value === null || !('function' in value) || !('id' in value)) return false;
  const called = value.function as Partial<FunctionCall['function']> | null;
  return typeof value.id === 'string' && typeof called?.name === 'string' && typeof called.arguments === 'string';
}
