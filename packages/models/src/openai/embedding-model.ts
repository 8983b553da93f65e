import { Backoff, type BackoffOptions, type EmbeddingModel, type EmbeddingPurpose, MemoryError } from '@tandem-memory/core';
import type { OpenAI } from 'openai';
import { checkConnection, connect, type OpenAiConnection } from './config.ts';
import { complainsAbout, translateError } from './errors.ts';

export interface OpenAiEmbeddingModelOptions extends OpenAiConnection, BackoffOptions {
  /** Asks the server for shorter vectors; part of the model's id. Without it, the first answer tells the length. */
  readonly dimensions?: number;
  /** Texts in one call. Default 256. */
  readonly maxBatchSize?: number;
  /** Longer texts are cut, in UTF-8 bytes. Default 16,000: within 8,192 tokens of OpenAI's models in any script. */
  readonly maxTextBytes?: number;
  /** See `EmbeddingModel.keywordWeight`. Default 1. */
  readonly keywordWeight?: number;
  /** Put before a text by purpose, for models that were trained so, e.g. `query: ` and `passage: `. */
  readonly prefixes?: Readonly<Partial<Record<EmbeddingPurpose, string>>>;
}

type Encoding = 'base64' | 'float';

/** Embeddings of any OpenAI-compatible server, scaled to unit length. Repeats calls that fail for passing reasons, within bounds. */
export class OpenAiEmbeddingModel implements EmbeddingModel {
  readonly modelId: string;
  readonly maxBatchSize: number;
  readonly keywordWeight: number;
  readonly #options: OpenAiEmbeddingModelOptions;
  readonly #maxTextBytes: number;
  #dimensions: number | undefined;
  #encoding: Encoding = 'base64';
  #client: Promise<OpenAI> | undefined;

  /** @throws CONFIG_INVALID */
  constructor(options: OpenAiEmbeddingModelOptions) {
    checkConnection(options, 'TANDEM_EMBEDDING', ' Without a server: `minilm`, `fast`, or the folder of a local model, such as ./e5.');
    this.modelId = options.dimensions === undefined ? options.model : `${options.model}@${options.dimensions}`;
    this.maxBatchSize = options.maxBatchSize ?? 256;
    this.keywordWeight = options.keywordWeight ?? 1;
    this.#maxTextBytes = options.maxTextBytes ?? 16_000;
    this.#dimensions = options.dimensions;
    this.#options = options;
  }

  get dimensions(): number | undefined {
    return this.#dimensions;
  }

  /** @throws also DIMENSION_MISMATCH and MODEL_OUTPUT_UNUSABLE, where the server's vectors are not what was asked for */
  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    const prefix = this.#options.prefixes?.[purpose] ?? '';
    const backoff = new Backoff(this.#options);
    const vectors: Float32Array[] = [];
    for (let start = 0; start < texts.length; start += this.maxBatchSize) {
      const input = texts.slice(start, start + this.maxBatchSize).map((text) => this.#prepare(prefix + text));
      vectors.push(...(await backoff.run(() => this.#request(input, signal), signal)));
    }
    return vectors;
  }

  async close(): Promise<void> {}

  /** Servers refuse an empty text. */
  #prepare(text: string): string {
    const cut =
      Buffer.byteLength(text) <= this.#maxTextBytes
        ? text
        : Buffer.from(text)
            .subarray(0, this.#maxTextBytes)
            .toString()
            .replace(/\ufffd+$/, '');
    return cut === '' ? ' ' : cut;
  }

  async #request(input: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    this.#client ??= connect(this.#options);
    const client = await this.#client;
    const { model, dimensions } = this.#options;
    for (;;) {
      const encoding = this.#encoding;
      try {
        const body = { model, input, encoding_format: encoding, ...(dimensions === undefined ? {} : { dimensions }) };
        return this.#read(await client.embeddings.create(body, signal === undefined ? {} : { signal }), input.length);
      } catch (error) {
        if (encoding === 'float' || !complainsAbout(error, /encoding[ _]format|base64/i))
          throw translateError(error, this.#options, this.#options.clock);
        this.#encoding = 'float';
      }
    }
  }

  #read(response: unknown, count: number): Float32Array[] {
    const { data } = (response ?? {}) as { readonly data?: unknown };
    if (!Array.isArray(data) || data.length !== count) {
      throw this.#unusable(`${Array.isArray(data) ? data.length : 'no'} vectors for ${count} texts`);
    }
    const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
    for (const [position, item] of (data as { readonly index?: unknown; readonly embedding?: unknown }[]).entries()) {
      const index = typeof item.index === 'number' ? item.index : position;
      if (index in vectors) vectors[index] = this.#vector(item.embedding);
    }
    return vectors.map((vector) => {
      if (vector === undefined) throw this.#unusable('one text twice and another not at all');
      return vector;
    });
  }

  #vector(embedding: unknown): Float32Array {
    const vector = decode(embedding);
    let squares = 0;
    for (const value of vector ?? []) squares += value * value;
    const norm = Math.sqrt(squares);
    if (vector === undefined || !Number.isFinite(norm) || norm === 0) throw this.#unusable('a vector without a direction');
    this.#dimensions ??= vector.length;
    if (vector.length !== this.#dimensions) {
      const remedy =
        this.#options.dimensions === undefined
          ? 'Check `model` and `baseUrl`: one model has one length.'
          : 'The server does not shorten vectors; leave out the option `dimensions`.';
      throw new MemoryError(
        'DIMENSION_MISMATCH',
        `The model ${this.#options.model} answered with ${vector.length} dimensions in place of ${this.#dimensions}. ${remedy}`,
      );
    }
    return vector.map((value) => value / norm);
  }

  #unusable(what: string): MemoryError {
    return new MemoryError(
      'MODEL_OUTPUT_UNUSABLE',
      `The embedding model ${this.#options.model} answered with ${what}. Check the options \`model\` and \`baseUrl\`.`,
    );
  }
}

/** Numbers, or little-endian 32-bit floats in base64; a server may send either, whatever was asked for. */
function decode(embedding: unknown): Float32Array | undefined {
  if (Array.isArray(embedding)) return embedding.every((value) => typeof value === 'number') ? Float32Array.from(embedding) : undefined;
  if (typeof embedding !== 'string') return undefined;
  const bytes = Buffer.from(embedding, 'base64');
  return bytes.length % 4 === 0 ? Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(i * 4)) : undefined;
}
