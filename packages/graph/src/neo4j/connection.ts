import { MemoryError } from '@tandem-memory/core';
import type { BookmarkManager, Driver, ManagedTransaction } from 'neo4j-driver';
import { nativeCode, translateError } from './errors.ts';

export interface ConnectionOptions {
  readonly driver: Driver;
  readonly database: string | undefined;
  readonly transactionTimeoutMs: number;
  /** What makes one session see what another one has written, also on another member of a cluster. */
  readonly bookmarks: BookmarkManager;
}

const SILENCE_FACTOR = 2;

/** One row of a result by its column names. */
export type Row = Readonly<Record<string, unknown>>;

/** A statement and its parameters. All that varies is a parameter; texts of statements are constants. */
export type Run = (cypher: string, parameters: Readonly<Record<string, unknown>>) => Promise<Row[]>;

/** Runs work in managed transactions: what fails for a passing reason is tried again by the driver. */
export class Connection {
  readonly #options: ConnectionOptions;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Fails at once where the server is not there or refuses the login, which a transaction would try again for a while. */
  async verify(): Promise<void> {
    const { driver, database } = this.#options;
    try {
      await this.#answered(driver.verifyConnectivity(database === undefined ? {} : { database }));
    } catch (error) {
      throw translateError(error);
    }
  }

  read<T>(work: (run: Run) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#transact('READ', work, signal);
  }

  /** `work` may run more than once; only the last run counts. */
  async write<T>(work: (run: Run) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.#transact('WRITE', work, signal);
  }

  async #transact<T>(mode: 'READ' | 'WRITE', work: (run: Run) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { driver, database, transactionTimeoutMs, bookmarks } = this.#options;
    const session = driver.session({ defaultAccessMode: mode, bookmarkManager: bookmarks, ...(database === undefined ? {} : { database }) });
    const transaction = (tx: ManagedTransaction) => work(runner(tx));
    // Closing the session resets its connection, which makes the server undo what runs.
    const stop = () => void session.close().catch(() => undefined);
    signal?.addEventListener('abort', stop, { once: true });
    try {
      const settings = { timeout: transactionTimeoutMs };
      const result = await this.#answered(mode === 'READ' ? session.executeRead(transaction, settings) : session.executeWrite(transaction, settings));
      await session.close().catch(() => undefined);
      return result;
    } catch (error) {
      // Not waited for: a server that does not answer does not answer this either.
      stop();
      if (signal?.aborted === true) throw abortedError(signal);
      throw translateError(error);
    } finally {
      signal?.removeEventListener('abort', stop);
    }
  }

  /**
   * The server ends a transaction that runs too long; one that says nothing for twice as long, time for another attempt included, has gone
   * silent, which the driver alone would wait out for ever.
   */
  async #answered<T>(work: Promise<T>): Promise<T> {
    const limitMs = SILENCE_FACTOR * this.#options.transactionTimeoutMs;
    const silent = Promise.withResolvers<never>();
    const timer = setTimeout(
      () =>
        silent.reject(
          new MemoryError(
            'TIMEOUT',
            `Neo4j did not answer within ${limitMs} ms. Check the server and the network, then try again; a repeat is safe.`,
          ),
        ),
      limitMs,
    );
    try {
      work.catch(() => undefined);
      return await Promise.race([silent.promise, work]);
    } finally {
      clearTimeout(timer);
    }
  }
}

export function abortedError(signal: AbortSignal): MemoryError {
  return new MemoryError('ABORTED', 'The call was aborted; the graph store undid what it had begun.', { cause: signal.reason });
}

/** Another transaction removed what this one was about to remove. */
export function isGone(error: unknown): boolean {
  return nativeCode(error) === 'Neo.ClientError.Statement.EntityNotFound';
}

function runner(tx: ManagedTransaction): Run {
  return async (cypher, parameters) => {
    const { records } = await tx.run(cypher, parameters);
    return records.map((record) => record.toObject());
  };
}
