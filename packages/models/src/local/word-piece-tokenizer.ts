import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';

/**
 * Texts are cut to so many UTF-16 units before they are tokenized, so that one of a megabyte costs a millisecond. 256 tokens of English
 * take about 1,100; only text that is mostly blanks or words of over 30 letters loses something by it.
 */
const MAX_TEXT_LENGTH = 8192;

/** Text -> WordPiece ids, by the `tokenizer.json` of a BERT model. Has no added tokens: `[SEP]` in a text is read as ordinary text. */
export class WordPieceTokenizer {
  readonly #tokenizer: Tokenizer;

  constructor(path: string) {
    this.#tokenizer = new Tokenizer(JSON.parse(readFileSync(path, 'utf8')), {});
  }

  /** Ids of the words alone. */
  encodeWords(text: string): number[] {
    return this.#tokenizer.encode(text.slice(0, MAX_TEXT_LENGTH), { add_special_tokens: false }).ids;
  }

  /** At most `maxTokens` ids, framed by the model's start and end tokens. */
  encodeSentence(text: string, maxTokens: number): number[] {
    const { ids } = this.#tokenizer.encode(text.slice(0, MAX_TEXT_LENGTH));
    return ids.length <= maxTokens ? ids : [...ids.slice(0, maxTokens - 1), ...ids.slice(-1)];
  }
}
