import { MemoryError } from '../errors.ts';
import type { Clock } from '../ports/clock.ts';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (milliseconds, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(new MemoryError('ABORTED', 'The call was aborted while it waited.'));
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, milliseconds);
      if (signal?.aborted === true) stop();
      else signal?.addEventListener('abort', stop, { once: true });
    }),
};
