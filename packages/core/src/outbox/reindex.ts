import type { EngineOptions } from '../config.ts';
import { MemoryError } from '../errors.ts';
import type { KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorSpace } from '../ports/vector-index.ts';
import { allUsers, expectedRecords } from './check.ts';
import { type RefusedRecord, type RelayDependencies, type RelayStep, relaySteps } from './relay.ts';

export interface ReindexReport {
  readonly users: number;
  readonly records: number;
  readonly refused: readonly RefusedRecord[];
}

/** Told after each batch. `total` counts the records of the users met so far. */
export type ReindexProgress = (done: number, total: number) => void;

/**
 * Builds both indexes anew from the graph, in any vector space, and then puts them in the place of the old ones. Where the driver can keep
 * two, the old ones answer until then. What is stored meanwhile reaches the old ones: check and repair afterwards.
 * @throws UNSUPPORTED where an index can't be rebuilt
 */
export async function reindex(
  dependencies: RelayDependencies,
  space: VectorSpace,
  options: EngineOptions['indexing'],
  progress: ReindexProgress,
  signal?: AbortSignal,
): Promise<ReindexReport> {
  const { graph, vectors, keywords } = dependencies;
  const one = new Set<object>([vectors, keywords]).size === 1;
  const unable = [vectors, keywords].find((index) => index.rebuild === undefined);
  if (unable !== undefined)
    throw new MemoryError(
      'UNSUPPORTED',
      `The index ${unable.name} can't be rebuilt. Empty it by its own means, then run \`tandem doctor --repair\`.`,
    );
  const newVectors = await vectors.rebuild?.(space);
  const newKeywords = one ? undefined : await keywords.rebuild?.(space);
  const rebuilds = [newVectors, newKeywords].filter((rebuild) => rebuild !== undefined);
  // An object that is both indexes gives one that is both.
  const target = {
    ...dependencies,
    vectors: newVectors?.index ?? vectors,
    keywords: newKeywords?.index ?? ((newVectors?.index ?? keywords) as unknown as KeywordIndex),
  };
  let [done, total, users] = [0, 0, 0];
  const refused: RefusedRecord[] = [];
  try {
    for await (const userId of allUsers(graph)) {
      const steps = [...(await expectedRecords(userId, graph))].map(([recordId, kind]): RelayStep => ({ operation: 'upsert', kind, recordId }));
      users += 1;
      total += steps.length;
      for (let start = 0; start < steps.length; start += options.batchSize) {
        if (signal?.aborted === true)
          throw new MemoryError('ABORTED', 'The reindexing was aborted. Run it again; `tandem doctor` says whether anything is missing until then.', {
            cause: signal.reason,
          });
        const batch = steps.slice(start, start + options.batchSize);
        refused.push(...(await relaySteps(userId, batch, target, options, signal)));
        done += batch.length;
        progress(done, total);
      }
    }
  } catch (error) {
    // The error that led here is the one to report.
    for (const rebuild of rebuilds) await rebuild.discard().catch(() => undefined);
    throw error;
  }
  for (const rebuild of rebuilds) await rebuild.commit();
  return { users, records: done, refused };
}
