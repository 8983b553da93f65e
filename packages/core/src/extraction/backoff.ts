import { MemoryError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';

export interface BackoffOptions {
  readonly clock: Clock;
  /** Calls in a row that may fail before the error is passed on. Default 5. */
  readonly maxTries?: number;
  /** The longest single wait, also where the server asks for more. Default 30,000. */
  readonly maxWaitMs?: number;
  /** All waits together. Default 120,000. */
  readonly maxTotalWaitMs?: number;
}

const FIRST_WAIT_MS = 1000;

/**
 * Repeats calls that fail for passing reasons (MODEL_UNAVAILABLE, MODEL_RATE_LIMITED): after `retryAfterMs` where the server named it, else
 * with doubling waits, both within bounds. All runs of one instance share the total wait, so make one for each task.
 */
export class Backoff {
  readonly #clock: Clock;
  readonly #maxTries: number;
  readonly #maxWaitMs: number;
  readonly #maxTotalWaitMs: number;
  #waitedMs = 0;

  constructor(options: BackoffOptions) {
    this.#clock = options.clock;
    this.#maxTries = options.maxTries ?? 5;
    this.#maxWaitMs = options.maxWaitMs ?? 30_000;
    this.#maxTotalWaitMs = options.maxTotalWaitMs ?? 120_000;
  }

  /** @throws the last error, with the tries and the time waited in its message and details; every other error at once, as it is */
  async run<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await call();
      } catch (error) {
        if (!MemoryError.isInstance(error) || (error.code !== 'MODEL_UNAVAILABLE' && error.code !== 'MODEL_RATE_LIMITED')) throw error;
        const waitMs = Math.min(error.retryAfterMs ?? FIRST_WAIT_MS * 2 ** (tries - 1), this.#maxWaitMs);
        if (tries >= this.#maxTries || this.#waitedMs + waitMs > this.#maxTotalWaitMs) throw gaveUp(error, tries, this.#waitedMs);
        this.#waitedMs += waitMs;
        await this.#clock.sleep(waitMs, signal);
      }
    }
  }
}

function gaveUp(error: MemoryError, tries: number, waitedMs: number): MemoryError {
  return new MemoryError(
    error.code,
    `${error.message} Gave up after ${tries} ${tries === 1 ? 'try' : 'tries'} and ${Math.round(waitedMs / 1000)} s of waiting.`,
    {
      cause: error,
      details: { ...error.details, tries, waitedMs },
      ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
    },
  );
}
