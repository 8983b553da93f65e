import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import { emptyChangeSet } from '../domain/change-set.ts';
import type { Episode } from '../domain/episode.ts';
import { type ModelUsage, NO_USAGE } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import type { Timestamp } from '../domain/time.ts';
import { isModelFailure, MemoryError } from '../errors.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { plan } from '../resolution/plan.ts';
import { resolve } from '../resolution/resolve.ts';
import { BoundedJudge } from './bounded-judge.ts';
import { extractTurns, type ReadTurns } from './extract-turns.ts';
import { type IncomingEpisode, parseInput, requireUser, signalInput } from './read-input.ts';
import { type StoreDependencies, withConsequences } from './store.ts';
import { addUsage, usageOfFailure } from './store-receipt.ts';
import { asIncoming, batchThreads, turnsToRead } from './turns-to-read.ts';
import { endAnew } from './undo-ends.ts';
import { type Fenced, unlessForgotten } from './unless-forgotten.ts';
import { settled } from './update.ts';

export interface ReextractOptions {
  readonly userId: string;
  readonly signal?: AbortSignal;
  /** Told of each part of the work as it is done, in turns. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
}

export interface ReextractReceipt {
  /** Turns that the model has read now. */
  readonly read: number;
  /** Turns that it could not read: they stay as they were, and the next call tries them again. */
  readonly failed: number;
  /** Facts of the rules that went, since the model has read their turns. */
  readonly removed: number;
  readonly usage: ModelUsage;
  /** Why turns failed, each reason once, and what the indexes do not have yet. */
  readonly degraded: readonly string[];
}

const optionsSchema = z.strictObject({
  userId: z.string(),
  signal: signalInput.optional(),
  onProgress: z.custom<NonNullable<ReextractOptions['onProgress']>>((value) => typeof value === 'function', 'must be a function').optional(),
});
const MAX_FACTS_OF_A_TURN = 1000;

/**
 * Has the model read the turns that only the built-in rules have read, and those that it failed on. What the rules read out of them gives way
 * to what the model reads, once all turns that state it are read; turns keep their words, their times and their place. Turns with a fact in
 * common are read before the first of them is written. Where this is cut short, the next call reads what was left.
 * @throws SCOPE_REQUIRED, INPUT_INVALID; CONFIG_INVALID without a model
 */
export async function reextract(options: ReextractOptions, dependencies: StoreDependencies, engine: EngineOptions): Promise<ReextractReceipt> {
  const userId = requireUser((options as ReextractOptions | undefined)?.userId);
  const { signal, onProgress } = parseInput(optionsSchema, options, 'options');
  const { graph, extractor, modelQueue, relay } = dependencies;
  if (extractor.local) {
    throw new MemoryError('CONFIG_INVALID', 'reextract() needs a language model. Configure one (TANDEM_MODEL, TANDEM_MODEL_BASE_URL).');
  }
  const { epoch } = await graph.erasures(userId);
  const turns = await turnsToRead(userId, ['outlined', 'failed'], graph);
  const work = (await groups(batchThreads(turns.map(asIncoming), engine.extraction.turnsPerCall), graph)).values();
  const receipt = { read: 0, failed: 0, removed: 0, usage: NO_USAGE };
  const sequences: number[] = [];
  const failures = new Set<string>();
  let isDown = false;
  const worker = async (): Promise<void> => {
    for (const items of work) {
      // A model that does not answer is asked no more: each call would wait as long again.
      const outcome = isDown
        ? { ...NOTHING, failed: items.length }
        : await unlessForgotten(userId, { items, epoch }, graph, (fenced) => reread(userId, fenced, dependencies, engine, signal));
      const { read, failed, removed, usage, failure } = outcome ?? NOTHING;
      receipt.read += read;
      receipt.failed += failed;
      receipt.removed += removed;
      receipt.usage = addUsage(receipt.usage, usage);
      sequences.push(...(outcome?.sequences ?? []));
      if (failure !== undefined) failures.add(`extraction failed: ${failure.code}: ${failure.message}`);
      isDown ||= failure?.kind === 'unavailable' || failure?.code === 'MODEL_REJECTED';
      onProgress?.({ done: receipt.read + receipt.failed, total: turns.length });
    }
  };
  await Promise.all(Array.from({ length: modelQueue.concurrency }, worker));
  return { ...receipt, degraded: [...failures, ...(await settled(relay, sequences))] };
}

interface Outcome extends Omit<ReextractReceipt, 'degraded'> {
  readonly sequences: readonly number[];
  readonly failure?: MemoryError;
}

const NOTHING: Outcome = { read: 0, failed: 0, removed: 0, usage: NO_USAGE, sequences: [] };

interface Group {
  readonly turns: readonly IncomingEpisode[];
  readonly factIds: ReadonlySet<string>;
}

/** Turns of batches that share a fact of the rules, together. */
async function groups(all: readonly (readonly IncomingEpisode[])[], graph: GraphStore): Promise<(readonly IncomingEpisode[])[]> {
  const found = new Set<Group>();
  for (const batch of all) {
    const ids = (
      await factsOfRules(
        batch.map(({ episode }) => episode),
        graph,
      )
    ).map(({ id }) => id);
    const touching = [...found].filter(({ factIds }) => ids.some((id) => factIds.has(id)));
    for (const group of touching) found.delete(group);
    found.add({
      turns: [...touching.flatMap(({ turns }) => turns), ...batch],
      factIds: new Set([...touching.flatMap(({ factIds }) => [...factIds]), ...ids]),
    });
  }
  return [...found].map(({ turns }) => turns);
}

