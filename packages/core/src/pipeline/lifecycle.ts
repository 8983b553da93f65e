import { z } from 'zod';
import { parseTime, timestamp } from '../domain/time.ts';
import { MemoryError } from '../errors.ts';
import { DEFAULT_PURPOSE } from '../lifecycle/consent.ts';
import { type DecayPlan, planDecay, setArchived } from '../lifecycle/decay.ts';
import { type ForgetDependencies, forget } from '../lifecycle/forget.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConsentRecord, LifecycleStore } from '../ports/lifecycle-store.ts';
import { parseInput, requireUser, timeInput } from './read-input.ts';
import { settleErasure } from './settle-erasure.ts';
import type { RecordDependencies } from './user-locks.ts';

export interface ConsentOptions {
  readonly userId: string;
  /** What the data is used for. Default `memory`, which is what `store()` asks for. */
  readonly purpose?: string;
  /** False withdraws the consent. */
  readonly granted: boolean;
  /** Who records it, and where it can be looked up. */
  readonly actor?: string;
  readonly note?: string;
  /** When it was given. Default: now. */
  readonly at?: string | Date;
}

export interface DecayOptions {
  readonly userId: string;
  /** Days without recall after which a memory counts half. Default 180. */
  readonly halfLifeDays?: number;
  /** Strength (importance 0 to 1, halved with time) below which a memory is archived. Default 0.05. */
  readonly threshold?: number;
  /** Days in the archive after which a memory is deleted for good. Default: never. */
  readonly deleteAfterDays?: number;
  /** Only report what would be done. */
  readonly dryRun?: boolean;
}

/** Numbers of turns. */
export interface DecayReceipt {
  readonly examined: number;
  readonly archived: number;
  /** Deleted because they were in the archive for long enough. */
  readonly deleted: number;
  /** Deleted because their expiry has passed. */
  readonly expired: number;
  readonly archivedIds: readonly string[];
  readonly deletedIds: readonly string[];
}

const consentSchema = z.strictObject({
  userId: z.string(),
  purpose: z.string().min(1).max(200).optional(),
  granted: z.boolean(),
  actor: z.string().max(1000).optional(),
  note: z.string().max(4000).optional(),
  at: timeInput.optional(),
});
const decaySchema = z.strictObject({
  userId: z.string(),
  halfLifeDays: z.number().positive().default(180),
  threshold: z.number().min(0).max(1).default(0.05),
  deleteAfterDays: z.number().min(0).optional(),
  dryRun: z.boolean().default(false),
});

/** @throws SCOPE_REQUIRED, INPUT_INVALID */
export async function recordConsent(options: ConsentOptions, lifecycle: LifecycleStore, clock: Clock): Promise<ConsentRecord> {
  const userId = requireUser((options as ConsentOptions | undefined)?.userId);
  const checked = parseInput(consentSchema, options, 'options');
  const at = checked.at === undefined ? timestamp(clock.now()) : parseTime(checked.at)?.at;
  if (at === undefined) throw new MemoryError('INPUT_INVALID', 'options.at is not a date. Give ISO 8601, for example 2024-03-01.');
  const record: ConsentRecord = {
    userId,
    purpose: checked.purpose ?? DEFAULT_PURPOSE,
    granted: checked.granted,
    at,
    ...(checked.actor === undefined ? {} : { actor: checked.actor }),
    ...(checked.note === undefined ? {} : { note: checked.note }),
  };
  await lifecycle.recordConsent(record);
  return record;
}

/**
 * Archives what has faded, deletes what has expired and, where asked, what was archived long ago.
 * @throws SCOPE_REQUIRED, INPUT_INVALID, and the errors of the graph store
 */
export async function decay(
  options: DecayOptions,
  dependencies: ForgetDependencies & RecordDependencies & { readonly lifecycle: LifecycleStore },
): Promise<DecayReceipt> {
  const userId = requireUser((options as DecayOptions | undefined)?.userId);
  const { halfLifeDays, threshold, deleteAfterDays, dryRun } = parseInput(decaySchema, options, 'options');
  const { graph, lifecycle, clock, relay } = dependencies;
  const now = clock.now();
  const plan = await planDecay(userId, { halfLifeDays, threshold, deleteAfterDays }, now, graph, lifecycle);
  if (!dryRun) {
    const removed = [...plan.remove, ...plan.expired];
    if (removed.length > 0) {
      await forget({ erasures: [{ userId, ids: removed }], notFound: [] }, 0, false, {
        ...dependencies,
        settle: (owner, results) => settleErasure(owner, results, dependencies),
      });
      await lifecycle.forget(userId, removed);
    }
    const sequences = await setArchived(userId, plan.archive, timestamp(now), graph, lifecycle);
    if (sequences.length > 0) await relay.until(sequences.reduce((a, b) => Math.max(a, b)));
  }
  return toReceipt(plan);
}

function toReceipt({ examined, archive, remove, expired }: DecayPlan): DecayReceipt {
  return {
    examined,
    archived: archive.length,
    deleted: remove.length,
    expired: expired.length,
    archivedIds: archive,
    deletedIds: [...remove, ...expired],
  };
}

/** Brings turns back from the archive. @throws SCOPE_REQUIRED */
export async function restore(
  options: { readonly userId: string; readonly ids: readonly string[] },
  dependencies: ForgetDependencies & { readonly lifecycle: LifecycleStore },
): Promise<{ readonly restored: number }> {
  const userId = requireUser((options as { userId?: unknown } | undefined)?.userId);
  const { graph, lifecycle, relay } = dependencies;
  const there = (await graph.getEpisodes(userId, [...new Set(options.ids)])).map((episode) => episode.id);
  const marks = await lifecycle.marks(userId, there);
  const archived = there.filter((id) => marks.get(id)?.archivedAt !== undefined);
  const sequences = await setArchived(userId, archived, undefined, graph, lifecycle);
  if (sequences.length > 0) await relay.until(sequences.reduce((a, b) => Math.max(a, b)));
  return { restored: archived.length };
}
