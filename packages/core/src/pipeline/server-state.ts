import { MemoryError } from '../errors.ts';

/** What a server that is down said, or one that the caller can do without; undefined where it is up. Other errors are thrown. */
export async function failureOf(
  work: () => Promise<void>,
  isBearable: (error: MemoryError) => boolean = () => false,
): Promise<MemoryError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (MemoryError.isInstance(error) && (error.retryable || isBearable(error))) return error;
    throw error;
  }
}

/** Runs `start` once and shares its outcome; a start that failed is tried anew by the next call, since a server may be back by then. */
export function once(start: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= start().catch((error: unknown) => {
      running = undefined;
      throw error;
    });
    return running;
  };
}
