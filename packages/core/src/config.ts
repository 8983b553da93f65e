import { z } from 'zod';
import { describeIssues } from './domain/describe-issues.ts';
import { MemoryError } from './errors.ts';

const count = (minimum: number, maximum: number) => z.int().min(minimum).max(maximum);

const optionsSchema = z.strictObject({
  extraction: z
    .strictObject({
      /** Turns read in one model call. */
      turnsPerCall: count(1, 64).default(12),
      /** Turns shown before them, for words that refer back. */
      precedingTurns: count(0, 16).default(3),
      /** Known facts shown to the model, which then says what they are replaced by; 0 turns it off. */
      knownFacts: count(0, 64).default(12),
      /** Turns of a thread that wait to be read in one call; 1 reads each `store()` at once. `flush()` reads what still waits. */
      bufferTurns: count(1, 64).default(1),
      /** Model calls under way at once. */
      concurrency: count(1, 64).default(4),
    })
    .prefault({}),
  resolution: z
    .strictObject({
      /** Join names also by looser spelling, slips of the pen, acronyms and first names. False: by normal form and alias only. */
      fuzzy: z.boolean().default(true),
      /** Smallest cosine between two names of one type to join them. It belongs to the embedding model; there is no default. */
      embeddingThreshold: z.number().min(0).max(1).optional(),
    })
    .prefault({}),
  indexing: z
    .strictObject({
      /** Weight of a word of the turn itself in the keyword index. */
      ownWeight: z.number().min(0.25).max(16).default(4),
      /** Weights of the words of the turns before it in the same thread, nearest first; they are keys of the turn as well. */
      contextWeights: z.array(z.number().min(0.25).max(16)).max(8).default([2, 1]),
      /** Records embedded and written at once. */
      batchSize: count(1, 4096).default(128),
    })
    .prefault({}),
  documents: z
    .strictObject({
      /** Largest size of a chunk in tokens. */
      maxTokens: count(16, 8192).default(512),
      /** Tokens at the end of a chunk that begin the next one, in whole sentences; at most half of `maxTokens`. */
      overlapTokens: count(0, 4096).default(50),
      /** Where a section is cut: after so many tokens (`size`), or sooner where the next sentences are about something else (`meaning`; embeds each sentence). */
      boundaries: z.enum(['size', 'meaning']).default('size'),
    })
    .prefault({}),
  /** Whether `store()` needs a recorded consent of the user to its purpose. A withdrawal always counts. */
  consent: z.enum(['required', 'not-required']).default('not-required'),
  hygiene: z
    .strictObject({
      /** Keys, tokens, passwords and card numbers in what is stored: put a mask in their place, keep them, or refuse the call. */
      secrets: z.enum(['mask', 'keep', 'refuse']).default('mask'),
    })
    .prefault({}),
  recall: z
    .strictObject({
      /** Records asked of each channel. */
      candidates: count(1, 2000).default(125),
      /** Overrides the embedding model's own weight of keywords against cosines. */
      keywordWeight: z.number().min(0).max(10).optional(),
    })
    .prefault({}),
  expansion: z
    .strictObject({
      hops: z.literal([0, 1, 2]).default(2),
      /** Facts followed from one entity. */
      fanOut: count(1, 1000).default(12),
      /** Facts, and mentions, read in all. */
      limit: count(1, 10_000).default(100),
      /** "A `first` B" and "B `second` C" make "A `infers` C", at the time of the question; shown in the path by `name`, with the facts used. */
      rules: z
        .array(
          z.strictObject({
            name: z.string().min(1).max(200),
            first: z.string().min(1).max(200),
            second: z.string().min(1).max(200),
            infers: z.string().min(1).max(200),
          }),
        )
        .max(32)
        .default([]),
    })
    .prefault({}),
  reranking: z
    .strictObject({
      /** The best so many are shown to the reranking model, where one is configured. */
      candidates: count(2, 200).default(20),
      /** What its opinion counts against the engine's own order: 1 takes the model's as it is. */
      weight: z.number().min(0).max(1).default(0.5),
      /** To measure what they are worth: ranks without dates and words of time, or by the text match alone. */
      without: z.array(z.enum(['time', 'rerank'])).default([]),
    })
    .prefault({}),
  /** Semantic cache of `retrieve`; off unless given. */
  cache: z
    .strictObject({
      /** Smallest cosine between two questions that may share an answer. */
      similarity: z.number().min(0).max(1).default(0.95),
      /** Answers kept, the last used ones, over all users. */
      entries: count(1, 100_000).default(500),
    })
    .optional(),
  deadlines: z
    .strictObject({
      recallMs: count(1, 600_000).default(10_000),
      expandMs: count(1, 600_000).default(5_000),
      /** How long `store()` waits for one batch of the indexes; then it returns `indexed: false`, and the relay goes on. */
      indexMs: count(1, 3_600_000).default(30_000),
    })
    .prefault({}),
});

export type MemoryOptions = z.input<typeof optionsSchema>;
export type EngineOptions = z.output<typeof optionsSchema>;

/** @throws CONFIG_INVALID listing every option that is wrong */
export function parseOptions(options: MemoryOptions | undefined): EngineOptions {
  const parsed = optionsSchema.safeParse(options ?? {});
  if (parsed.success) return parsed.data;
  throw new MemoryError('CONFIG_INVALID', `The engine's options are not valid. ${describeIssues(parsed.error.issues, 'options').join('; ')}.`);
}
