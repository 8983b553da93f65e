import { type Clock, type GenerateReply, MemoryError } from '@tandem-memory/core';
import type { OpenAI } from 'openai';
import type { OpenAiConnection } from './config.ts';
import { translateError } from './errors.ts';

/**
 * Yields the pieces of a streamed reply and returns it whole; undefined where not one piece came.
 * @throws what a call throws; MODEL_UNAVAILABLE where the stream breaks off
 */
export async function* readStream(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
  options: OpenAiConnection & { readonly clock: Clock },
): AsyncGenerator<string, GenerateReply | undefined, undefined> {
  let text = '';
  let finish: GenerateReply['finishReason'] | undefined;
  let usage: OpenAI.CompletionUsage | null | undefined;
  try {
    for await (const chunk of chunks) {
      const choice = chunk.choices?.[0] as Partial<OpenAI.ChatCompletionChunk.Choice> | undefined;
      const piece = textOf(choice?.delta?.content);
      usage = chunk.usage ?? usage;
      if (typeof choice?.delta?.refusal === 'string' && choice.delta.refusal !== '') finish = 'refusal';
      if (choice?.finish_reason !== undefined && choice.finish_reason !== null && finish !== 'refusal') finish = finishReason(choice.finish_reason);
      if (piece === '') continue;
      text += piece;
      yield piece;
    }
  } catch (error) {
    const translated = translateError(error, options, options.clock);
    if (MemoryError.isInstance(translated)) throw translated;
    throw new MemoryError('MODEL_UNAVAILABLE', `The reply of the model ${options.model} broke off. Try again.`, { cause: error });
  }
  if (text === '' && finish === undefined) return undefined;
  return { text, finishReason: finish ?? 'other', inputTokens: tokens(usage?.prompt_tokens), outputTokens: tokens(usage?.completion_tokens) };
}

/** The words of a message, or the arguments of its tool calls: some servers answer a schema that way, with no words. */
export function textOfMessage(message: unknown): string {
  const { content, tool_calls, function_call } = fields(message);
  const text = textOf(content);
  if (text.trim() !== '') return text;
  const calls = [...(Array.isArray(tool_calls) ? tool_calls.map((call: unknown) => fields(call)['function']) : []), function_call];
  const given = calls.map((call) => fields(call)['arguments']).filter((value) => value !== undefined && value !== null);
  return given.length === 0 ? text : given.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n');
}

/** Null for an empty reply or a refusal; a list of parts, or the answer as an object, from some servers. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((part: unknown) => textOfPart(part) ?? '').join('');
  return textOfPart(content) ?? (typeof content === 'object' && content !== null ? JSON.stringify(content) : '');
}

function textOfPart(part: unknown): string | undefined {
  const { text } = fields(part);
  return typeof text === 'string' ? text : undefined;
}

function fields(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

/** A count that some servers leave out, or write as text. */
export function tokens(count: unknown): number {
  const number = typeof count === 'string' ? Number(count) : count;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : 0;
}

export function finishReason(reason: unknown): GenerateReply['finishReason'] {
  if (reason === 'stop' || reason === 'length') return reason;
  return reason === 'content_filter' ? 'refusal' : 'other';
}
