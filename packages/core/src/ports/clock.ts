export interface Clock {
  now(): Date;
  /** Resolves after `milliseconds`; rejects with ABORTED when the signal fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
}
