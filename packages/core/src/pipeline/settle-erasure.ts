import type { ErasureResult } from '../domain/erasure.ts';
import { partUntold } from './merges.ts';
import { endAnew } from './undo-ends.ts';
import type { RecordDependencies } from './user-locks.ts';

/** What follows for what stays where turns were erased: names that only they had joined part, and what holds again may be ended by something else. */
export async function settleErasure(
  userId: string,
  results: readonly Pick<ErasureResult, 'reopened' | 'merges'>[],
  dependencies: RecordDependencies,
): Promise<void> {
  const merges = results.flatMap((result) => result.merges);
  if (merges.length > 0) await dependencies.userLocks.run(userId, () => partUntold(userId, merges, dependencies));
  const reopened = [...new Set(results.flatMap((result) => result.reopened))];
  if (reopened.length > 0) await endAnew(userId, reopened, dependencies.clock.now().toISOString(), dependencies.graph);
}
