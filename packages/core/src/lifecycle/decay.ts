import { emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import { timestamp } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { LifecycleStore, LifeMark } from '../ports/lifecycle-store.ts';
import { eachPage } from './forget.ts';

export interface DecayRule {
  readonly halfLifeDays: number;
  /** Strength below which a memory is archived. */
  readonly threshold: number;
  /** Days in the archive after which it is deleted; undefined keeps it there. */
  readonly deleteAfterDays: number | undefined;
}

export interface DecayPlan {
  readonly examined: number;
  readonly archive: readonly string[];
  /** Longer in the archive than it may be. */
  readonly remove: readonly string[];
  readonly expired: readonly string[];
}

const DAY_MS = 86_400_000;
const DEFAULT_IMPORTANCE = 0.5;

/** Strength of a memory: its importance, halved for each half-life since it was last recalled, or stored. Pure. */
function strength(importance: number, lastUse: Date, now: Date, halfLifeDays: number): number {
  return importance * 2 ** (-Math.max(0, now.getTime() - lastUse.getTime()) / (halfLifeDays * DAY_MS));
}

/** Decides on each of a user's turns; writes nothing. A turn is as important as the most important fact that was read out of it. */
export async function planDecay(userId: string, rule: DecayRule, now: Date, graph: GraphStore, lifecycle: LifecycleStore): Promise<DecayPlan> {
  const importance = new Map<string, number>();
  await eachPage(
    (page) => graph.findFacts({ userId }, page),
    (fact: Fact) => {
      for (const id of fact.evidence) importance.set(id, Math.max(importance.get(id) ?? 0, fact.importance));
    },
  );
  const stored = new Map<string, string>();
  await eachPage(
    (page) => graph.findEpisodes({ userId }, page),
    (episode: Episode) => {
      stored.set(episode.id, episode.createdAt);
    },
  );
  const marks = await lifecycle.marks(userId, [...stored.keys()]);
  const plan = { archive: [] as string[], remove: [] as string[], expired: [] as string[] };
  for (const [id, createdAt] of stored) {
    const mark = marks.get(id);
    if (mark?.expiresAt !== undefined && mark.expiresAt <= timestamp(now)) plan.expired.push(id);
    else if (mark?.archivedAt !== undefined) {
      if (rule.deleteAfterDays !== undefined && now.getTime() - Date.parse(mark.archivedAt) >= rule.deleteAfterDays * DAY_MS) plan.remove.push(id);
    } else if (strength(importance.get(id) ?? DEFAULT_IMPORTANCE, lastUse(createdAt, mark), now, rule.halfLifeDays) < rule.threshold)
      plan.archive.push(id);
  }
  return { examined: stored.size, ...plan };
}

function lastUse(createdAt: string, mark: LifeMark | undefined): Date {
  return new Date(mark?.accessedAt !== undefined && mark.accessedAt > createdAt ? mark.accessedAt : createdAt);
}

/**
 * Takes turns, and the facts that rest on archived turns alone, out of the indexes; the record keeps them. Without `at` brings them back.
 * @returns sequences for the relay
 */
export async function setArchived(
  userId: string,
  ids: readonly string[],
  at: string | undefined,
  graph: GraphStore,
  lifecycle: LifecycleStore,
): Promise<number[]> {
  if (ids.length === 0) return [];
  await lifecycle.setArchived(userId, ids, at);
  const hidden = new Set((await lifecycle.hidden(userId, at ?? '0000-01-01T00:00:00.000Z')).map((mark) => mark.id));
  const changed = new Set(ids);
  const operation = at === undefined ? 'upsert' : 'delete';
  const outbox: OutboxItem[] = ids.map((recordId) => ({ operation, kind: 'episode', recordId }));
  await eachPage(
    (page) => graph.findFacts({ userId }, page),
    (fact: Fact) => {
      if (fact.origin === 'rules' || !fact.evidence.some((id) => changed.has(id))) return;
      if (at === undefined || fact.evidence.every((id) => hidden.has(id))) outbox.push({ operation, kind: 'fact', recordId: fact.id });
    },
  );
  const committed = await graph.commit({ ...emptyChangeSet(userId), outbox });
  return committed.outbox.map((entry) => entry.sequence);
}
