import type { NewEpisode } from '../domain/episode.ts';
import { type Extraction, type ModelUsage, NO_USAGE, type SkippedItem } from '../domain/extraction.ts';
import { MemoryError } from '../errors.ts';
import type { ExtractionInput, Extractor } from '../ports/extractor.ts';
import type { GenerateReply, LanguageModel, ModelMessage } from '../ports/language-model.ts';
import { Backoff, type BackoffOptions } from './backoff.ts';
import { extractionPrompt } from './extraction-prompt.ts';
import { extractionJsonSchema } from './extraction-schema.ts';
import { nameSpeakers } from './name-speakers.ts';
import { readReply } from './read-reply.ts';
import { number } from './reply-fields.ts';

export interface ModelExtractorOptions extends BackoffOptions {
  /** How often the model is asked before an unusable reply becomes an error. Default 3. */
  readonly maxAttempts?: number;
  /** Limit of the first reply; doubled each time a reply was cut off. Default 4,096. */
  readonly maxOutputTokens?: number;
}

/**
 * Reads episodes by one structured-output call. System and tool messages are never shown to the model: what they hold was not said by
 * anybody, or is known already.
 */
export function modelExtractor(model: LanguageModel, options: ModelExtractorOptions): Extractor {
  const schema = { name: 'extraction', definition: extractionJsonSchema() };
  const maxAttempts = Math.max(1, options.maxAttempts ?? 3);

  return {
    id: `model:${model.modelId}`,
    local: false,

    async extract(input: ExtractionInput, signal?: AbortSignal): Promise<Extraction> {
      const shown = input.episodes.flatMap((episode, index) => (isShown(episode) ? [{ episode, index }] : []));
      const hidden = input.episodes
        .filter((episode) => !isShown(episode))
        .map((episode): SkippedItem => ({ item: 'message', reason: `${episode.role} messages are not read` }));
      if (shown.length === 0) return { origin: 'model', entities: [], relations: [], facts: [], skipped: hidden, usage: NO_USAGE };

      const prompt = extractionPrompt(
        shown.map(({ episode }) => episode),
        input.preceding.filter(isShown),
        input.known,
      );
      const indexes = shown.map(({ index }) => index);
      const backoff = new Backoff(options);
      let maxOutputTokens = options.maxOutputTokens ?? 4096;
      let usage = NO_USAGE;
      let reason = '';
      for (let attempt = 1; attempt <= maxAttempts; attempt++) {
        const request = { messages: attempt === 1 ? prompt : askAgain(prompt, reason), schema, maxOutputTokens };
        // A model that somebody else put together may leave out what the port asks for.
        const reply: Partial<GenerateReply> = (await backoff.run(() => model.generate(request, signal), signal).catch(withUsage(usage))) ?? {};
        usage = addUsage(usage, reply);
        const messages = shown.map(({ episode }) => episode);
        const result = readReply(reply, messages, input.known?.length);
        if (result.status === 'read') {
          const { entities, relations, facts } = nameSpeakers(result, messages);
          return {
            origin: 'model',
            entities: entities.map((item) => ({ ...item, ...original(item.episode, indexes) })),
            relations: relations.map((item) => ({ ...item, ...original(item.episode, indexes) })),
            facts: facts.map((item) => ({ ...item, ...original(item.episode, indexes) })),
            skipped: [...hidden, ...result.skipped],
            usage,
          };
        }
        reason = result.reason;
        if (result.cut) maxOutputTokens *= 2;
      }
      throw new MemoryError(
        'MODEL_OUTPUT_UNUSABLE',
        `The model ${model.modelId} gave no usable reply in ${maxAttempts} ${maxAttempts === 1 ? 'attempt' : 'attempts'}: ${reason}. The messages are kept; try again, raise \`maxOutputTokens\`, or choose another model.`,
        { details: { attempts: maxAttempts, reason, ...usage } },
      );
    },
  };
}

function isShown(episode: NewEpisode): boolean {
  return episode.kind !== 'message' || episode.role === 'user' || episode.role === 'assistant';
}

/** Into the same turn: chat templates of some local models refuse two turns of one role in a row. */
function askAgain(prompt: readonly ModelMessage[], reason: string): readonly ModelMessage[] {
  const last = prompt.length - 1;
  return prompt.map((message, index) =>
    index === last
      ? { ...message, content: `${message.content}\n\nYour last answer was unusable: ${reason}. Answer with the one complete JSON object only.` }
      : message,
  );
}

function original(index: number | undefined, indexes: readonly number[]): { readonly episode?: number } {
  const episode = index === undefined ? undefined : indexes[index];
  return episode === undefined ? {} : { episode };
}

/** Replies that came before the failure were paid for as well. */
function withUsage(usage: ModelUsage): (error: unknown) => never {
  return (error) => {
    if (!MemoryError.isInstance(error) || usage.calls === 0) throw error;
    const { retryAfterMs } = error;
    const details = { ...error.details, ...usage };
    throw new MemoryError(error.code, error.message, { cause: error, details, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
  };
}

function addUsage({ calls, inputTokens, outputTokens }: ModelUsage, reply: Partial<GenerateReply>): ModelUsage {
  return {
    calls: calls + 1,
    inputTokens: inputTokens + (number(reply.inputTokens) ?? 0),
    outputTokens: outputTokens + (number(reply.outputTokens) ?? 0),
  };
}
