/**
 * Work that does for all who asked before it began. Who asks while it runs waits for the next run and shares that one: the present one may have
 * passed by what is meant.
 */
export class SharedRun<T> {
  #last: Promise<unknown> = Promise.resolve();
  #next: Promise<T> | undefined;

  run(work: () => Promise<T>): Promise<T> {
    this.#next ??= this.#begin(work);
    return this.#next;
  }

  #begin(work: () => Promise<T>): Promise<T> {
    const run = this.#last.then(() => {
      this.#next = undefined;
      return work();
    });
    this.#last = run.catch(() => undefined);
    return run;
  }
}
