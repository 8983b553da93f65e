import type { GenerateRequest } from '@tandem-memory/core';
import type { OpenAI } from 'openai';
import type { OpenAiConnection } from './config.ts';
import { complainsAbout } from './errors.ts';

/** What a server takes of the protocol. It starts with the most and loses what the server refuses. */
export interface Dialect {
  readonly responseFormat: 'json_schema' | 'json_object' | 'none';
  readonly outputLimit: 'max_completion_tokens' | 'max_tokens' | 'none';
  readonly temperature: boolean;
  /** Whether a stream may be asked to end with the tokens used. */
  readonly streamUsage: boolean;
}

/** OpenAI's newer models take only `max_completion_tokens`; other servers ignore or refuse it, and ignoring would leave no limit. */
export function initialDialect(connection: OpenAiConnection): Dialect {
  const byOpenAi = connection.baseUrl === undefined || /\.(?:openai|azure)\.com$/.test(URL.parse(connection.baseUrl)?.hostname ?? '');
  return { responseFormat: 'json_schema', outputLimit: byOpenAi ? 'max_completion_tokens' : 'max_tokens', temperature: true, streamUsage: true };
}

/**
 * The next simpler dialect after a refusal, or undefined where the refusal is about something else. Every step loses something, so that a
 * chain of refusals ends.
 */
export function simplerDialect(dialect: Dialect, first: Dialect, error: unknown): Dialect | undefined {
  if (dialect.streamUsage && complainsAbout(error, /stream_options|include_usage/i)) return { ...dialect, streamUsage: false };
  if (dialect.outputLimit !== 'none' && complainsAbout(error, /max_(?:completion_)?tokens/i)) {
    const other = first.outputLimit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
    return { ...dialect, outputLimit: dialect.outputLimit === first.outputLimit ? other : 'none' };
  }
  if (dialect.temperature && complainsAbout(error, /temperature/i)) return { ...dialect, temperature: false };
  if (dialect.responseFormat !== 'none' && complainsAbout(error, /response[ _]format|json[ _](?:schema|object|mode)|structured|grammar|guided/i)) {
    return { ...dialect, responseFormat: dialect.responseFormat === 'json_schema' ? 'json_object' : 'none' };
  }
  return undefined;
}

export function requestBody(model: string, request: GenerateRequest, dialect: Dialect): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const limit = request.maxOutputTokens;
  return {
    model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    ...(dialect.temperature ? { temperature: 0 } : {}),
    ...(limit === undefined || dialect.outputLimit === 'none' ? {} : { [dialect.outputLimit]: limit }),
    ...responseFormat(request.schema, dialect),
  };
}

function responseFormat(schema: GenerateRequest['schema'], dialect: Dialect): Pick<OpenAI.ChatCompletionCreateParamsNonStreaming, 'response_format'> {
  if (schema === undefined || dialect.responseFormat === 'none') return {};
  if (dialect.responseFormat === 'json_object') return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name: schema.name, schema: { ...schema.definition }, strict: true } } };
}
