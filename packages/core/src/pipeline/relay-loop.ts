import type { EngineOptions } from '../config.ts';
import { type RelayDependencies, relayBatch } from '../outbox/relay.ts';

/** Drives the relay: one batch at a time in this process, however many callers wait. */
export class RelayLoop {
  readonly #dependencies: RelayDependencies;
  readonly #options: EngineOptions['indexing'];
  #running: Promise<number> | undefined;
  #done = 0;

  constructor(dependencies: RelayDependencies, options: EngineOptions['indexing']) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  /** Resolves when the indexes hold every entry up to `sequence`. @throws the error that stopped the relay; the entries stay */
  async until(sequence: number, signal?: AbortSignal): Promise<void> {
    while (this.#done < sequence) {
      signal?.throwIfAborted();
      // A step that was under way may have looked before the entry was written; only one begun now can say that nothing waits.
      const joined = this.#running !== undefined;
      if ((await this.#step()) === 0 && !joined) return;
    }
  }

  /** Resolves when nothing is waiting. */
  async drain(signal?: AbortSignal): Promise<void> {
    await this.until(Number.POSITIVE_INFINITY, signal);
  }

  #step(): Promise<number> {
    this.#running ??= relayBatch(this.#dependencies, this.#options)
      .then((sequence) => {
        this.#done = Math.max(this.#done, sequence);
        return sequence;
      })
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }
}
