import { type Timestamp, timestamp } from '../domain/time.ts';
import type { Clock } from '../ports/clock.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';

const MAX_WAITING = 1_000;

/** Collects what was recalled, so that an answer does not wait for a write. What is lost in a crash is no harm. */
export class AccessLog {
  readonly #lifecycle: LifecycleStore | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  /** By user and moment: what is written later was recalled then. */
  readonly #waiting = new Map<string, Map<Timestamp, Set<string>>>();
  #count = 0;

  constructor(lifecycle: LifecycleStore | undefined, clock: Pick<Clock, 'now'>) {
    this.#lifecycle = lifecycle;
    this.#clock = clock;
  }

  note(userId: string, ids: readonly string[]): void {
    if (this.#lifecycle === undefined || ids.length === 0) return;
    const at = timestamp(this.#clock.now());
    const waiting = this.#waiting.get(userId) ?? new Map<Timestamp, Set<string>>();
    this.#waiting.set(userId, waiting.set(at, new Set([...(waiting.get(at) ?? []), ...ids])));
    this.#count += ids.length;
    // After the answer has been given.
    if (this.#count > MAX_WAITING) setImmediate(() => this.flush().catch(() => undefined));
  }

  /** What was noted of the user is not to be written any more. */
  drop(userId: string): void {
    this.#waiting.delete(userId);
  }

  async flush(): Promise<void> {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    this.#count = 0;
    for (const [userId, moments] of waiting) for (const [at, ids] of moments) await this.#lifecycle?.recordAccess(userId, [...ids], at);
  }
}
