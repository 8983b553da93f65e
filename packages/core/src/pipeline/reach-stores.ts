import { timestamp } from '../domain/time.ts';
import { isBearable } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import type { RetrieveDependencies } from './retrieve.ts';
import { withDeadline } from './server-calls.ts';
import { failureOf } from './server-state.ts';

/** Which stores can't be reached (the others answer), and what of the user is not to be shown. */
export type Reached = Required<Pick<RetrieveDependencies, 'down' | 'hidden'>>;

interface ReachDependencies {
  openGraph(): Promise<void>;
  openIndexes(): Promise<void>;
  readonly lifecycle: LifecycleStore | undefined;
  readonly clock: Clock;
}

/** Opens the stores where they are not, each within the time limit. What is hidden lies beside the graph, and is not known without it. */
export async function reachStores(
  userId: string,
  { openGraph, openIndexes, lifecycle, clock }: ReachDependencies,
  limitMs: number,
): Promise<Reached> {
  const hidden = new Set<string>();
  const askGraph = async () => {
    await openGraph();
    for (const mark of (await lifecycle?.hidden(userId, timestamp(clock.now()))) ?? []) hidden.add(mark.id);
  };
  const [graph, indexes] = await Promise.all([
    failureOf(() => withDeadline('graph', limitMs, undefined, askGraph)),
    failureOf(() => withDeadline('indexes', limitMs, undefined, openIndexes), isBearable),
  ]);
  return { down: { ...(graph === undefined ? {} : { graph }), ...(indexes === undefined ? {} : { indexes }) }, hidden };
}
