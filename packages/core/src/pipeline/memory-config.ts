import type { MemoryOptions } from '../config.ts';
import type { ChatMemoryStore } from '../ports/chat-memory-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { EntityJudge } from '../ports/entity-judge.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { GraphCounts, GraphStore } from '../ports/graph-store.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import type { QuestionDecomposer } from '../ports/question-decomposer.ts';
import type { RerankingModel } from '../ports/reranking-model.ts';
import type { Summariser } from '../ports/summariser.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { VectorIndex } from '../ports/vector-index.ts';
import type { RelayHealth } from './relay-loop.ts';
import type { CacheStats } from './semantic-cache.ts';

/** The driver objects that a memory is put together from. */
export interface MemoryConfig {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly keywords: KeywordIndex;
  readonly embedding: EmbeddingModel;
  readonly extractor: Extractor;
  /** Decides between names that the rules of resolution leave open. Default: nobody does, and they stay apart. */
  readonly judge?: EntityJudge;
  /** Puts the best hits in a better order, for the price of a model's reading them. Default none. */
  readonly reranker?: RerankingModel;
  /** Takes questions apart, for the price of a model's reading each one that asks for it (`decompose`). Default none. */
  readonly decomposer?: QuestionDecomposer;
  /** Makes summaries of documents and of their sections, for the price of a model's reading them. Default none. */
  readonly summariser?: Summariser;
  readonly counter: TokenCounter;
  /** Consents, expiry, last access and archive. Without it these are UNSUPPORTED. */
  readonly lifecycle?: LifecycleStore;
  /** The conversations that are kept for the same users: `forget`, `export` and `import` reach them too. */
  readonly conversations?: ChatMemoryStore;
  readonly clock?: Clock;
  readonly tracer?: Tracer;
  readonly options?: MemoryOptions;
  /** Closed after the drivers: the database that they share. */
  readonly resources?: readonly { close(): void | Promise<void> }[];
}

export interface MemoryStats extends GraphCounts {
  /** Records in the index; undefined while it can't be reached. */
  readonly vectors: number | undefined;
  readonly keywords: number | undefined;
  /** How the way from the graph to the indexes does, as far as this process knows. */
  readonly relay: RelayHealth;
  readonly graphStore: string;
  readonly vectorIndex: string;
  readonly keywordIndex: string;
  readonly embeddingModel: string;
  readonly dimensions: number | undefined;
  readonly extractor: string;
  /** Of this process, where the semantic cache is on. */
  readonly cache?: CacheStats;
}
