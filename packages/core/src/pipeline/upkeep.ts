import type { EngineOptions } from '../config.ts';
import { allUsers, checkOutbox, checkUser, type OutboxCheck, repairSteps, type UserCheck } from '../outbox/check.ts';
import { type ReindexProgress, type ReindexReport, reindex } from '../outbox/reindex.ts';
import { type RefusedRecord, type RelayDependencies, relaySteps } from '../outbox/relay.ts';
import type { VectorSpace } from '../ports/vector-index.ts';
import type { RelayLoop } from './relay-loop.ts';

export interface MemoryCheck {
  /** Users whose indexes differ from the graph. */
  readonly drifted: readonly UserCheck[];
  readonly users: number;
  /** Records of the graph that belong into the indexes. */
  readonly records: number;
  readonly missing: number;
  readonly orphaned: number;
  readonly outbox: OutboxCheck;
  /** Records that were refused by an index or the embedding model in this process, with the reason. */
  readonly refused: readonly RefusedRecord[];
}

export interface MemoryRepair {
  readonly before: MemoryCheck;
  readonly after: MemoryCheck;
}

export interface ReindexResult extends ReindexReport {
  /** After what was stored meanwhile was added. */
  readonly after: MemoryCheck;
}

interface UpkeepDependencies extends RelayDependencies {
  readonly relay: RelayLoop;
  readonly indexing: EngineOptions['indexing'];
}

export async function checkMemory(dependencies: UpkeepDependencies, userId?: string): Promise<MemoryCheck> {
  const { graph, relay } = dependencies;
  const drifted: UserCheck[] = [];
  let [users, records, missing, orphaned] = [0, 0, 0, 0];
  for await (const user of userId === undefined ? allUsers(graph) : [userId]) {
    const check = await checkUser(user, dependencies);
    // One object may be both indexes; a record that both lack is still one record.
    const lacking = new Set([...check.vectors.missing, ...check.keywords.missing]).size;
    const extra = new Set([...check.vectors.orphaned, ...check.keywords.orphaned]).size;
    users += 1;
    records += check.records;
    missing += lacking;
    orphaned += extra;
    if (lacking + extra > 0) drifted.push(check);
  }
  return { drifted, users, records, missing, orphaned, outbox: await checkOutbox(graph), refused: relay.health.refused };
}

export async function repairMemory(dependencies: UpkeepDependencies, userId?: string, signal?: AbortSignal): Promise<MemoryRepair> {
  const { graph, relay, indexing } = dependencies;
  await relay.drain(signal);
  const before = await checkMemory(dependencies, userId);
  for (const drift of before.drifted) {
    const steps = await repairSteps(drift, graph);
    for (let start = 0; start < steps.length; start += indexing.batchSize) {
      const batch = steps.slice(start, start + indexing.batchSize);
      relay.forgetRefused(batch.map((step) => step.recordId));
      relay.noteRefused(await relaySteps(drift.userId, batch, dependencies, indexing, signal));
    }
  }
  return { before, after: await checkMemory(dependencies, userId) };
}

export async function reindexMemory(
  dependencies: UpkeepDependencies,
  space: VectorSpace,
  options: { readonly progress?: ReindexProgress; readonly signal?: AbortSignal },
): Promise<ReindexResult> {
  const report = await reindex(dependencies, space, dependencies.indexing, options.progress ?? (() => undefined), options.signal);
  dependencies.relay.forgetRefused(dependencies.relay.health.refused.map((record) => record.recordId));
  dependencies.relay.noteRefused(report.refused);
  const { after } = await repairMemory(dependencies, undefined, options.signal);
  return { ...report, after };
}
