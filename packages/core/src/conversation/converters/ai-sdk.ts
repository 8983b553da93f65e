import type { ChatMessage, ToolCall } from '../../domain/chat-message.ts';
import { contentText } from './content-text.ts';

/** A model message of the Vercel AI SDK (5 and 6; the `args` and `result` of 4 are read too), as far as it is used here; its own types fit. */
export interface AiSdkMessage {
  readonly role: string;
  readonly content: unknown;
}

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

export type AiSdkOutputMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content:
        | string
        | (
            | { readonly type: 'text'; readonly text: string }
            | { readonly type: 'tool-call'; readonly toolCallId: string; readonly toolName: string; readonly input: unknown }
          )[];
    }
  | {
      readonly role: 'tool';
      readonly content: {
        readonly type: 'tool-result';
        readonly toolCallId: string;
        readonly toolName: string;
        readonly output: { readonly type: 'text'; readonly value: string };
      }[];
    };

/** One tool message with several results becomes one message each. A call that the provider has answered itself, in the same message, is left out. */
export function fromAiSdk(messages: readonly AiSdkMessage[]): ChatMessage[] {
  return messages.flatMap((message): ChatMessage[] => {
    const parts = Array.isArray(message.content) ? message.content.filter(isPart) : [];
    if (message.role === 'tool') {
      return parts
        .filter((part) => part.type === 'tool-result')
        .map((part) => ({ role: 'tool', content: resultText(part), toolCallId: String(part['toolCallId']), name: String(part['toolName']) }));
    }
    const content = contentText(message.content);
    if (message.role !== 'assistant') return [{ role: message.role === 'system' ? 'system' : 'user', content }];
    const answered = new Set(parts.filter((part) => part.type === 'tool-result').map((part) => part['toolCallId']));
    const toolCalls = parts
      .filter((part) => part.type === 'tool-call' && !answered.has(part['toolCallId']))
      .map(
        (part): ToolCall => ({
          id: String(part['toolCallId']),
          name: String(part['toolName']),
          arguments: JSON.stringify(part['input'] ?? part['args'] ?? {}),
        }),
      );
    return [{ role: 'assistant', content, ...(toolCalls.length === 0 ? {} : { toolCalls }) }];
  });
}

/** Results that follow each other become one tool message. */
export function toAiSdk(messages: readonly ChatMessage[]): AiSdkOutputMessage[] {
  const names = new Map(messages.flatMap((message) => (message.toolCalls ?? []).map((call) => [call.id, call.name] as const)));
  const result: AiSdkOutputMessage[] = [];
  for (const message of messages) {
    const { content } = message;
    if (message.role === 'tool') {
      const toolCallId = message.toolCallId ?? '';
      const part = {
        type: 'tool-result' as const,
        toolCallId,
        toolName: message.name ?? names.get(toolCallId) ?? '',
        output: { type: 'text' as const, value: content },
      };
      const last = result.at(-1);
      if (last?.role === 'tool') last.content.push(part);
      else result.push({ role: 'tool', content: [part] });
    } else if (message.role !== 'assistant') result.push({ role: message.role, content });
    else if (message.toolCalls === undefined || message.toolCalls.length === 0) result.push({ role: 'assistant', content });
    else {
      const text = content === '' ? [] : [{ type: 'text' as const, text: content }];
      const calls = message.toolCalls.map((call) => ({
        type: 'tool-call' as const,
        toolCallId: call.id,
        toolName: call.name,
        input: readJson(call.arguments),
      }));
      result.push({ role: 'assistant', content: [...text, ...calls] });
    }
  }
  return result;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function resultText(part: Part): string {
  const output = part['output'] ?? part['result'];
  const value = typeof output === 'object' && output !== null && 'value' in output && 'type' in output ? output.value : output;
  return typeof value === 'string' ? value : JSON.stringify(value ?? null);
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // What a model wrote may be no JSON; the tool has seen it as it is.
    return text;
  }
}
