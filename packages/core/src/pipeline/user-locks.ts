import type { Clock } from '../ports/clock.ts';
import type { GraphStore } from '../ports/graph-store.ts';

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

/** What a change of one user's records takes. */
export interface RecordDependencies {
  readonly graph: GraphStore;
  readonly clock: Clock;
  readonly userLocks: UserLocks;
}
