import type { EngineOptions } from '../config.ts';
import { MemoryError } from '../errors.ts';
import { type RelayDependencies, relayBatch } from '../outbox/relay.ts';

/** Drives the relay: one batch at a time in this process, however many callers wait. */
export class RelayLoop {
  readonly #dependencies: RelayDependencies;
  readonly #options: EngineOptions['indexing'];
  #running: Promise<number> | undefined;
  #done = 0;
  #stopped = false;

  constructor(dependencies: RelayDependencies, options: EngineOptions['indexing']) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  /** Resolves when the indexes hold every entry up to `sequence`. @throws the error that stopped the relay; the entries stay */
  async until(sequence: number, signal?: AbortSignal): Promise<void> {
    while (this.#done < sequence) {
      if (signal?.aborted === true)
        throw new MemoryError('ABORTED', 'The call was aborted while it waited for the indexes; the relay goes on.', { cause: signal.reason });
      // A step that was under way may have looked before the entry was written; only one begun now can say that nothing waits.
      const joined = this.#running !== undefined;
      if ((await this.#step()) === 0 && !joined) return;
    }
  }

  /** Resolves when nothing is waiting. */
  async drain(signal?: AbortSignal): Promise<void> {
    await this.until(Number.POSITIVE_INFINITY, signal);
  }

  /** Lets the relay work in the background. An error stops it; the entries stay for the next call. */
  start(): void {
    this.drain().catch(() => undefined);
  }

  /** Resolves when no batch is under way; none begins after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => undefined);
  }

  #step(): Promise<number> {
    if (this.#stopped) throw new MemoryError('CLOSED', 'This memory was closed; what the indexes still lack follows when it is opened again.');
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
