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
import type { ReindexProgress } from './outbox/reindex.ts';
import type { AssembledPrompt, AssembleInput } from './packing/assemble.ts';
import { type AssembleOptions, assemble } from './pipeline/assemble.ts';
import { requireUser } from './pipeline/read-input.ts';
import { type RelayHealth, RelayLoop } from './pipeline/relay-loop.ts';
import { type RetrieveDependencies, retrieve } from './pipeline/retrieve.ts';
import { type CacheStats, SemanticCache, tellOfWrites } from './pipeline/semantic-cache.ts';
import { withDeadline } from './pipeline/server-calls.ts';
import { store, UserLocks } from './pipeline/store.ts';
import { systemClock } from './pipeline/system-clock.ts';
import { checkMemory, type MemoryCheck, type MemoryRepair, type ReindexResult, reindexMemory, repairMemory } from './pipeline/upkeep.ts';
import type { Clock } from './ports/clock.ts';
import type { EmbeddingModel } from './ports/embedding-model.ts';
import type { Extractor } from './ports/extractor.ts';
import type { EntityFilter, EpisodeFilter, FactFilter, GraphCounts, GraphStore, Page } from './ports/graph-store.ts';
import type { KeywordIndex } from './ports/keyword-index.ts';
import type { RerankingModel } from './ports/reranking-model.ts';
import type { TokenCounter } from './ports/token-counter.ts';
import type { Tracer } from './ports/tracer.ts';
import type { VectorIndex, VectorSpace } from './ports/vector-index.ts';

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

const DEFAULT_PAGE: Page = { limit: 100 };

/** A memory: `store()` what was said, `retrieve()` what matters. Safe to share between requests; every call names its user. */
export class Memory implements AsyncDisposable {
  readonly #config: MemoryConfig;
  readonly #options: EngineOptions;
  readonly #clock: Clock;
  readonly #cache: SemanticCache | undefined;
  readonly #relay: RelayLoop;
  readonly #modelQueue: PQueue;
  readonly #userLocks = new UserLocks();
  readonly #openGraph: () => Promise<void>;
  /** Fixes or compares the vector space before the first read or write, so that a wrong embedding model fails before it does harm. */
  readonly #prepare: () => Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  #closed = false;

