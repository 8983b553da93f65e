import { z } from 'zod';
import type { EngineOptions } from '../config.ts';
import type { Episode } from '../domain/episode.ts';
import { type ModelUsage, NO_USAGE } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { MemoryError } from '../errors.ts';
import { eachPage } from '../lifecycle/forget.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { plan } from '../resolution/plan.ts';
import { resolve } from '../resolution/resolve.ts';
import { extractTurns, type ReadTurns } from './extract-turns.ts';
import { parseInput, requireUser } from './read-input.ts';
import { type StoreDependencies, withConsequences } from './store.ts';
import { addUsage } from './store-receipt.ts';
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
  signal: z.custom<AbortSignal>((value) => value instanceof AbortSignal).optional(),
  onProgress: z.custom<NonNullable<ReextractOptions['onProgress']>>((value) => typeof value === 'function').optional(),
});
const MAX_FACTS_OF_A_TURN = 1000;

interface Outcome extends Omit<ReextractReceipt, 'degraded'> {
  readonly sequences: readonly number[];
  readonly failures: readonly string[];
}

const NOTHING: Outcome = { read: 0, failed: 0, removed: 0, usage: NO_USAGE, sequences: [], failures: [] };

/**
 * Has the model read the turns that only the built-in rules have read, and those that it failed on. What the rules read out of them gives way
 * to what the model reads, turn by turn and only where it has answered; turns keep their words, their times and their place.
 * @throws SCOPE_REQUIRED, INPUT_INVALID; CONFIG_INVALID without a model
 */
export async function reextract(options: ReextractOptions, dependencies: StoreDependencies, engine: EngineOptions): Promise<ReextractReceipt> {
  const userId = requireUser((options as ReextractOptions | undefined)?.userId);
  const { signal, onProgress } = parseInput(optionsSchema, options, 'options');
  const { graph, extractor, relay } = dependencies;
  if (extractor.local) {
    throw new MemoryError('CONFIG_INVALID', 'reextract() needs a language model. Configure one (TANDEM_MODEL, TANDEM_MODEL_BASE_URL).');
  }
  const { epoch } = await graph.erasures(userId);
  const turns = await turnsToRead(userId, graph);
  const ids = new Set(turns.map(({ id }) => id));
  let done = 0;
  const work = async (batch: readonly Episode[]): Promise<Outcome> => {
    const items = batch.map((episode) => ({ episode, relations: undefined, types: new Map<string, string>() }));
    const outcome = await unlessForgotten(userId, { items, epoch }, graph, (fenced) => reread(userId, fenced, ids, dependencies, engine, signal));
    done += batch.length;
    onProgress?.({ done, total: turns.length });
    return outcome ?? NOTHING;
  };
  const outcomes = await Promise.all(batches(turns, engine.extraction.turnsPerCall).map(work));
  const { sequences, failures, ...receipt } = outcomes.reduce(together, NOTHING);
  return { ...receipt, degraded: [...new Set(failures), ...(await settled(relay, sequences))] };
}

function together(a: Outcome, b: Outcome): Outcome {
  return {
    read: a.read + b.read,
    failed: a.failed + b.failed,
    removed: a.removed + b.removed,
    usage: addUsage(a.usage, b.usage),
    sequences: [...a.sequences, ...b.sequences],
    failures: [...a.failures, ...b.failures],
  };
}

/** Thread by thread, in the order in which they were said. */
async function turnsToRead(userId: string, graph: GraphStore): Promise<Episode[]> {
  const turns: Episode[] = [];
  for (const state of ['outlined', 'failed'] as const) {
    await eachPage(
      (page) => graph.findEpisodes({ userId, state }, page),
      (episode: Episode) => void turns.push(episode),
    );
  }
  return turns.sort((a, b) => compare(a.threadId ?? '', b.threadId ?? '') || a.position - b.position || compare(a.at, b.at) || compare(a.id, b.id));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** No batch reaches over the end of a thread. */
function batches(turns: readonly Episode[], size: number): Episode[][] {
  return [...Map.groupBy(turns, ({ threadId }) => threadId).values()].flatMap((own) =>
    Array.from({ length: Math.ceil(own.length / size) }, (_, n) => own.slice(n * size, (n + 1) * size)),
  );
}

async function reread(
  userId: string,
  { items, epoch: since }: Fenced,
  outlined: ReadonlySet<string>,
  dependencies: StoreDependencies,
  engine: EngineOptions,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { graph, clock, userLocks } = dependencies;
  const episodes = items.map(({ episode }) => episode);
  let read: ReadTurns;
  try {
    read = await extractTurns(items, userId, dependencies, engine, signal);
  } catch (error) {
    if (!MemoryError.isInstance(error) || (error.kind !== 'model' && error.kind !== 'unavailable')) throw error;
    return { ...NOTHING, failed: items.length, failures: [`extraction failed: ${error.code}: ${error.message}`] };
  }
  return userLocks.run(userId, async () => {
    const now = clock.now();
    const removed = await removeFactsOfRules(
      userId,
      episodes.map(({ id }) => id),
      outlined,
      now.toISOString(),
      graph,
    );
    const { epoch, traces } = await graph.erasures(userId, since);
    if (traces.length > 0) throw new MemoryError('FORGOTTEN', 'Something of this user was forgotten meanwhile.');
    const { extraction, known } = read;
    const resolution = await resolve({ userId, episodes, extraction, now, known }, dependencies, engine.resolution);
    const { changes } = await withConsequences(plan(userId, resolution, now.toISOString()), userId, now.toISOString(), graph);
    // The words of the turns are those that the indexes have.
    const outbox = changes.outbox.filter(({ kind }) => kind === 'fact');
    const committed = await graph.commit({ ...changes, outbox, epoch }, signal);
    const sequences = committed.outbox.map(({ sequence }) => sequence);
    return { ...NOTHING, read: items.length, removed, usage: extraction.usage, sequences };
  });
}

/** Those that rest on turns which the model reads now, alone: where this ends before the turns are written anew, the next call reads them again. */
async function removeFactsOfRules(
  userId: string,
  episodeIds: readonly string[],
  outlined: ReadonlySet<string>,
  now: string,
  graph: GraphStore,
): Promise<number> {
  const facts = new Map<string, Fact>();
  for (const episodeId of episodeIds)
    for (const fact of await graph.findFacts({ userId, episodeId }, { limit: MAX_FACTS_OF_A_TURN }))
      if (fact.origin === 'rules' && fact.evidence.every((id) => outlined.has(id))) facts.set(fact.id, fact);
  if (facts.size === 0) return 0;
  const { reopened } = await graph.erase({ userId, ids: [...facts.keys()] }, { following: 0, leaveTrace: false });
  if (reopened.length > 0) await endAnew(userId, reopened, now, graph);
  return facts.size;
}
