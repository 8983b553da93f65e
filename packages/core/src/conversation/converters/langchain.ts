import type { ChatMessage, ToolCall } from '../../domain/chat-message.ts';
import { contentText } from './content-text.ts';

/** A message of LangChain.js: an instance of `BaseMessage`, as far as it is used here. */
export interface LangChainMessage {
  readonly content: unknown;
  readonly name?: string | undefined;
  readonly id?: string | undefined;
  readonly type?: string;
  getType?(): string;
  _getType?(): string;
  readonly tool_calls?: readonly { readonly id?: string | undefined; readonly name: string; readonly args: unknown }[] | undefined;
  readonly tool_call_id?: string | undefined;
}

/** The plain form that LangChain.js takes wherever it takes messages. */
export interface LangChainOutputMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string;
  readonly name?: string;
  readonly id?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: { readonly type: 'tool_call'; readonly id: string; readonly name: string; readonly args: Record<string, unknown> }[];
}

export function fromLangChain(messages: readonly LangChainMessage[]): ChatMessage[] {
  return messages.map((message): ChatMessage => {
    const type = message.getType?.() ?? message._getType?.() ?? message.type ?? 'human';
    const basics = {
      content: contentText(message.content),
      ...(message.id === undefined ? {} : { id: message.id }),
      ...(message.name === undefined ? {} : { name: message.name }),
    };
    if (type === 'tool') return { role: 'tool', ...basics, toolCallId: message.tool_call_id ?? '' };
    if (type === 'ai' || type === 'assistant') {
      const toolCalls = (message.tool_calls ?? []).map(
        (call): ToolCall => ({
          id: call.id ?? '',
          name: call.name,
          arguments: JSON.stringify(call.args ?? {}),
        }),
      );
      return { role: 'assistant', ...basics, ...(toolCalls.length === 0 ? {} : { toolCalls }) };
    }
    return { role: type === 'system' || type === 'developer' ? 'system' : 'user', ...basics };
  });
}

export function toLangChain(messages: readonly ChatMessage[]): LangChainOutputMessage[] {
  return messages.map((message) => ({
    role: message.role,
    content: message.content,
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.toolCallId === undefined ? {} : { tool_call_id: message.toolCallId }),
    ...(message.toolCalls === undefined ? {} : { tool_calls: message.toolCalls.map(outputCall) }),
  }));
}

function outputCall(call: ToolCall): { type: 'tool_call'; id: string; name: string; args: Record<string, unknown> } {
  let args: unknown;
  try {
    args = JSON.parse(call.arguments);
  } catch {
    args = undefined;
  }
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  return { type: 'tool_call', id: call.id, name: call.name, args: isObject ? (args as Record<string, unknown>) : { input: call.arguments } };
}
