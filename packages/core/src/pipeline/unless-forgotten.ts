import type { ChangeSet } from '../domain/change-set.ts';
import { type ErasureTrace, isErased } from '../domain/erasure.ts';
import { MemoryError } from '../errors.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { IncomingEpisode } from './read-input.ts';

export interface Fenced {
  readonly items: readonly IncomingEpisode[];
  /** For the change set: what is forgotten after it makes the commit fail. */
  readonly epoch: number;
  /** Erasures since the store began. */
  readonly traces: readonly ErasureTrace[];
}

/**
 * Does the work on the items. Where something of the user is forgotten meanwhile, the commit is refused; then the items that belong to it
 * are dropped, and the work is done again from the start on the others, since it may have read what is gone.
 * @returns undefined where nothing was left to do
 */
export async function unlessForgotten<T>(
  userId: string,
  start: { readonly items: readonly IncomingEpisode[]; readonly epoch: number },
  graph: GraphStore,
  work: (fenced: Fenced) => Promise<T>,
): Promise<T | undefined> {
  let fenced: Fenced = { ...start, traces: [] };
  while (fenced.items.length > 0) {
    try {
      return await work(fenced);
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.code !== 'FORGOTTEN') throw error;
      const { epoch, traces } = await graph.erasures(userId, fenced.epoch);
      fenced = { epoch, traces: [...fenced.traces, ...traces], items: fenced.items.filter((item) => !isErased(item.episode, traces)) };
    }
  }
  return undefined;
}

/** Commits changes that rest on what is stored; where something is erased meanwhile, they are made anew. */
export async function unlessErasedMeanwhile<T>(
  userId: string,
  graph: GraphStore,
  make: () => Promise<{ readonly changes: ChangeSet; readonly result: T }>,
): Promise<T> {
  for (;;) {
    const { epoch } = await graph.erasures(userId);
    const { changes, result } = await make();
    try {
      await graph.commit({ ...changes, epoch });
      return result;
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.code !== 'FORGOTTEN') throw error;
    }
  }
}
