import { MemoryError } from '@tandem-memory/core';
import type { Connection, Run } from './connection.ts';

/** Of one transaction, so that none runs long. */
const MOST_READS = 64;

interface Waiting {
  /** Resolves with what tells the caller. */
  attempt(run: Run): Promise<() => void>;
  reject(error: unknown): void;
}

/** Reads that are asked for at the same moment share a transaction: one of its own costs each three round trips, and the store of many turns asks hundreds. */
export class SharedReads {
  readonly #connection: Connection;
  #waiting: Waiting[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  read<T>(work: (run: Run) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      attempt: (run) =>
        work(run).then(
          (result) => () => resolve(result),
          (error: unknown) => {
            // What this read alone is refused for does not end those of the others; what the server says does.
            if (MemoryError.isInstance(error)) return () => reject(error);
            throw error;
          },
        ),
      reject,
    });
    if (this.#waiting.length === 1) setImmediate(() => this.#begin());
    return promise;
  }

  #begin(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += MOST_READS) void this.#share(waiting.slice(from, from + MOST_READS));
  }

  async #share(waiting: readonly Waiting[]): Promise<void> {
    try {
      for (const tell of await this.#connection.read((run) => Promise.all(waiting.map(({ attempt }) => attempt(run))))) tell();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