  constructor(config: MemoryConfig) {
    this.#options = parseOptions(config.options);
    this.#cache = this.#options.cache === undefined ? undefined : new SemanticCache(this.#options.cache, config);
    this.#config = this.#cache === undefined ? config : { ...config, graph: tellOfWrites(config.graph, this.#cache) };
    this.#clock = config.clock ?? systemClock;
    this.#openGraph = once(() => this.#config.graph.open());
    this.#prepare = once(() => this.#openIndexes());
    this.#relay = new RelayLoop({ ...this.#config, clock: this.#clock, ready: this.#prepare }, this.#options);
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
        ready: () => failureOf(this.#prepare),
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
    this.#mustBeOpen();
    requireUser((options as RetrieveOptions | undefined)?.userId);
    const dependencies = await this.#recallDependencies();
    const answer = () => retrieve(query, options, dependencies, this.#options);
    return this.#untilDone(this.#cache === undefined ? answer() : this.#cache.through(query, options, answer));
  }

  /**
   * Fills a model's window: system prompt, tools, history, memories that matter for the question, documents. See `AssembleInput` and
   * `AssembledPrompt`; `options` are those of `retrieve`.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY, BUDGET_TOO_SMALL
   */
  async assemble(input: AssembleInput, options: AssembleOptions): Promise<AssembledPrompt> {
    this.#mustBeOpen();
    requireUser((options as AssembleOptions | undefined)?.userId);
    const dependencies = await this.#recallDependencies();
    return this.#untilDone(assemble(input, options, dependencies, this.#options));
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
    const counted = async (index: { count(userId?: string): Promise<number> }) => {
      await this.#prepare();
      return index.count(userId);
    };
    return {
      ...(await graph.counts(userId)),
      vectors: await unlessDown(counted(vectors)),
      keywords: await unlessDown(counted(keywords)),
      relay: this.#relay.health,
      graphStore: graph.name,
      vectorIndex: vectors.name,
      keywordIndex: keywords.name,
      embeddingModel: embedding.modelId,
      dimensions: embedding.dimensions,
      extractor: extractor.id,
      ...(this.#cache === undefined ? {} : { cache: this.#cache.stats }),
    };
  }

  /** Resolves when the indexes hold everything that was stored, also by other processes before. */
  async flush(signal?: AbortSignal): Promise<void> {
    await this.#open();
    await this.#prepare();
    await this.#untilDone(this.#relay.drain(signal));
  }

  /**
   * Compares the graph with both indexes, for one user or for all. Changes nothing; what is on its way to the indexes counts as waiting.
   * @throws INDEX_UNAVAILABLE, and errors of the graph store
   */
  async check(userId?: string): Promise<MemoryCheck> {
    await this.#open();
    await this.#prepare();
    return this.#untilDone(checkMemory(this.#upkeep(), userId));
  }

  /** Brings what waits to the indexes, adds what they lack and deletes what the graph does not have. Safe beside other calls. */
  async repair(userId?: string, signal?: AbortSignal): Promise<MemoryRepair> {
    await this.#open();
    await this.#prepare();
    return this.#untilDone(repairMemory(this.#upkeep(), userId, signal));
  }

  /**
   * Builds both indexes anew from the graph with this memory's embedding model, which may be another than before, and takes them into use.
   * @throws UNSUPPORTED where an index can't be rebuilt; errors of the embedding model, with the old index in place where the driver keeps two
   */
  async reindex(options: { readonly progress?: ReindexProgress; readonly signal?: AbortSignal } = {}): Promise<ReindexResult> {
    await this.#open();
    return this.#untilDone(reindexMemory(this.#upkeep(), await this.#space(), options));
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

  /** What recall needs, and which of the stores can't be reached now: the others answer. */
  async #recallDependencies(): Promise<RetrieveDependencies> {
    const { recallMs } = this.#options.deadlines;
    const [graph, indexes] = await Promise.all([
      failureOf(() => withDeadline('graph', recallMs, undefined, this.#openGraph)),
      failureOf(() => withDeadline('indexes', recallMs, undefined, this.#prepare)),
    ]);
    const down = { ...(graph === undefined ? {} : { graph }), ...(indexes === undefined ? {} : { indexes }) };
    if (down.indexes === undefined) this.#relay.resume();
    return { ...this.#config, clock: this.#clock, down };
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

  #mustBeOpen(): void {
    if (this.#closed) throw new MemoryError('CLOSED', 'This memory was closed. Open it again with openMemory() or createMemory().');
  }

  async #open(): Promise<void> {
    this.#mustBeOpen();
    await this.#openGraph();
  }

  async #openIndexes(): Promise<void> {
    const { vectors, keywords } = this.#config;
    const space = await this.#space();
    await Promise.all([vectors.open(space), keywords.open(space)]);
  }

  async #space(): Promise<VectorSpace> {
    const { embedding } = this.#config;
    return { modelId: embedding.modelId, dimensions: embedding.dimensions ?? (await embedding.embed(['dimension'], 'document'))[0]?.length ?? 0 };
  }

  #upkeep() {
    return { ...this.#config, relay: this.#relay, indexing: this.#options.indexing };
  }
}

/** What a server that is down said; undefined where it is up. Other errors are thrown. */
async function failureOf(work: () => Promise<void>): Promise<MemoryError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.retryable) return error;
    throw error;
  }
}

/** A number that is not to be had while a server is down; other errors are no reason to go without. */
async function unlessDown(count: Promise<number>): Promise<number | undefined> {
  try {
    return await count;
  } catch (error) {
    if (MemoryError.isInstance(error) && error.retryable) return undefined;
    throw error;
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
