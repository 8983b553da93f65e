import type PQueue from 'p-queue';
import type { EngineOptions } from '../config.ts';
import { type ChangeSet, emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { Episode } from '../domain/episode.ts';
import { type ErasureTrace, isErasedFact } from '../domain/erasure.ts';
import { NO_USAGE, type SkippedItem } from '../domain/extraction.ts';
import { deriveId } from '../domain/id.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { StoreInput, StoreOptions } from '../domain/store-input.ts';
import { isModelFailure, MemoryError } from '../errors.ts';
import { DEFAULT_PURPOSE, requireConsent } from '../lifecycle/consent.ts';
import type { Clock } from '../ports/clock.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { EntityJudge } from '../ports/entity-judge.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import type { Summariser } from '../ports/summariser.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Tracer } from '../ports/tracer.ts';
import type { VectorIndex } from '../ports/vector-index.ts';
import { outdate } from '../resolution/outdate.ts';
import { type Plan, plan } from '../resolution/plan.ts';
import { resolve } from '../resolution/resolve.ts';
import { BoundedJudge } from './bounded-judge.ts';
import { cutByMeaning } from './cut-by-meaning.ts';
import { withEndsByJoin } from './end-by-join.ts';
import { extractTurns, type ReadTurns } from './extract-turns.ts';
import { type CleanInput, cleanInput } from './hygiene.ts';
import { type IncomingEpisode, isDocument, type ReadInput, readInput, requireUser } from './read-input.ts';
import type { RelayLoop } from './relay-loop.ts';
import { removeVanishedChunks } from './replace-document.ts';
import { reviseChunks } from './revise-chunks.ts';
import { ProgressOfStore } from './store-progress.ts';
import { addUsage, asSaved, emptyReceipt, type Outcome, storedEpisode, toldMerge, uniqueById, usageOfFailure } from './store-receipt.ts';
import { summariseDocument } from './summarise-document.ts';
import { asIncoming, batch, batchThreads, turnsToRead } from './turns-to-read.ts';
import { type Fenced, unlessForgotten } from './unless-forgotten.ts';
import type { UserLocks } from './user-locks.ts';

export interface StoreDependencies {
  readonly graph: GraphStore;
  /** For the facts that the model is shown. */
  readonly vectors: VectorIndex;
  readonly embedding: EmbeddingModel;
  /** Decides between names that the rules leave open. */
  readonly judge?: EntityJudge;
  readonly extractor: Extractor;
  /** Makes the summaries of documents and their sections. */
  readonly summariser?: Summariser;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  readonly relay: RelayLoop;
  /** Bounds the calls to the model, over all stores of this engine. */
  readonly modelQueue: PQueue;
  /** One resolution and commit at a time for each user, so that two calls can't both create what one of them would have found. */
  readonly userLocks: UserLocks;
  /** What each call of this engine reads first: the last thing that was forgotten. A forget that is called later waits for it, and so wins. */
  readonly beginning: Set<Promise<unknown>>;
  /** Ids of waiting turns that a call of this engine is reading. */
  readonly beingRead: Set<string>;
  /**
   * Fails before anything is written when the embedding does not fit the index.
   * @returns why an index can't be asked; then what is stored waits in the outbox, and is compared before it is brought there
   */
  ready(signal?: AbortSignal): Promise<MemoryError | undefined>;
  readonly tracer?: Tracer;
  readonly lifecycle?: LifecycleStore;
}

/** Turns committed together where no model call bounds the batch. */
const LOCAL_BATCH = 256;

/**
 * Input -> episodes (saved first) -> extract -> resolve -> plan -> commit -> relay: the only place that knows this order.
 * A turn is durable before a model sees it; what the model then fails on is kept, marked `failed`, and read again when it is stored again.
 * @throws SCOPE_REQUIRED, INPUT_INVALID; configuration and graph store errors. A failing model or index is reported, not thrown.
 */
export async function store(input: StoreInput, options: StoreOptions, dependencies: StoreDependencies, engine: EngineOptions): Promise<Receipt> {
  const clean = cleanInput(input, engine.hygiene.secrets, options?.metadata);
  const begun = begin(clean, { ...options, ...(clean.metadata === undefined ? {} : { metadata: clean.metadata }) }, dependencies, engine);
  const work = async (): Promise<Receipt> => {
    const read = await begun;
    const nothing = read.incoming.length === 0 && read.document === undefined;
    if (nothing) return emptyReceipt(read.skipped);
    const judge = new BoundedJudge(dependencies.judge, engine.deadlines.recallMs, options.signal);
    const receipt = await storeEpisodes(read, options, { ...dependencies, judge }, engine);
    return { ...receipt, usage: addUsage(receipt.usage, judge.usage) };
  };
  if (!isDocument(clean.input)) return work();
  // Two versions of one document at once would each remove the other's chunks. The place in the queue is taken before anything is waited for,
  // so that the version given last is the one that stays.
  begun.catch(() => undefined); // Told by `work`, perhaps much later; until then it would count as unhandled.
  return dependencies.userLocks.run(deriveId('document', options?.userId, clean.input.sourceId), work);
}

interface Begun extends ReadInput {
  readonly masked: readonly string[];
  readonly epoch: number;
  readonly indexDown: MemoryError | undefined;
}

/** What comes before the first turn is saved. */
async function begin(clean: CleanInput, options: StoreOptions, dependencies: StoreDependencies, engine: EngineOptions): Promise<Begun> {
  const { graph, clock, beginning } = dependencies;
  const fence = graph.erasures(requireUser((options as StoreOptions | undefined)?.userId));
  beginning.add(fence);
  fence.finally(() => beginning.delete(fence)).catch(() => undefined);
  const cut = await cutByMeaning(clean.input, dependencies, engine.documents, options.signal);
  const read = withHygiene(readInput(cut, options, clock.now(), dependencies.counter, engine.documents), clean);
  const { scope, incoming, expiresAt } = read;
  if (incoming.length === 0 && read.document === undefined) return { ...read, epoch: 0, indexDown: undefined };
  const { epoch } = await fence;
  await requireConsent(scope.userId, options.purpose ?? DEFAULT_PURPOSE, engine.consent === 'required', dependencies.lifecycle);
  const indexDown = await dependencies.ready(options.signal);
  // Before the turns are saved, so that none is ever there without its end.
  const newIds = incoming.map((item) => item.episode.id);
  if (expiresAt !== undefined) await lifecycleOf(dependencies).setExpiry(scope.userId, newIds, expiresAt);
  return { ...read, epoch, indexDown };
}

function lifecycleOf({ lifecycle }: StoreDependencies): LifecycleStore {
  if (lifecycle !== undefined) return lifecycle;
  throw new MemoryError('UNSUPPORTED', 'options.expiresAt needs a lifecycle store, and this memory was made without one.');
}

function withHygiene(read: ReadInput, { masked, recalled }: CleanInput): ReadInput & { readonly masked: readonly string[] } {
  const echo: SkippedItem = { item: 'message', reason: 'text recalled from memory is not stored again' };
  return { ...read, masked, skipped: [...read.skipped, ...Array<SkippedItem>(recalled).fill(echo)] };
}

async function storeEpisodes(input: Begun, options: StoreOptions, dependencies: StoreDependencies, engine: EngineOptions): Promise<Receipt> {
  const { graph, extractor } = dependencies;
  const { scope, skipped, document, epoch } = input;

  const ids = [...new Set(input.incoming.map((item) => item.episode.id))];
  const known = new Map((await graph.getEpisodes(scope.userId, ids)).map((episode) => [episode.id, episode]));
  const incoming = input.incoming.map((item) => ({ ...item, episode: asSaved(item.episode, known) }));
  const revised = document === undefined ? undefined : await reviseChunks(incoming, known, { userId: scope.userId, epoch }, dependencies);
  const open = incoming.filter((item) => {
    const state = known.get(item.episode.id)?.state;
    return (
      state === undefined ||
      state === 'pending' ||
      state === 'failed' ||
      (state === 'verbatim' && (item.relations !== undefined || item.episode.state !== 'verbatim'))
    );
  });
  const toRead = open.filter((item) => item.relations === undefined && item.episode.state === 'pending');
  const needsModel = !extractor.local && toRead.length > 0;
  const progress = new ProgressOfStore(ids.length, ids.length - new Set(open.map((item) => item.episode.id)).size, options.onProgress);
  const sequences: number[] = [...(revised?.sequences ?? [])];
  const start: Fenced = { items: open, epoch, traces: [] };
  let saved: Fenced = start;
  if (needsModel) {
    const first = await unlessForgotten(scope.userId, start, graph, async (fenced) => {
      const fresh = fenced.items.filter((item) => !known.has(item.episode.id)).map((item) => item.episode);
      const outbox = fresh.map((episode): OutboxItem => ({ operation: 'upsert', kind: 'episode', recordId: episode.id }));
      const receipt = await graph.commit({ ...emptyChangeSet(scope.userId), episodes: fresh, outbox, epoch: fenced.epoch }, options.signal);
      sequences.push(...receipt.outbox.map((entry) => entry.sequence));
      return fenced;
    });
    saved = first ?? { ...start, items: [] };
  }
  const work = async (items: readonly IncomingEpisode[]) => {
    const outcome = await unlessForgotten(scope.userId, { ...saved, items }, graph, (fenced) =>
      readAndCommit(fenced, scope.userId, dependencies, engine, options.signal),
    );
    progress.read(items.length);
    return outcome;
  };
  // Saved turns have their place in the thread and may be read in any order; unsaved ones get it by the order of their commits.
  // Turns that no model reads go apart: its failure is none of theirs.
  const own = saved.items.filter((item) => toRead.includes(item));
  const due = engine.extraction.bufferTurns > 1 && needsModel ? await dueTurns(own, scope.userId, dependencies, engine) : own;
  const batches = needsModel
    ? [
        ...batch(due, engine.extraction.turnsPerCall),
        ...batch(
          saved.items.filter((item) => !toRead.includes(item)),
          LOCAL_BATCH,
        ),
      ]
    : batch(open, LOCAL_BATCH);
  const outcomes = (needsModel ? await Promise.all(batches.map(work)) : await inOrder(batches, work)).filter((outcome) => outcome !== undefined);
  const done = new Set(outcomes.flatMap((outcome) => outcome.episodeIds));
  const begun = new Set(batches.flat().map((item) => item.episode.id));
  const kept = new Set(saved.items.map((item) => item.episode.id));
  const forgotten = new Set(open.map((item) => item.episode.id).filter((id) => !kept.has(id) || (begun.has(id) && !done.has(id))));
  const replaced = document === undefined ? undefined : await removeVanishedChunks({ ...scope, ...document }, new Set(ids), dependencies);
  sequences.push(...(replaced?.outbox.map((entry) => entry.sequence) ?? []));
  sequences.push(...outcomes.flatMap((outcome) => outcome.sequences));

  const summaries = document === undefined ? undefined : await summariseDocument(incoming, { ...scope, ...document }, dependencies, options.signal);
  sequences.push(...(summaries?.sequences ?? []));
  const failed = summaries?.failures ?? [];
  const degraded = outcomes.flatMap((outcome) => (outcome.failure === undefined ? [] : [`extraction failed: ${outcome.failure}`])).concat(failed);
  if (options.waitForIndex === false) dependencies.relay.start();
  const indexed =
    options.waitForIndex === false
      ? sequences.length === 0
      : await settle(dependencies.relay, sequences, degraded, input.indexDown, options.signal, progress);
  const plans = outcomes.flatMap((outcome) => (outcome.plan === undefined ? [] : [outcome.plan]));
  const refusals = dependencies.relay.refusalsOf([...incoming.map((item) => item.episode), ...plans.flatMap((item) => item.changes.facts)]);
  degraded.push(...refusals);
  return {
    episodes: incoming.filter((item) => !forgotten.has(item.episode.id)).map((item) => storedEpisode(item.episode, known, outcomes)),
    entities: uniqueById(plans.flatMap((item) => item.changes.entities)).map(({ id, name, type }) => ({ id, name, type })),
    facts: uniqueById(plans.flatMap((item) => item.changes.facts)).map(({ id, text }) => ({ id, text })),
    decisions: plans.flatMap((item) => item.decisions),
    merges: plans.flatMap((item) => item.merges.map(toldMerge)),
    skipped: [
      ...skipped,
      ...[...forgotten].map((): SkippedItem => ({ item: 'message', reason: 'forgotten while it was being stored' })),
      ...outcomes.flatMap((outcome) => outcome.skipped),
    ],
    usage: outcomes.reduce((sum, outcome) => addUsage(sum, outcome.usage), NO_USAGE),
    indexed: indexed && refusals.length === 0,
    degraded,
    ...(replaced === undefined || replaced.removed === 0 ? {} : { replaced: replaced.removed }),
    ...(revised === undefined || revised.revised === 0 ? {} : { revised: revised.revised }),
    ...(input.masked.length === 0 ? {} : { masked: input.masked }),
  };
}

/** Turns that wait, of the threads to which the new ones belong, where enough have gathered to be read in one call. */
async function dueTurns(
  fresh: readonly IncomingEpisode[],
  userId: string,
  dependencies: StoreDependencies,
  engine: EngineOptions,
): Promise<IncomingEpisode[]> {
  const threads = new Set(fresh.map((item) => item.episode.threadId));
  return claimWaiting(userId, dependencies, (groups) =>
    groups.filter((group) => threads.has(group[0]?.threadId) && group.length >= engine.extraction.bufferTurns),
  );
}

/** Under the user's lock, in which readings are committed too: a turn is either still free, or seen as claimed or read. */
async function claimWaiting(
  userId: string,
  { graph, userLocks, beingRead }: StoreDependencies,
  choose: (groups: readonly Episode[][]) => readonly Episode[][],
): Promise<IncomingEpisode[]> {
  return userLocks.run(userId, async () => {
    const free = (await turnsToRead(userId, ['pending'], graph)).filter((episode) => !beingRead.has(episode.id));
    const chosen = choose([...Map.groupBy(free, (episode) => episode.threadId).values()]).flat();
    for (const episode of chosen) beingRead.add(episode.id);
    return chosen.map(asIncoming);
  });
}

/** Reads the turns that wait, of all users, thread by thread. */
export async function readWaiting(dependencies: StoreDependencies, engine: EngineOptions, signal?: AbortSignal): Promise<void> {
  for (let after: string | undefined; ; ) {
    const users = await dependencies.graph.users({ limit: LOCAL_BATCH, ...(after === undefined ? {} : { after }) });
    for (const userId of users) {
      const { epoch } = await dependencies.graph.erasures(userId);
      const waiting = await claimWaiting(userId, dependencies, (groups) => groups);
      const judge = new BoundedJudge(dependencies.judge, engine.deadlines.recallMs, signal);
      const work = (items: readonly IncomingEpisode[]) =>
        unlessForgotten(userId, { items, epoch }, dependencies.graph, (fenced) =>
          readAndCommit(fenced, userId, { ...dependencies, judge }, engine, signal),
        );
      await Promise.all(batchThreads(waiting, engine.extraction.turnsPerCall).map(work));
    }
    after = users.at(-1);
    if (users.length < LOCAL_BATCH) return;
  }
}

async function readAndCommit(
  fenced: Fenced,
  userId: string,
  dependencies: StoreDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const ids = fenced.items.map((item) => item.episode.id);
  for (const id of ids) dependencies.beingRead.add(id);
  try {
    return await readBatch(fenced, userId, dependencies, engine, signal);
  } finally {
    for (const id of ids) dependencies.beingRead.delete(id);
  }
}

async function readBatch(
  { items, epoch, traces }: Fenced,
  userId: string,
  dependencies: StoreDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { graph, clock } = dependencies;
  const episodes = items.map((item) => item.episode);
  const episodeIds = episodes.map((episode) => episode.id);
  let read: ReadTurns;
  try {
    read = await extractTurns(items, userId, dependencies, engine, signal);
  } catch (error) {
    if (!isModelFailure(error)) throw error;
    const failure = `${error.code}: ${error.message}`;
    const saved = await graph.commit({
      ...emptyChangeSet(userId),
      states: episodeIds.map((episodeId) => ({ episodeId, state: 'failed', failure })),
      epoch,
    });
    return { episodeIds, failure, sequences: saved.outbox.map((entry) => entry.sequence), skipped: [], usage: usageOfFailure(error) };
  }
  const { extraction, known, outlined } = read;
  return dependencies.userLocks.run(userId, async () => {
    const now = clock.now();
    const resolution = await resolve({ userId, episodes, extraction, now, known }, dependencies, engine.resolution);
    const decided = plan(userId, resolution, now.toISOString(), outlined);
    const planned = await withConsequences(decided, userId, now.toISOString(), graph);
    const committed = await graph.commit({ ...withoutErasedFacts(planned.changes, traces), epoch }, signal);
    return {
      episodeIds,
      plan: planned,
      sequences: committed.outbox.map((entry) => entry.sequence),
      skipped: resolution.skipped,
      usage: extraction.usage,
    };
  });
}

/** A fact that was forgotten by its id while this store was under way is not told again by it. */
function withoutErasedFacts(changes: ChangeSet, traces: readonly ErasureTrace[]): ChangeSet {
  if (traces.length === 0) return changes;
  const erased = new Set(changes.facts.map((fact) => fact.id).filter((id) => isErasedFact(changes.userId, id, traces)));
  return {
    ...changes,
    facts: changes.facts.filter((fact) => !erased.has(fact.id)),
    closures: changes.closures.filter((closure) => !erased.has(closure.factId)),
    outbox: changes.outbox.filter((item) => !erased.has(item.recordId)),
  };
}

export async function withConsequences(planned: Plan, userId: string, now: string, graph: GraphStore): Promise<Plan> {
  const decided = await withEndsByJoin(planned, userId, now, graph);
  if (decided.ended.length === 0) return decided;
  const { changes, decisions } = await outdate(userId, decided.ended, decided.changes, now, { graph });
  return {
    ...decided,
    changes: {
      ...decided.changes,
      closures: [...decided.changes.closures, ...changes.closures],
      updates: [...decided.changes.updates, ...changes.updates],
      revisions: [...decided.changes.revisions, ...changes.revisions],
    },
    decisions: [...decided.decisions, ...decisions],
  };
}

async function settle(
  relay: RelayLoop,
  sequences: readonly number[],
  degraded: string[],
  indexDown: MemoryError | undefined,
  signal: AbortSignal | undefined,
  progress: ProgressOfStore,
): Promise<boolean> {
  if (sequences.length === 0) return true;
  if (indexDown !== undefined) relay.noteFailure(indexDown);
  try {
    // Waited for once already; it need not be waited for again.
    if (indexDown !== undefined) throw indexDown;
    const last = sequences.reduce((a, b) => Math.max(a, b));
    await relay.until(last, signal, (done) => progress.indexed(done, sequences));
    return true;
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.kind === 'config') throw error;
    degraded.push(`saved, but not yet in the index: ${error.code}: ${error.message}`);
    return false;
  }
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
