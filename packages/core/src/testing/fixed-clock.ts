import type { Clock } from '../ports/clock.ts';

/** A clock that moves only when told to, or when somebody sleeps on it. */
export class FixedClock implements Clock {
  #now: number;
  /** Every sleep that was asked for, in milliseconds. */
  readonly sleeps: number[] = [];

  constructor(start: string | Date = '2026-01-01T00:00:00.000Z') {
    this.#now = new Date(start).getTime();
  }

  now(): Date {
    return new Date(this.#now);
  }

  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(milliseconds);
    this.#now += milliseconds;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }

  set(time: string | Date): void {
    this.#now = new Date(time).getTime();
  }
}
