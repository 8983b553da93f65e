import type { TokenCounter } from '@tandem-memory/core';
import type { TiktokenBPE } from 'js-tiktoken/lite';
import { countTokens } from './byte-pair-encoding.ts';
import { RankTable } from './rank-table.ts';

/** `o200k_base`: GPT-4o and later; `cl100k_base`: GPT-4, GPT-3.5 and the text-embedding-3 models. */
export type TiktokenEncoding = 'cl100k_base' | 'o200k_base';

const CACHED_PIECES = 50_000;
/** Longer pieces are rarely seen twice, and would make the cache's memory unbounded. */
const CACHED_PIECE_LENGTH = 64;

/**
 * Counts as OpenAI's models do: exactly, but for a single word of over a million letters, which may count as its bytes. The ranks and the pattern are those of js-tiktoken; its encoder is not used, since
 * it takes a second to set up and quadratic time for a long piece (a test compares the counts).
 */
export class TiktokenCounter implements TokenCounter {
  readonly id: TiktokenEncoding;
  /** Both patterns end a piece at a line break that a `[` follows. */
  readonly addsUpByLine = true;
  readonly #pattern: RegExp;
  readonly #ranks: RankTable;
  readonly #cache = new Map<string, number>();

  private constructor(id: TiktokenEncoding, encoding: TiktokenBPE) {
    this.id = id;
    this.#pattern = new RegExp(encoding.pat_str, 'gu');
    this.#ranks = new RankTable(encoding.bpe_ranks);
  }

  /** Loads an encoding: one or two megabytes, read when first asked for. */
  static async load(encoding: TiktokenEncoding = 'o200k_base'): Promise<TiktokenCounter> {
    const module = encoding === 'o200k_base' ? await import('js-tiktoken/ranks/o200k_base') : await import('js-tiktoken/ranks/cl100k_base');
    return new TiktokenCounter(encoding, module.default);
  }

  count(text: string): number {
    let pieces: readonly string[];
    try {
      pieces = text.match(this.#pattern) ?? [];
    } catch {
      // One word of millions of letters overflows the regular expression's stack. No token is shorter than a byte, so this is never too few.
      return Buffer.byteLength(text);
    }
    let tokens = 0;
    for (const piece of pieces) tokens += this.#countPiece(piece);
    return tokens;
  }

  #countPiece(piece: string): number {
    const known = this.#cache.get(piece);
    if (known !== undefined) return known;
    const bytes = Buffer.from(piece, 'utf8');
    const tokens = this.#ranks.rank(bytes, 0, bytes.length) === undefined ? countTokens(bytes, this.#ranks) : 1;
    if (piece.length <= CACHED_PIECE_LENGTH) {
      if (this.#cache.size >= CACHED_PIECES) this.#cache.clear();
      this.#cache.set(piece, tokens);
    }
    return tokens;
  }
}
