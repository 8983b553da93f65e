import type PQueue from 'p-queue';
import type { EngineOptions } from '../config.ts';
import { emptyChangeSet } from '../domain/change-set.ts';
import type { Episode, NewEpisode } from '../domain/episode.ts';
import { type ExtractedEntity, type Extraction, type ModelUsage, NO_USAGE, type SkippedItem } from '../domain/extraction.ts';
import type { Receipt, StoredEpisode } from '../domain/receipt.ts';
import type { StoreInput, StoreOptions } from '../domain/store-input.ts';
import { MemoryError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { Extractor } from '../ports/extractor.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import type { Tracer } from '../ports/tracer.ts';
import { type Plan, plan } from '../resolution/plan.ts';
import { resolve } from '../resolution/resolve.ts';
import { plainTitle } from '../retrieval/title-links.ts';
import { type IncomingEpisode, isBlank, readInput } from './read-input.ts';
import type { RelayLoop } from './relay-loop.ts';

export interface StoreDependencies {
  readonly graph: GraphStore;
  readonly extractor: Extractor;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  readonly relay: RelayLoop;
  /** Bounds the calls to the model, over all stores of this engine. */
  readonly modelQueue: PQueue;
  /** One resolution and commit at a time for each user, so that two calls can't both create what one of them would have found. */
  readonly userLocks: UserLocks;
  /**
   * Fails before anything is written when the embedding does not fit the index.
   * @returns why an index can't be asked; then what is stored waits in the outbox, and is compared before it is brought there
   */
  ready(): Promise<MemoryError | undefined>;
  readonly tracer?: Tracer;
}

/** Turns committed together where no model call bounds the batch. */
const LOCAL_BATCH = 256;

/**
 * Input -> episodes (saved first) -> extract -> resolve -> plan -> commit -> relay: the only place that knows this order.
 * A turn is durable before a model sees it; what the model then fails on is kept, marked `failed`, and read again when it is stored again.
 * @throws SCOPE_REQUIRED, INPUT_INVALID; configuration and graph store errors. A failing model or index is reported, not thrown.
 */
export async function store(input: StoreInput, options: StoreOptions, dependencies: StoreDependencies, engine: EngineOptions): Promise<Receipt> {
  const { graph, extractor, clock } = dependencies;
  const { scope, incoming, skipped } = readInput(input, options, clock.now(), dependencies.counter);
  if (incoming.length === 0) return emptyReceipt(skipped);
  const indexDown = await dependencies.ready();

  const ids = [...new Set(incoming.map((item) => item.episode.id))];
  const known = new Map((await graph.getEpisodes(scope.userId, ids)).map((episode) => [episode.id, episode]));
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
  const sequences: number[] = [];
  if (needsModel) {
    const fresh = open.filter((item) => !known.has(item.episode.id)).map((item) => item.episode);
    const saved = await graph.commit(
      {
        ...emptyChangeSet(scope.userId),
        episodes: fresh,
        outbox: fresh.map((episode) => ({ operation: 'upsert', kind: 'episode', recordId: episode.id })),
      },
      options.signal,
    );
    sequences.push(...saved.outbox.map((entry) => entry.sequence));
  }
  const work = (items: readonly IncomingEpisode[]) => readAndCommit(items, scope.userId, dependencies, engine, options.signal);
  // Saved turns have their place in the thread and may be read in any order; unsaved ones get it by the order of their commits.
  // Turns that no model reads go apart: its failure is none of theirs.
  const outcomes = needsModel
    ? await Promise.all(
        [
          ...batch(toRead, engine.extraction.turnsPerCall),
          ...batch(
            open.filter((item) => !toRead.includes(item)),
            LOCAL_BATCH,
          ),
        ].map(work),
      )
    : await inOrder(batch(open, LOCAL_BATCH), work);
  sequences.push(...outcomes.flatMap((outcome) => outcome.sequences));

  const degraded = outcomes.flatMap((outcome) => (outcome.failure === undefined ? [] : [`extraction failed: ${outcome.failure}`]));
  if (options.waitForIndex === false) dependencies.relay.start();
  const indexed =
    options.waitForIndex === false ? sequences.length === 0 : await settle(dependencies.relay, sequences, degraded, indexDown, options.signal);
  const plans = outcomes.flatMap((outcome) => (outcome.plan === undefined ? [] : [outcome.plan]));
  return {
    episodes: incoming.map((item) => storedEpisode(item.episode, known, outcomes)),
    entities: uniqueById(plans.flatMap((item) => item.changes.entities)).map(({ id, name, type }) => ({ id, name, type })),
    facts: uniqueById(plans.flatMap((item) => item.changes.facts)).map(({ id, text }) => ({ id, text })),
    decisions: plans.flatMap((item) => item.decisions),
    skipped: [...skipped, ...outcomes.flatMap((outcome) => outcome.skipped)],
    usage: outcomes.reduce((sum, outcome) => addUsage(sum, outcome.usage), NO_USAGE),
    indexed,
    degraded,
  };
}

interface Outcome {
  readonly episodeIds: readonly string[];
  readonly plan?: Plan;
  readonly failure?: string;
  readonly sequences: readonly number[];
  readonly skipped: readonly SkippedItem[];
  readonly usage: ModelUsage;
}

async function readAndCommit(
  items: readonly IncomingEpisode[],
  userId: string,
  dependencies: StoreDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { graph, clock } = dependencies;
  const episodes = items.map((item) => item.episode);
  const episodeIds = episodes.map((episode) => episode.id);
  let extraction: Extraction;
  try {
    extraction = await extract(items, userId, dependencies, engine, signal);
  } catch (error) {
    if (!MemoryError.isInstance(error) || (error.kind !== 'model' && error.kind !== 'unavailable')) throw error;
    const failure = `${error.code}: ${error.message}`;
    const saved = await graph.commit({ ...emptyChangeSet(userId), states: episodeIds.map((episodeId) => ({ episodeId, state: 'failed', failure })) });
    return { episodeIds, failure, sequences: saved.outbox.map((entry) => entry.sequence), skipped: [], usage: NO_USAGE };
  }
  return dependencies.userLocks.run(userId, async () => {
    const resolution = await resolve({ userId, episodes, extraction, now: clock.now() }, { graph });
    const planned = plan(userId, resolution);
    const committed = await graph.commit(planned.changes, signal);
    return {
      episodeIds,
      plan: planned,
      sequences: committed.outbox.map((entry) => entry.sequence),
      skipped: resolution.skipped,
      usage: extraction.usage,
    };
  });
}

/** Relations of the caller as they are; the other turns by the extractor, together in one call. Turns kept verbatim are not read. */
async function extract(
  items: readonly IncomingEpisode[],
  userId: string,
  dependencies: StoreDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<Extraction> {
  const supplied = items.flatMap((item, episode) => (item.relations ?? []).map((relation) => ({ ...relation, origin: 'caller' as const, episode })));
  const types = items.flatMap((item, episode) => [...item.types].map(([name, type]) => ({ name, type, episode })));
  const given: Extraction = {
    origin: 'caller',
    entities: [...types, ...titles(items)],
    relations: supplied,
    facts: [],
    skipped: [],
    usage: NO_USAGE,
  };
  const unread = items.flatMap((item, index) => (item.relations === undefined && item.episode.state !== 'verbatim' ? [index] : []));
  if (unread.length === 0) return given;

  const episodes = unread.flatMap((index) => items[index]?.episode ?? []);
  const preceding = await precedingTurns(episodes, userId, dependencies.graph, engine.extraction.precedingTurns);
  const read = () => dependencies.extractor.extract({ episodes, preceding }, signal);
  const found = dependencies.extractor.local ? await read() : await dependencies.modelQueue.add(read);
  const place = <T extends { readonly episode?: number }>(item: T): T => ({
    ...item,
    ...(item.episode === undefined ? {} : { episode: unread[item.episode] ?? 0 }),
  });
  return {
    ...found,
    entities: [...given.entities, ...found.entities.map(place)],
    relations: [...given.relations, ...found.relations.map(place)],
    facts: found.facts.map(place),
  };
}

/** What a document is about by its title is an entity: other passages that name it lead to it. */
function titles(items: readonly IncomingEpisode[]): ExtractedEntity[] {
  return items.flatMap(({ episode }, index) => {
    const title = episode.state === 'verbatim' ? undefined : episode.metadata['title'];
    return typeof title === 'string' && !isBlank(title) ? [{ name: plainTitle(title), episode: index }] : [];
  });
}

/** What stands before the episodes in their thread, oldest first. Episodes that are not saved yet come after all that is. */
async function precedingTurns(episodes: readonly NewEpisode[], userId: string, graph: GraphStore, count: number): Promise<Episode[]> {
  const first = episodes[0];
  if (first?.threadId === undefined || count === 0) return [];
  const before = (await graph.neighbours(userId, [first.id], count)).get(first.id) ?? (await graph.latest(userId, first.threadId, count));
  return before.toReversed();
}

async function settle(
  relay: RelayLoop,
  sequences: readonly number[],
  degraded: string[],
  indexDown: MemoryError | undefined,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (sequences.length === 0) return true;
  if (indexDown !== undefined) relay.noteFailure(indexDown);
  try {
    // Waited for once already; it need not be waited for again.
    if (indexDown !== undefined) throw indexDown;
    await relay.until(Math.max(...sequences), signal);
    return true;
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.kind === 'config') throw error;
    degraded.push(`saved, but not yet in the index: ${error.code}: ${error.message}`);
    return false;
  }
}

function storedEpisode(episode: NewEpisode, known: ReadonlyMap<string, Episode>, outcomes: readonly Outcome[]): StoredEpisode {
  const before = known.get(episode.id);
  const outcome = outcomes.find((item) => item.episodeIds.includes(episode.id));
  const state =
    outcome === undefined
      ? (before?.state ?? episode.state)
      : outcome.failure !== undefined
        ? 'failed'
        : episode.state === 'verbatim'
          ? 'verbatim'
          : 'extracted';
  return { id: episode.id, state, created: before === undefined, ...(outcome?.failure === undefined ? {} : { failure: outcome.failure }) };
}

async function inOrder<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function batch(items: readonly IncomingEpisode[], size: number): IncomingEpisode[][] {
  const batches: IncomingEpisode[][] = [];
  for (const item of items) {
    const current = batches.at(-1);
    if (current === undefined || current.length >= size) batches.push([item]);
    else current.push(item);
  }
  return batches;
}

function uniqueById<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function addUsage(a: ModelUsage, b: ModelUsage): ModelUsage {
  return { calls: a.calls + b.calls, inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}

function emptyReceipt(skipped: readonly SkippedItem[]): Receipt {
  return { episodes: [], entities: [], facts: [], decisions: [], skipped, usage: NO_USAGE, indexed: true, degraded: [] };
}

/** Runs work of one user after another, and of different users side by side. */
export class UserLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(userId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(userId) ?? Promise.resolve();
    const current = before.then(work, work);
    this.#last.set(userId, current);
    try {
      return await current;
    } finally {
      if (this.#last.get(userId) === current) this.#last.delete(userId);
    }
  }
}
