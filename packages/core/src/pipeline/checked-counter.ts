import { MemoryError } from '../errors.ts';
import type { TokenCounter } from '../ports/token-counter.ts';

/**
 * The same counter, whose counts are what budgets are made of: whole numbers, 0 or more. Parts of a token ("letters / 4") are rounded up.
 * @throws CONFIG_INVALID for what is no such number, besides what the counter throws
 */
export function checkedCounter(counter: TokenCounter): TokenCounter {
  return {
    get id() {
      return counter.id;
    },
    get addsUpByLine() {
      return counter.addsUpByLine === true;
    },
    count(text) {
      const tokens: unknown = typeof counter.count === 'function' ? counter.count(text) : undefined;
      if (typeof tokens === 'number' && tokens >= 0 && Number.isFinite(tokens)) return Math.ceil(tokens);
      const given = typeof tokens === 'number' ? String(tokens) : typeof tokens;
      throw new MemoryError(
        'CONFIG_INVALID',
        `The token counter ${counter.id} answered with ${given}. Its count(text) must give a number, 0 or more.`,
      );
    },
  };
}
