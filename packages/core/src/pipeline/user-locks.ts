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