async function factsOfRules(turns: readonly Pick<Episode, 'id' | 'userId'>[], graph: GraphStore): Promise<Fact[]> {
  const facts = new Map<string, Fact>();
  for (const { id: episodeId, userId } of turns)
    for (const fact of await graph.findFacts({ userId, episodeId }, { limit: MAX_FACTS_OF_A_TURN }))
      if (fact.origin === 'rules') facts.set(fact.id, fact);
  return [...facts.values()];
}

interface ReadBatch extends ReadTurns {
  readonly episodes: readonly Episode[];
}

async function reread(
  userId: string,
  { items, epoch: since }: Fenced,
  dependencies: StoreDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { graph, clock, userLocks } = dependencies;
  const read = async (batch: readonly IncomingEpisode[]): Promise<ReadBatch | MemoryError> => {
    try {
      return { ...(await extractTurns(batch, userId, dependencies, engine, signal)), episodes: await episodesOf(userId, batch, graph) };
    } catch (error) {
      if (!isModelFailure(error)) throw error;
      return error;
    }
  };
  const results = await Promise.all(batchThreads(items, engine.extraction.turnsPerCall).map(read));
  const failures = results.filter((result) => MemoryError.isInstance(result));
  const [failure] = failures;
  let usage = failures.map(usageOfFailure).reduce(addUsage, NO_USAGE);
  const answered = results.flatMap((result) => (MemoryError.isInstance(result) ? [] : [result]));
  const turns = answered.flatMap(({ episodes }) => episodes);
  const failed = items.length - turns.length;
  if (turns.length === 0) return { ...NOTHING, failed, usage, ...(failure === undefined ? {} : { failure }) };
  return userLocks.run(userId, async () => {
    const now = clock.now();
    const at = now.toISOString();
    const removed = await removeFactsOfRules(userId, turns, at, graph);
    const { epoch, traces } = await graph.erasures(userId, since);
    if (traces.length > 0) throw new MemoryError('FORGOTTEN', 'Something of this user was forgotten meanwhile.');
    const sequences = [...removed.sequences];
    const judge = new BoundedJudge(dependencies.judge, engine.deadlines.recallMs, signal);
    for (const { episodes, extraction, known } of answered) {
      const resolution = await resolve({ userId, episodes, extraction, now, known }, { ...dependencies, judge }, engine.resolution);
      const { changes } = await withConsequences(plan(userId, resolution, at), userId, at, graph);
      const committed = await graph.commit(
        {
          ...changes,
          // The words of the turns are those that the indexes have.
          outbox: changes.outbox.filter(({ kind }) => kind === 'fact'),
          epoch,
        },
        signal,
      );
      sequences.push(...committed.outbox.map(({ sequence }) => sequence));
      usage = addUsage(usage, extraction.usage);
    }
    usage = addUsage(usage, judge.usage);
    return { read: turns.length, failed, removed: removed.count, usage, sequences, ...(failure === undefined ? {} : { failure }) };
  });
}

async function episodesOf(userId: string, batch: readonly IncomingEpisode[], graph: GraphStore): Promise<Episode[]> {
  return graph.getEpisodes(
    userId,
    batch.map(({ episode }) => episode.id),
  );
}

/**
 * Of what the rules read, all that rests on the turns alone. What it had ended holds again, unless something else that is known ends it too;
 * the turns that state that, and the turns themselves, are outdated no more.
 */
async function removeFactsOfRules(
  userId: string,
  turns: readonly Episode[],
  now: Timestamp,
  graph: GraphStore,
): Promise<{ readonly count: number; readonly sequences: readonly number[] }> {
  const own = new Set(turns.map(({ id }) => id));
  const gone = (await factsOfRules(turns, graph)).filter(({ evidence }) => evidence.every((id) => own.has(id)));
  const { reopened, outbox } =
    gone.length === 0
      ? { reopened: [], outbox: [] }
      : await graph.erase({ userId, ids: gone.map(({ id }) => id) }, { following: 0, leaveTrace: false });
  if (reopened.length > 0) await endAnew(userId, reopened, now, graph);
  const again = (await graph.getFacts(userId, reopened)).filter(({ expiredAt }) => expiredAt === undefined);
  const stating = await graph.getEpisodes(userId, [...new Set(again.flatMap(({ evidence }) => evidence))]);
  const marked = [...turns, ...stating.filter(({ outdated }) => own.has(outdated?.by ?? ''))].filter(({ outdated }) => outdated !== undefined);
  const revisions = [...new Set(marked.map(({ id }) => id))].map((episodeId) => ({ episodeId, outdated: null }));
  const { epoch } = await graph.erasures(userId);
  if (revisions.length > 0) await graph.commit({ ...emptyChangeSet(userId), revisions, epoch });
  return { count: gone.length, sequences: outbox.map(({ sequence }) => sequence) };
}
