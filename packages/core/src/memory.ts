import PQueue from 'p-queue';
import { type EngineOptions, parseOptions } from './config.ts';
import type { Context } from './domain/context.ts';
import type { Entity } from './domain/entity.ts';
import type { Episode } from './domain/episode.ts';
import type { Fact } from './domain/fact.ts';
import type { HistoryEntry } from './domain/history.ts';
import type { Receipt } from './domain/receipt.ts';
import type { RetrieveOptions } from './domain/retrieve-options.ts';
import type { StoreInput, StoreOptions } from './domain/store-input.ts';
import { timestamp } from './domain/time.ts';
import type { ToldUpdate } from './domain/update-log.ts';
import { isBearable, MemoryError } from './errors.ts';
import { AccessLog } from './lifecycle/access-log.ts';
import { type AuditReport, audit } from './lifecycle/audit.ts';
import { consentNow } from './lifecycle/consent.ts';
import { exportLines } from './lifecycle/export.ts';
import type { ForgetReceipt } from './lifecycle/forget.ts';
import type { ImportReceipt } from './lifecycle/import.ts';
import { indexesWithoutModel } from './outbox/indexes-without-model.ts';
import type { ReindexProgress } from './outbox/reindex.ts';
import type { AssembledPrompt, AssembleInput } from './packing/assemble.ts';
import { type AssembleOptions, assemble } from './pipeline/assemble.ts';
import { checkedCounter } from './pipeline/checked-counter.ts';
import { type ConfirmedSpace, checkedEmbedding, spaceOf } from './pipeline/checked-embedding.ts';
import { type ForgetOptions, forget } from './pipeline/forget.ts';
import { history, toldUpdates } from './pipeline/history.ts';
import { importMemory } from './pipeline/import.ts';
import { type ConsentOptions, type DecayOptions, type DecayReceipt, decay, recordConsent, restore } from './pipeline/lifecycle.ts';
import type { MemoryConfig, MemoryStats } from './pipeline/memory-config.ts';
import { type EntityMerge, listMerges, type MergeProposal, proposeMerges, type UndoneMerge, undoMerge } from './pipeline/merges.ts';
import { type Reached, reachStores } from './pipeline/reach-stores.ts';
import { readFilter, readLimit, readPage } from './pipeline/read-filter.ts';
import { requireUser, userOrAll } from './pipeline/read-input.ts';
import { type ReextractOptions, type ReextractReceipt, reextract } from './pipeline/reextract.ts';
import { RelayLoop } from './pipeline/relay-loop.ts';
import { type RetrieveDependencies, retrieve } from './pipeline/retrieve.ts';
import { SemanticCache, tellOfWrites } from './pipeline/semantic-cache.ts';
import { withDeadline } from './pipeline/server-calls.ts';
import { failureOf, once } from './pipeline/server-state.ts';
import { readStats } from './pipeline/stats.ts';
import { readWaiting, type StoreDependencies, store } from './pipeline/store.ts';
import { systemClock } from './pipeline/system-clock.ts';
import { timelyEmbedding } from './pipeline/timely-embedding.ts';
import { type MemoryUpdate, type UpdateReceipt, update } from './pipeline/update.ts';
import { checkMemory, type MemoryCheck, type MemoryRepair, type ReindexResult, reindexMemory, repairMemory } from './pipeline/upkeep.ts';
import { UserLocks } from './pipeline/user-locks.ts';
import type { Clock } from './ports/clock.ts';
import type { EntityFilter, EpisodeFilter, FactFilter, Page, UpdateFilter } from './ports/graph-store.ts';
import type { ConsentRecord, LifecycleStore } from './ports/lifecycle-store.ts';

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
  readonly #accesses: AccessLog;
  readonly #openGraph: () => Promise<void>;
  /** Fixes or compares the vector space before the first read or write, so that a wrong embedding model fails before it does harm. */
  readonly #prepare: () => Promise<void>;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #beingRead = new Set<string>();
  readonly #beginning = new Set<Promise<unknown>>();
  #closed = false;

  constructor(given: MemoryConfig) {
    const config = { ...given, embedding: checkedEmbedding(given.embedding), counter: checkedCounter(given.counter) };
    this.#options = parseOptions(config.options);
    this.#cache = this.#options.cache === undefined ? undefined : new SemanticCache(this.#options.cache, config);
    this.#config = this.#cache === undefined ? config : { ...config, graph: tellOfWrites(config.graph, this.#cache) };
    this.#clock = config.clock ?? systemClock;
    this.#accesses = new AccessLog(config.lifecycle, this.#clock);
    this.#openGraph = once(async () => {
      await this.#config.graph.open();
      await config.lifecycle?.open();
    });
    this.#prepare = once(() => this.#openIndexes());
    this.#relay = new RelayLoop({ ...this.#config, clock: this.#clock, ready: this.#prepare }, this.#options);
    this.#modelQueue = new PQueue({ concurrency: this.#options.extraction.concurrency });
  }

  /**
   * Saves the input and derives entities, facts and index records from it. See `StoreOptions` and `Receipt`.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, DIMENSION_MISMATCH, EMBEDDING_MODEL_MISMATCH, and errors of the graph store
   */
  async store(input: StoreInput, options: StoreOptions): Promise<Receipt> {
    return this.#run(() => store(input, options, this.#storing(), this.#options));
  }

  /**
   * Changes the text or the metadata of a memory; what is not named stays as it is. See `UpdateReceipt`.
   * @throws SCOPE_REQUIRED, NOT_FOUND, INPUT_INVALID, UNSUPPORTED
   */
  async update(id: string, change: MemoryUpdate, options: { readonly userId: string }): Promise<UpdateReceipt> {
    return this.#runWithIndexes(() => update(requireUser(options?.userId), id, change, this.#storing(), this.#options));
  }

  /**
   * Has the model read the turns that only the built-in rules have read, and those that it failed on: after a model was configured.
   * @throws SCOPE_REQUIRED, INPUT_INVALID; CONFIG_INVALID without a model
   */
  async reextract(options: ReextractOptions): Promise<ReextractReceipt> {
    return this.#runWithIndexes(() => reextract(options, this.#storing(), this.#options));
  }

  /** What became of a memory, oldest first: its texts, what it replaced and what replaced it. @throws SCOPE_REQUIRED, NOT_FOUND */
  async history(id: string, options: { readonly userId: string }): Promise<HistoryEntry[]> {
    return this.#run(() => history(requireUser(options?.userId), id, this.#config.graph));
  }

  /** The update log: what ended, changed or was merged, why, by whom and by which turn, in the order of the commits. */
  async updates(filter: UpdateFilter, page: Page = DEFAULT_PAGE): Promise<ToldUpdate[]> {
    return this.#run(() => toldUpdates(readFilter('updates', filter), readPage(page), this.#config.graph));
  }

  /**
   * Recalls what matters for a question, within a token budget. See `RetrieveOptions` and `Context`.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY
   */
  async retrieve(query: string, options: RetrieveOptions): Promise<Context> {
    return this.#untilDone(async () => {
      requireUser((options as RetrieveOptions | undefined)?.userId);
      const dependencies = await this.#recallDependencies(options.userId);
      const answer = () => retrieve(query, options, dependencies, this.#options);
      // A kept answer may show what has expired or was archived since.
      const cache = dependencies.hidden.size === 0 ? this.#cache : undefined;
      const context = await (cache === undefined ? answer() : cache.through(query, options, answer));
      // To a graph store that is down nothing can be written.
      if (dependencies.down.graph === undefined)
        this.#accesses.note(options.userId, [...new Set(context.items.flatMap((item) => [item.id, ...item.evidence]))]);
      return context;
    });
  }

  /**
   * Fills a model's window: system prompt, tools, history, memories that matter for the question, documents. See `AssembleInput` and
   * `AssembledPrompt`; `options` are those of `retrieve`.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, INPUT_EMPTY, BUDGET_TOO_SMALL
   */
  async assemble(input: AssembleInput, options: AssembleOptions): Promise<AssembledPrompt> {
    return this.#untilDone(async () => {
      requireUser((options as AssembleOptions | undefined)?.userId);
      return assemble(input, options, await this.#recallDependencies(options.userId), this.#options);
    });
  }

  /**
   * Forgets for good, in the record and in the indexes; see `ForgetOptions` and `ForgetReceipt`. A store that is under way loses against it.
   * @throws SCOPE_REQUIRED, INPUT_INVALID, and errors of the graph store
   */
  async forget(options: ForgetOptions): Promise<ForgetReceipt> {
    return this.#run(async () => {
      requireUser((options as ForgetOptions | undefined)?.userId);
      await Promise.allSettled(this.#beginning);
      const config = { ...this.#config, relay: this.#relay, clock: this.#clock, userLocks: this.#userLocks };
      const indexes = await this.#prepare().then(
        () => config,
        (error: unknown) => indexesWithoutModel(error, config),
      );
      this.#accesses.drop(options.userId);
      return forget(options, { ...config, ...indexes }, this.#options);
    });
  }

  /**
   * Deletes one memory by the id of a retrieved item: a turn, or a fact together with the turns that state it. Quick: the file is not
   * written anew, so call `forget({ userId, ids: [id] })` where no byte may stay.
   * @throws NOT_FOUND where this user has no such memory, and the errors of `forget`
   */
  async delete(id: string, options: { readonly userId: string; readonly keepEvidence?: boolean }): Promise<ForgetReceipt> {
    const receipt = await this.forget({ compact: false, ...options, ids: [id] });
    if (receipt.notFound.length === 0) return receipt;
    throw new MemoryError(
      'NOT_FOUND',
      'This user has no memory with that id; it may have been deleted before. Ids come from retrieve(), episodes() and facts().',
    );
  }

  /** All of a user's memory as JSON lines, each with its line break; see docs/export-format.md. @throws SCOPE_REQUIRED */
  async *export(options: { readonly userId: string }): AsyncGenerator<string, void, undefined> {
    await this.#run(() => this.#accesses.flush());
    yield* exportLines(requireUser(options?.userId), this.#config);
  }

  /**
   * Brings an exported memory back, with the ids it had; its vectors are made anew. The file is read and checked to its end before anything
   * is written. Where the user has a memory already, it gains what it lacks.
   * @param lines the lines of the file, without their line breaks
   * @throws INPUT_INVALID naming the line, and the errors of the graph store
   */
  async import(
    lines: AsyncIterable<string> | Iterable<string>,
    options: { readonly userId?: string; readonly signal?: AbortSignal } = {},
  ): Promise<ImportReceipt> {
    return this.#runWithIndexes(() => importMemory(lines, options, { ...this.#config, relay: this.#relay }));
  }

  /** Records that a user consents to a purpose, or withdraws the consent. @throws SCOPE_REQUIRED, INPUT_INVALID, UNSUPPORTED */
  async consent(options: ConsentOptions): Promise<ConsentRecord> {
    return this.#run(() => recordConsent(options, this.#lifecycle(), this.#clock));
  }

  /** What the user has decided, by purpose, and all that was ever recorded, oldest first. */
  async consents(userId: string): Promise<{ readonly now: readonly ConsentRecord[]; readonly history: readonly ConsentRecord[] }> {
    const history = await this.#run(() => this.#lifecycle().consents(requireUser(userId)));
    return { now: consentNow(history), history };
  }

  /** Archives what has faded and deletes what has expired; see `DecayOptions`. Nothing decays unless this is called. */
  async decay(options: DecayOptions): Promise<DecayReceipt> {
    return this.#runWithIndexes(async () => {
      await this.#accesses.flush();
      return decay(options, { ...this.#config, ...this.#storing(), lifecycle: this.#lifecycle() });
    });
  }

  /** Brings turns back from the archive. */
  async restore(options: { readonly userId: string; readonly ids: readonly string[] }): Promise<{ readonly restored: number }> {
    return this.#runWithIndexes(() => restore(options, { ...this.#config, relay: this.#relay, lifecycle: this.#lifecycle() }));
  }

  /** Duplicates, orphans, contradictions and more in a user's memory; changes nothing. @param options.limit entries named in each list, default 20 */
  async audit(options: { readonly userId: string; readonly limit?: number }): Promise<AuditReport> {
    return this.#run(async () => {
      const userId = requireUser(options?.userId);
      await this.#accesses.flush();
      return audit(userId, readLimit(options.limit ?? 20), timestamp(this.#clock.now()), this.#config.graph, this.#config.lifecycle);
    });
  }

  /** Names that were taken for known entities by more than their normal form. */
  async merges(options: { readonly userId: string }): Promise<EntityMerge[]> {
    return this.#run(() => listMerges(requireUser(options?.userId), this.#config.graph));
  }

  /** What resolution would join among the entities that are there. Writes nothing. */
  async proposeMerges(options: { readonly userId: string }): Promise<MergeProposal[]> {
    return this.#run(() => proposeMerges(requireUser(options?.userId), this.#config.graph));
  }

  /** Makes the spelling of a merge an entity of its own again; the two are never joined anew. @throws NOT_FOUND */
  async undoMerge(id: string, options: { readonly userId: string }): Promise<UndoneMerge> {
    return this.#runWithIndexes(() => undoMerge(requireUser(options?.userId), id, this.#storing()));
  }

  async episodes(filter: EpisodeFilter, page: Page = DEFAULT_PAGE): Promise<Episode[]> {
    return this.#run(() => this.#config.graph.findEpisodes(readFilter('episodes', filter), readPage(page)));
  }

  async facts(filter: FactFilter, page: Page = DEFAULT_PAGE): Promise<Fact[]> {
    return this.#run(() => this.#config.graph.findFacts(readFilter('facts', filter), readPage(page)));
  }

  async entities(filter: EntityFilter, page: Page = DEFAULT_PAGE): Promise<Entity[]> {
    return this.#run(() => this.#config.graph.findEntities(readFilter('entities', filter), readPage(page)));
  }

  /** Ids of the documents and files that a user's turns and chunks came from, ascending. */
  async sources(options: { readonly userId: string }, page: Page = DEFAULT_PAGE): Promise<string[]> {
    return this.#run(() => this.#config.graph.sources(requireUser(options?.userId), readPage(page)));
  }

  async users(page: Page = DEFAULT_PAGE): Promise<string[]> {
    return this.#run(() => this.#config.graph.users(readPage(page)));
  }

  /** Counts of one user's records, or of all. `outbox` is what the indexes still wait for. */
  async stats(userId?: string): Promise<MemoryStats> {
    return this.#run(() =>
      readStats(this.#config, userOrAll(userId), { ready: this.#prepare, relay: this.#relay.health, cache: this.#cache?.stats }),
    );
  }

  /** Reads the turns that still wait to be read (`bufferTurns`); resolves when the indexes hold everything, also of other processes before. */
  async flush(signal?: AbortSignal): Promise<void> {
    await this.#runWithIndexes(async () => {
      if (this.#options.extraction.bufferTurns > 1) await readWaiting(this.#storing(), this.#options, signal);
      await this.#relay.drain(signal);
    });
  }

  /**
   * Compares the graph with both indexes, for one user or for all. Changes nothing; what is on its way to the indexes counts as waiting.
   * @throws INDEX_UNAVAILABLE, and errors of the graph store
   */
  async check(userId?: string): Promise<MemoryCheck> {
    return this.#runWithIndexes(() => checkMemory(this.#upkeep(), userOrAll(userId)));
  }

  /** Brings what waits to the indexes, adds what they lack and deletes what the graph does not have. Safe beside other calls. */
  async repair(userId?: string, signal?: AbortSignal): Promise<MemoryRepair> {
    return this.#runWithIndexes(() => repairMemory(this.#upkeep(), userOrAll(userId), signal));
  }

  /**
   * Builds both indexes anew from the graph with this memory's embedding model, which may be another than before, and takes them into use.
   * @throws UNSUPPORTED where an index can't be rebuilt; errors of the embedding model, with the old index in place where the driver keeps two
   */
  async reindex(options: { readonly progress?: ReindexProgress; readonly signal?: AbortSignal } = {}): Promise<ReindexResult> {
    return this.#run(async () => {
      const { space, confirm } = await this.#space();
      await confirm();
      return reindexMemory(this.#upkeep(), space, options);
    });
  }

  /** Waits for what is under way, then closes drivers and models. Later calls throw CLOSED. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#underWay);
    await failureOf(() => this.#accesses.flush());
    await this.#relay.stop();
    const { graph, vectors, keywords, embedding, resources } = this.#config;
    for (const resource of [embedding, ...new Set([vectors, keywords]), graph, ...(resources ?? [])]) await resource.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #storing(): StoreDependencies {
    const { deadlines } = this.#options;
    return {
      ...this.#config,
      embedding: timelyEmbedding(this.#config.embedding, deadlines),
      clock: this.#clock,
      relay: this.#relay,
      modelQueue: this.#modelQueue,
      userLocks: this.#userLocks,
      beingRead: this.#beingRead,
      beginning: this.#beginning,
      ready: (signal) => failureOf(() => withDeadline('indexes', deadlines.indexMs, signal, this.#prepare), isBearable),
    };
  }

  #lifecycle(): LifecycleStore {
    if (this.#config.lifecycle !== undefined) return this.#config.lifecycle;
    throw new MemoryError('UNSUPPORTED', 'This needs a lifecycle store, and this memory was made without one (option `lifecycle`).');
  }

  async #recallDependencies(userId: string): Promise<RetrieveDependencies & Reached> {
    const stores = { openGraph: this.#openGraph, openIndexes: this.#prepare, lifecycle: this.#config.lifecycle, clock: this.#clock };
    const reached = await reachStores(userId, stores, this.#options.deadlines.recallMs);
    if (reached.down.indexes === undefined) this.#relay.resume();
    return { ...this.#config, clock: this.#clock, ...reached };
  }

  /** Begins a call: from now on `close()` waits for it. */
  async #untilDone<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.#closed) throw new MemoryError('CLOSED', 'This memory was closed. Open it again with openMemory() or createMemory().');
    const working = (async () => work())();
    this.#underWay.add(working);
    try {
      return await working;
    } finally {
      this.#underWay.delete(working);
    }
  }

  #run<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#untilDone(async () => {
      await this.#openGraph();
      return work();
    });
  }

  #runWithIndexes<T>(work: () => T | Promise<T>): Promise<T> {
    return this.#run(async () => {
      await this.#prepare();
      return work();
    });
  }

  async #openIndexes(): Promise<void> {
    const { vectors, keywords } = this.#config;
    const { space, confirm } = await this.#space();
    await Promise.all([vectors.open(space, confirm), keywords.open(space, confirm)]);
  }

  #space(): Promise<ConfirmedSpace> {
    return spaceOf(this.#config.embedding, this.#options.deadlines.indexMs);
  }

  #upkeep() {
    return { ...this.#config, relay: this.#relay, indexing: this.#options.indexing };
  }
}

/** Puts a memory together from driver objects. `openMemory` of the package `tandem-memory` does it from configuration. */
export function createMemory(config: MemoryConfig): Memory {
  return new Memory(config);
}
