import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';
import { WordPieceTokenizer } from './word-piece-tokenizer.ts';

/** As in word-piece-tokenizer.ts: 512 tokens of English take about 2,200 characters. */
const MAX_TEXT_LENGTH = 8192;

export interface SentenceTokenizer {
  /** At most `maxTokens` ids, framed by the model's start and end tokens. Control tokens in a text are read as ordinary text or not at all. */
  encodeSentence(text: string, maxTokens: number): readonly number[];
}

/** A tokenizer by the `tokenizer.json` of a model: WordPiece with known words kept, any other kind (Unigram, BPE) as it is. */
export function openTokenizer(path: string): SentenceTokenizer {
  const json: { readonly model?: { readonly type?: unknown } } = JSON.parse(readFileSync(path, 'utf8'));
  return json.model?.type === 'WordPiece' ? new WordPieceTokenizer(json) : new PlainTokenizer(json);
}

class PlainTokenizer implements SentenceTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #frame: readonly number[];

  constructor(json: object) {
    // Without the added tokens none is found in a text; a vocabulary may hold them all the same.
    this.#tokenizer = new Tokenizer({ ...json, added_tokens: [], truncation: null, padding: null }, {});
    this.#frame = this.#tokenizer.encode('').ids;
  }

  encodeSentence(text: string, maxTokens: number): readonly number[] {
    const { ids } = this.#tokenizer.encode(text.slice(0, MAX_TEXT_LENGTH).toWellFormed(), { add_special_tokens: false });
    const words = ids.filter((id: number) => !this.#frame.includes(id)).slice(0, maxTokens - this.#frame.length);
    return [...this.#frame.slice(0, 1), ...words, ...this.#frame.slice(1)];
  }
}
