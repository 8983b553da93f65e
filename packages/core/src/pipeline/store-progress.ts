import type { StoreOptions } from '../domain/store-input.ts';

/** What `options.onProgress` is told. Where the same text is there several times, it is counted once. */
export class ProgressOfStore {
  readonly #total: number;
  readonly #known: number;
  readonly #tell: StoreOptions['onProgress'];
  #read: number;

  constructor(total: number, known: number, tell: StoreOptions['onProgress']) {
    this.#total = total;
    this.#known = known;
    this.#tell = tell;
    this.#read = known;
  }

  read(count: number): void {
    this.#read = Math.min(this.#total, this.#read + count);
    this.#report(0);
  }

  /** @param sequences of this call's steps for the indexes, which have taken all up to `done` */
  indexed(done: number, sequences: readonly number[]): void {
    if (this.#tell !== undefined) this.#report(sequences.filter((sequence) => sequence <= done).length / sequences.length);
  }

  #report(share: number): void {
    const indexed = Math.min(this.#read, this.#known + Math.floor((this.#total - this.#known) * share));
    this.#tell?.({ read: this.#read, indexed, total: this.#total });
  }
}
