import { MemoryError, type TokenCounter } from '@tandem-memory/core';

/** An estimate for models whose tokenizer is not at hand: about 4 characters a token for English, 1.5 for Korean, 1 for Chinese. */
export class CharacterCounter implements TokenCounter {
  readonly id: string;
  readonly #charactersPerToken: number;

  /** @throws CONFIG_INVALID unless the rate is a positive number */
  constructor(charactersPerToken: number) {
    if (!(charactersPerToken > 0 && Number.isFinite(charactersPerToken))) {
      throw new MemoryError(
        'CONFIG_INVALID',
        `charactersPerToken must be a positive number, not ${charactersPerToken}; give 4 for English, 1.5 for Korean.`,
      );
    }
    this.id = `characters/${charactersPerToken}`;
    this.#charactersPerToken = charactersPerToken;
  }

  /** Rounded up, so that the sum over parts is never less than the count of the whole. */
  count(text: string): number {
    return Math.ceil(text.length / this.#charactersPerToken);
  }
}
