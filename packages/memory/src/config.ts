import { describeIssues, MemoryError, type MemoryOptions } from '@tandem-memory/core';
import { z } from 'zod';

const server = {
  baseUrl: z.url().exactOptional(),
  apiKey: z.string().min(1).exactOptional(),
  timeoutMs: z.int().min(1).exactOptional(),
};

const configSchema = z.strictObject({
  /** The SQLite file that holds the memory, or `:memory:`. Default `tandem.db` in the working folder. */
  path: z.string().min(1).default('tandem.db'),
  /**
   * `minilm`: local, English, the default. `fast`: local static vectors, 40 times quicker, weaker. Or the folder of another local model, or any
   * OpenAI-compatible server. See docs/configuration.md.
   */
  embedding: z
    .union(
      [
        z.enum(['minilm', 'fast']),
        z.strictObject({
          provider: z.literal('onnx').default('onnx'),
          folder: z.string().min(1),
          queryPrefix: z.string().exactOptional(),
          documentPrefix: z.string().exactOptional(),
          pooling: z.enum(['mean', 'cls']).exactOptional(),
          maxTokens: z.int().min(8).exactOptional(),
          keywordWeight: z.number().min(0).exactOptional(),
        }),
        z.strictObject({
          provider: z.literal('openai'),
          model: z.string().min(1),
          dimensions: z.int().min(1).exactOptional(),
          keywordWeight: z.number().min(0).exactOptional(),
          ...server,
        }),
      ],
      "Give 'minilm', 'fast', { folder } of a local model, or { provider: 'openai', model } of a server",
    )
    .default('minilm'),
  /** The language model that extracts entities, relations and facts; without one the built-in rules do. */
  model: z
    .strictObject({
      provider: z.literal('openai').default('openai'),
      model: z.string().min(1),
      headers: z.record(z.string(), z.string()).exactOptional(),
      ...server,
    })
    .exactOptional(),
  /**
   * Puts the best hits in a better order: `model`, the language model reads them, one call a question; or a local cross-encoder, a folder with
   * `model.onnx` and `tokenizer.json`. Default: nobody does.
   */
  reranker: z
    .union(
      [z.literal('model'), z.strictObject({ provider: z.literal('cross-encoder').default('cross-encoder'), folder: z.string().min(1) })],
      "Give 'model', or { folder } of a cross-encoder",
    )
    .exactOptional(),
  /** Where vectors and keywords are kept: in the SQLite file (default), or on a Qdrant server. See docs/qdrant.md. */
  vectors: z
    .strictObject({
      provider: z.literal('qdrant').default('qdrant'),
      url: z.url({ protocol: /^https?$/ }),
      apiKey: z.string().min(1).exactOptional(),
      collectionPrefix: z.string().min(1).exactOptional(),
      timeoutMs: z.int().min(1).exactOptional(),
      quantization: z.enum(['none', 'int8']).exactOptional(),
      exact: z.boolean().exactOptional(),
      keepRecords: z.boolean().exactOptional(),
      averageLength: z.number().positive().exactOptional(),
    })
    .exactOptional(),
  /** Where the knowledge graph is kept: in the SQLite file (default), or on a Neo4j server. See docs/neo4j.md. */
  graph: z
    .strictObject({
      provider: z.literal('neo4j').default('neo4j'),
      /** `neo4j://`, `bolt://`, or either with `+s` for verified TLS. */
      url: z.string().min(1),
      username: z.string().min(1).exactOptional(),
      password: z.string().min(1).exactOptional(),
      database: z.string().min(1).exactOptional(),
      /** How long one transaction may take, in milliseconds. Default 60,000. */
      timeoutMs: z.int().min(1).exactOptional(),
    })
    .exactOptional(),
  /** Encoding that token budgets are counted in, or characters per token for other models (1.5 for Korean). */
  tokens: z
    .union(
      [z.enum(['o200k_base', 'cl100k_base']), z.strictObject({ charactersPerToken: z.number().positive() })],
      "Give 'o200k_base', 'cl100k_base' or { charactersPerToken: 1.5 } (TANDEM_TOKENS: o200k_base, cl100k_base or 1.5)",
    )
    .default('o200k_base'),
  /** How long a write waits for another process's write, in milliseconds. */
  busyTimeoutMs: z.int().min(0).exactOptional(),
  options: z.custom<MemoryOptions>().exactOptional(),
});

export type OpenMemoryConfig = z.input<typeof configSchema>;
export type ParsedConfig = z.output<typeof configSchema>;

/** @throws CONFIG_INVALID listing every wrong field, without its value */
export function parseConfig(config: unknown): ParsedConfig {
  const parsed = configSchema.safeParse(config);
  if (parsed.success && (parsed.data.reranker !== 'model' || parsed.data.model !== undefined)) return parsed.data;
  if (parsed.success)
    throw new MemoryError(
      'CONFIG_INVALID',
      "reranker 'model' needs a language model. Set model (TANDEM_MODEL), or give the folder of a cross-encoder.",
    );
  const issues = describeIssues(parsed.error.issues);
  throw new MemoryError('CONFIG_INVALID', `The configuration is not valid. ${issues.join('; ')}. See docs/configuration.md.`);
}
