import type { EngineOptions } from '../config.ts';
import { MemoryError } from '../errors.ts';
import { type RefusedRecord, type RelayDependencies, type RelayedBatch, relayBatch } from '../outbox/relay.ts';
import type { Clock } from '../ports/clock.ts';
import { withDeadline } from './server-calls.ts';

export interface RelayLoopDependencies extends RelayDependencies {
  readonly clock: Clock;
  /** Opens the indexes and compares the vector space, so that a relay that is late still can't write into the wrong one. */
  ready(): Promise<void>;
}

/** How the relay does: the last failure, since when nothing got through, and what was refused by this process so far. */
export interface RelayHealth {
  readonly failure?: { readonly code: string; readonly message: string; readonly attempts: number };
  readonly refused: readonly RefusedRecord[];
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Refusals kept for `stats` and `doctor`; `check()` finds the others as missing. */
const KEPT_REFUSALS = 1_000;

/** Drives the relay: one batch at a time in this process, however many callers wait. While the indexes are down it pauses longer and longer. */
export class RelayLoop {
  readonly #dependencies: RelayLoopDependencies;
  readonly #options: EngineOptions['indexing'];
  readonly #waitMs: number;
  readonly #refused = new Map<string, RefusedRecord>();
  #running: Promise<RelayedBatch> | undefined;
  #failure: { readonly error: MemoryError; readonly attempts: number; readonly retryAt: number } | undefined;
  /** Failures in a row before the batch under way: whatever is noted of one batch counts once. */
  #failuresBefore = 0;
  #done = 0;
  #stopped = false;

  constructor(dependencies: RelayLoopDependencies, { indexing, deadlines }: Pick<EngineOptions, 'indexing' | 'deadlines'>) {
    this.#dependencies = dependencies;
    this.#options = indexing;
    this.#waitMs = deadlines.indexMs;
  }

  get health(): RelayHealth {
    const failure = this.#failure;
    const { code = '', message = '' } = failure?.error ?? {};
    return { ...(failure === undefined ? {} : { failure: { code, message, attempts: failure.attempts } }), refused: [...this.#refused.values()] };
  }

  /**
   * Resolves when the indexes hold every entry up to `sequence`, save those refused.
   * @throws the error that stopped the relay, TIMEOUT where one batch takes too long; the entries stay. During a pause it is the last error,
   * at once.
   * @param onStep told after each batch up to which entry the indexes are
   */
  async until(sequence: number, signal?: AbortSignal, onStep?: (sequence: number) => void): Promise<void> {
    await this.#advance(sequence, signal, this.#waitMs, onStep);
  }

  /** Resolves when nothing is waiting. Asked for by name, so it tries also during a pause. */
  async drain(signal?: AbortSignal): Promise<void> {
    await this.#advance(Number.POSITIVE_INFINITY, signal);
  }

  /** Lets the relay work in the background. An error stops it; the entries stay for the next call. */
  start(): void {
    this.until(Number.POSITIVE_INFINITY).catch(() => undefined);
  }

  /** As `start`, where something is known to be waiting. */
  resume(): void {
    if (this.#failure !== undefined) this.start();
  }

  /** Counts a failure, also one that was met on the way to the relay. None after the first failure, which may have been a hiccup; then 1 s, doubled each time up to a minute. */
  noteFailure(error: MemoryError): void {
    const attempts = (this.#running === undefined ? (this.#failure?.attempts ?? 0) : this.#failuresBefore) + 1;
    const pause = attempts === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS * 2 ** (attempts - 2), error.retryAfterMs ?? 0));
    this.#failure = { error, attempts, retryAt: this.#dependencies.clock.now().getTime() + pause };
  }

  /** The records that were refused before and are taken now. */
  forgetRefused(recordIds: Iterable<string>): void {
    for (const id of recordIds) this.#refused.delete(id);
  }

  /** What of these records an index or the embedding model refused, in words. */
  refusalsOf(records: readonly { readonly id: string }[]): string[] {
    const refused = [...new Set(records.map(({ id }) => id))].flatMap((id) => this.#refused.get(id) ?? []);
    return refused.map(({ kind, recordId, reason }) => `saved, but not in an index: ${kind} ${recordId}: ${reason}`);
  }

  noteRefused(refused: readonly RefusedRecord[]): void {
    for (const record of refused) if (this.#refused.size < KEPT_REFUSALS) this.#refused.set(record.recordId, record);
  }

  /** Resolves when no batch is under way; none begins after it. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running?.catch(() => undefined);
  }

  async #advance(sequence: number, signal: AbortSignal | undefined, waitMs?: number, onStep?: (sequence: number) => void): Promise<void> {
    while (this.#done < sequence) {
      if (signal?.aborted === true)
        throw new MemoryError('ABORTED', 'The call was aborted while it waited for the indexes; the relay goes on.', { cause: signal.reason });
      const failure = this.#failure;
      if (waitMs !== undefined && failure !== undefined && this.#dependencies.clock.now().getTime() < failure.retryAt) throw failure.error;
      // A step that was under way may have looked before the entry was written; only one begun now can say that nothing waits.
      const joined = this.#running !== undefined;
      try {
        const step = waitMs === undefined ? await this.#step() : await this.#waitFor(waitMs, signal);
        onStep?.(this.#done);
        if (step.sequence === 0 && !joined) return;
      } catch (error) {
        // One that was under way failed for how things were when it began.
        if (!joined || !MemoryError.isInstance(error) || !error.retryable || error.code === 'TIMEOUT') throw error;
      }
    }
  }

  /** The batch itself goes on where the caller has waited long enough. */
  async #waitFor(milliseconds: number, signal: AbortSignal | undefined): Promise<RelayedBatch> {
    try {
      return await withDeadline('indexing', milliseconds, signal, () => this.#step());
    } catch (error) {
      if (MemoryError.isInstance(error) && error.code === 'TIMEOUT' && this.#running !== undefined) this.noteFailure(error);
      throw error;
    }
  }

  #step(): Promise<RelayedBatch> {
    if (this.#stopped) throw new MemoryError('CLOSED', 'This memory was closed; what the indexes still lack follows when it is opened again.');
    this.#running ??= this.#relay().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #relay(): Promise<RelayedBatch> {
    this.#failuresBefore = this.#failure?.attempts ?? 0;
    try {
      await this.#dependencies.ready();
      const batch = await relayBatch(this.#dependencies, this.#options);
      this.#failure = undefined;
      this.#done = Math.max(this.#done, batch.sequence);
      this.noteRefused(batch.refused);
      return batch;
    } catch (error) {
      if (MemoryError.isInstance(error) && error.retryable) this.noteFailure(error);
      throw error;
    }
  }
}
