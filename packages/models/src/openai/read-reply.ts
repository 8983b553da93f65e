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
  return { text, finishReason: finish ?? 'other', inputTokens: usage?.prompt_tokens ?? 0, outputTokens: usage?.completion_tokens ?? 0 };
}

/** Null for an empty reply or a refusal; a list of parts from some servers. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : ''))
    .join('');
}

export function finishReason(reason: unknown): GenerateReply['finishReason'] {
  if (reason === 'stop' || reason === 'length') return reason;
  return reason === 'content_filter' ? 'refusal' : 'other';
}
