import type { Role } from '../domain/message.ts';

export interface ModelMessage {
  readonly role: Exclude<Role, 'tool'>;
  readonly content: string;
}

export interface GenerateRequest {
  readonly messages: readonly ModelMessage[];
  /** JSON schema that the reply should follow; a model that cannot promise it still answers in text. */
  readonly schema?: { readonly name: string; readonly definition: Readonly<Record<string, unknown>> };
  readonly maxOutputTokens?: number;
}

export interface GenerateReply {
  /** The reply as it came, damaged or not; reading it is the caller's work. */
  readonly text: string;
  readonly finishReason: 'stop' | 'length' | 'refusal' | 'other';
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export interface LanguageModel {
  readonly modelId: string;
  /** @throws MODEL_UNAVAILABLE, MODEL_RATE_LIMITED (with `retryAfterMs`), MODEL_REJECTED, ABORTED */
  generate(request: GenerateRequest, signal?: AbortSignal): Promise<GenerateReply>;
  /**
   * The reply piece by piece as it is made; the generator returns it whole. A model that can't has no such method.
   * @throws what `generate` throws, also after some pieces
   */
  stream?(request: GenerateRequest, signal?: AbortSignal): AsyncGenerator<string, GenerateReply, undefined>;
}
