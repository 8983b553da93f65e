import PQueue from 'p-queue';
import { type EngineOptions, type MemoryOptions, parseOptions } from './config.ts';
import type { Context } from './domain/context.ts';
import type { Entity } from './domain/entity.ts';
import type { Episode } from './domain/episode.ts';
import type { Fact } from './domain/fact.ts';
import type { Receipt } from './domain/receipt.ts';
import type { RetrieveOptions } from './domain/retrieve-options.ts';
import type { StoreInput, StoreOptions } from './domain/store-input.ts';
import { MemoryError } from './errors.ts';
import { requireUser } from './pipeline/read-input.ts';
import { RelayLoop } from './pipeline/relay-loop.ts';
import { retrieve } from './pipeline/retrieve.ts';
import { store, UserLocks } from './pipeline/store.ts';
import { systemClock } from './pipeline/system-clock.ts';
import type { Clock } from './ports/clock.ts';
import type { EmbeddingModel } from './ports/embedding-model.ts';
import type { Extractor } from './ports/extractor.ts';
import type { EntityFilter, EpisodeFilter, FactFilter, GraphCounts, GraphStore, Page } from './ports/graph-store.ts';
import type { KeywordIndex } from './ports/keyword-index.ts';
import type { RerankingModel } from './ports/reranking-model.ts';
import type { TokenCounter } from './ports/token-counter.ts';
import type { Tracer } from './ports/tracer.ts';
import type { VectorIndex } from './ports/vector-index.ts';

export interface MemoryConfig {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly keywords: KeywordIndex;
  readonly embedding: EmbeddingModel;
  readonly extractor: Extractor;
  /** Puts the best hits in a better order, for the price of a model's reading them. Default none. */
  readonly reranker?: RerankingModel;
  readonly counter: TokenCounter;
  readonly clock?: Clock;
  readonly tracer?: Tracer;
  readonly options?: MemoryOptions;
  /** Closed after the drivers: the database that they share. */
  readonly resources?: readonly { close(): void | Promise<void> }[];
}

export interface MemoryStats extends GraphCounts {
  readonly vectors: number;
  readonly keywords: number;
  readonly graphStore: string;
  readonly vectorIndex: string;
  readonly keywordIndex: string;
  readonly embeddingModel: string;
  readonly dimensions: number | undefined;
  readonly extractor: string;
}

const DEFAULT_PAGE: Page = { limit: 100 };

/** A memory: `store()` what was said, `retrieve()` what matters. Safe to share between requests; every call names its user. */
export class Memory implements AsyncDisposable {
  readonly #config: MemoryConfig;
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #relay: RelayLoop;
  readonly #modelQueue: PQueue;
  readonly #userLocks = new UserLocks();
  readonly #openGraph: () => Promise<void>;
  /** Fixes or compares the vector space before the first read or write, so that a wrong embedding model fails before it does harm. */
  readonly #prepare: () => Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(config: MemoryConfig) {
    this.#config = config;
    this.#options = parseOptions(config.options);
    this.#clock = config.clock ?? systemClock;
    this.#relay = new RelayLoop(config, this.#options.indexing);
    this.#openGraph = once(() => config.graph.open());
    this.#prepare = once(() => this.#openIndexes());
    this.#modelQueue = new PQueue({ concurrency: this.#options.extraction.concurrency });
  }

  /**
   * Saves the input and derives entities, facts and index records from it. See `StoreOptions` and `Receipt`.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, DIMENSION_MISMATCH, EMBEDDING_MODEL_MISMATCH, and errors of the graph store
   */
  async store(input: StoreInput, options: StoreOptions): Promise<Receipt> {
    await this.#open();
    const { graph, extractor, counter, tracer } = this.#config;
    const work = store(
      input,
      options,
      {
        graph,
        extractor,
        counter,
        clock: this.#clock,
        relay: this.#relay,
        modelQueue: this.#modelQueue,
        userLocks: this.#userLocks,
        ready: this.#prepare,
        ...(tracer === undefined ? {} : { tracer }),
      },
      this.#options,
    );
    return this.#untilDone(work);
  }

  /**
   * Recalls what matters for a question, within a token budget. See `RetrieveOptions` and `Context`.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY
   */
  async retrieve(query: string, options: RetrieveOptions): Promise<Context> {
    await this.#open();
    requireUser((options as RetrieveOptions | undefined)?.userId);
    await this.#prepare();
    return this.#untilDone(retrieve(query, options, { ...this.#config, clock: this.#clock }, this.#options));
  }

  async episodes(filter: EpisodeFilter, page: Page = DEFAULT_PAGE): Promise<Episode[]> {
    await this.#open();
    return this.#config.graph.findEpisodes({ ...filter, userId: requireUser(filter.userId) }, page);
  }

  async facts(filter: FactFilter, page: Page = DEFAULT_PAGE): Promise<Fact[]> {
    await this.#open();
    return this.#config.graph.findFacts({ ...filter, userId: requireUser(filter.userId) }, page);
  }

  async entities(filter: EntityFilter, page: Page = DEFAULT_PAGE): Promise<Entity[]> {
    await this.#open();
    return this.#config.graph.findEntities({ ...filter, userId: requireUser(filter.userId) }, page);
  }

  async users(page: Page = DEFAULT_PAGE): Promise<string[]> {
    await this.#open();
    return this.#config.graph.users(page);
  }

  /** Counts of one user's records, or of all. `outbox` is what the indexes still wait for. */
  async stats(userId?: string): Promise<MemoryStats> {
    await this.#open();
    const { graph, vectors, keywords, embedding, extractor } = this.#config;
    await this.#prepare();
    return {
      ...(await graph.counts(userId)),
      vectors: await vectors.count(userId),
      keywords: await keywords.count(userId),
      graphStore: graph.name,
      vectorIndex: vectors.name,
      keywordIndex: keywords.name,
      embeddingModel: embedding.modelId,
      dimensions: embedding.dimensions,
      extractor: extractor.id,
    };
  }

  /** Resolves when the indexes hold everything that was stored, also by other processes before. */
  async flush(signal?: AbortSignal): Promise<void> {
    await this.#open();
    await this.#prepare();
    await this.#untilDone(this.#relay.drain(signal));
  }

  /** Waits for what is under way, then closes drivers and models. Later calls throw CLOSED. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    await this.#relay.stop();
    const { graph, vectors, keywords, embedding, resources } = this.#config;
    for (const resource of [embedding, ...new Set([vectors, keywords]), graph, ...(resources ?? [])]) await resource.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Notes work that `close()` has to wait for. */
  async #untilDone<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  async #open(): Promise<void> {
    if (this.#closed) throw new MemoryError('CLOSED', 'This memory was closed. Open it again with openMemory() or createMemory().');
    await this.#openGraph();
  }

  async #openIndexes(): Promise<void> {
    const { vectors, keywords, embedding } = this.#config;
    const dimensions = embedding.dimensions ?? (await embedding.embed(['dimension'], 'document'))[0]?.length ?? 0;
    await Promise.all([vectors.open({ modelId: embedding.modelId, dimensions }), keywords.open()]);
  }
}

/** Runs `start` once and shares its outcome; a start that failed is tried anew by the next call, since a server may be back by then. */
function once(start: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= start().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}

/** Puts a memory together from driver objects. `openMemory` of the package `tandem-memory` does it from configuration. */
export function createMemory(config: MemoryConfig): Memory {
  return new Memory(config);
}
