import { type Clock, type GenerateReply, type GenerateRequest, type JsonValue, type LanguageModel, MemoryError } from '@tandem-memory/core';
import type { OpenAI } from 'openai';
import { checkConnection, connect, type OpenAiConnection } from './config.ts';
import { type Dialect, initialDialect, requestBody, simplerDialect } from './dialect.ts';
import { translateError } from './errors.ts';
import { finishReason, readStream, textOfMessage, tokens } from './read-reply.ts';

export interface OpenAiLanguageModelOptions extends OpenAiConnection {
  readonly clock: Clock;
  /** Merged into the body of every call, for what only some servers know, e.g. `{ reasoning_effort: 'low' }`. */
  readonly extraBody?: Readonly<Record<string, JsonValue>>;
}

/**
 * Chat completions of any OpenAI-compatible server. Asks for structured output, and remembers what the server does not support: JSON
 * schema, then JSON mode, then plain text. Calls are made once; repeating them is the caller's work.
 */
export class OpenAiLanguageModel implements LanguageModel {
  readonly modelId: string;
  readonly #options: OpenAiLanguageModelOptions;
  readonly #firstDialect: Dialect;
  #dialect: Dialect;
  #client: Promise<OpenAI> | undefined;

  /** @throws CONFIG_INVALID */
  constructor(options: OpenAiLanguageModelOptions) {
    checkConnection(options, 'TANDEM_MODEL');
    this.modelId = options.model;
    this.#options = options;
    this.#firstDialect = initialDialect(options);
    this.#dialect = this.#firstDialect;
  }

  async generate(request: GenerateRequest, signal?: AbortSignal): Promise<GenerateReply> {
    const completion: unknown = await this.#call(request, (client, body) => client.chat.completions.create(body, { ...(signal && { signal }) }));
    return this.#read(completion);
  }

  async *stream(request: GenerateRequest, signal?: AbortSignal): AsyncGenerator<string, GenerateReply, undefined> {
    const chunks = await this.#call(request, (client, body, { streamUsage }) =>
      client.chat.completions.create(
        { ...body, stream: true as const, ...(streamUsage ? { stream_options: { include_usage: true } } : {}) },
        { ...(signal && { signal }) },
      ),
    );
    const reply = yield* readStream(chunks, this.#options);
    if (reply !== undefined) return reply;
    // A server that does not know streams answers all at once, which reads as a stream without a piece.
    const whole = await this.generate(request, signal);
    if (whole.text !== '') yield whole.text;
    return whole;
  }

  /** Makes one call, in the fullest dialect that the server takes. */
  async #call<Result>(
    request: GenerateRequest,
    send: (client: OpenAI, body: ReturnType<typeof requestBody>, dialect: Dialect) => PromiseLike<Result>,
  ): Promise<Result> {
    this.#client ??= connect(this.#options);
    const client = await this.#client;
    let dialect = this.#dialect;
    for (;;) {
      try {
        const body = { ...requestBody(this.#options.model, request, dialect), ...this.#options.extraBody };
        const result = await send(client, body, dialect);
        this.#dialect = dialect;
        return result;
      } catch (error) {
        const simpler = simplerDialect(dialect, this.#firstDialect, error);
        if (simpler === undefined) throw translateError(error, this.#options, this.#options.clock);
        dialect = simpler;
      }
    }
  }

  /** Servers leave out more than the types of the client admit, so nothing is taken for granted. */
  #read(completion: unknown): GenerateReply {
    const { choices, usage } = (completion ?? {}) as Partial<OpenAI.ChatCompletion>;
    if (!Array.isArray(choices)) {
      throw new MemoryError(
        'MODEL_REJECTED',
        `The server of the model ${this.modelId} does not answer by the OpenAI protocol. Check the option \`baseUrl\`; it mostly ends in /v1.`,
      );
    }
    const choice = choices[0] as Partial<OpenAI.ChatCompletion.Choice> | undefined;
    return {
      text: textOfMessage(choice?.message),
      finishReason: typeof choice?.message?.refusal === 'string' && choice.message.refusal !== '' ? 'refusal' : finishReason(choice?.finish_reason),
      inputTokens: tokens(usage?.prompt_tokens),
      outputTokens: tokens(usage?.completion_tokens),
    };
  }
}
