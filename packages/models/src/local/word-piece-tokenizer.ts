import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';

/**
 * Texts are cut to so many UTF-16 units before they are tokenized, so that one of a megabyte costs a millisecond. 256 tokens of English
 * take about 1,100; only text that is mostly blanks or words of over 30 letters loses something by it.
 */
const MAX_TEXT_LENGTH = 8192;
/** Words whose ids are kept: the tokenizer takes a word apart letter by letter, which was more than half of all that an ingest allocated. */
const MAX_KNOWN_WORDS = 20_000;
const MAX_KNOWN_LENGTH = 32;
/** Blanks between which no letter changes another. The other ones of Unicode the tokenizer knows better. */
const BLANKS = /[ \t\n\r]+/;

/** Text -> WordPiece ids, by the `tokenizer.json` of a BERT model, without its added tokens: `[SEP]` in a text is read as ordinary text. */
export class WordPieceTokenizer {
  readonly #tokenizer: Tokenizer;
  readonly #known = new Map<string, readonly number[]>();
  readonly #start: number;
  readonly #end: number;

  constructor(json: object) {
    this.#tokenizer = new Tokenizer({ ...json, added_tokens: [], truncation: null, padding: null }, {});
    const [start = 0, end = 0] = this.#tokenizer.encode('').ids;
    this.#start = start;
    this.#end = end;
  }

  static read(path: string): WordPieceTokenizer {
    return new WordPieceTokenizer(JSON.parse(readFileSync(path, 'utf8')));
  }

  /** Ids of the words alone. */
  encodeWords(text: string): number[] {
    return text
      .slice(0, MAX_TEXT_LENGTH)
      .split(BLANKS)
      .flatMap((word) => this.#idsOf(word));
  }

  /** At most `maxTokens` ids, framed by the model's start and end tokens. */
  encodeSentence(text: string, maxTokens: number): number[] {
    return [this.#start, ...this.encodeWords(text).slice(0, maxTokens - 2), this.#end];
  }

  #idsOf(word: string): readonly number[] {
    const known = this.#known.get(word);
    if (known !== undefined) return known;
    const { ids } = this.#tokenizer.encode(word, { add_special_tokens: false });
    if (word.length <= MAX_KNOWN_LENGTH) {
      if (this.#known.size >= MAX_KNOWN_WORDS) this.#known.clear();
      this.#known.set(word, ids);
    }
    return ids;
  }
}
