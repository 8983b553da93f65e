import type { TokenCounter } from '../ports/token-counter.ts';
import { blocks } from './tables.ts';

export interface Piece {
  readonly text: string;
  readonly tokens: number;
  /** Of a row: the head of its table, which a chunk that begins with the row repeats. */
  readonly head?: Piece;
}

/** What joins the character before it: a mark, a joiner, a skin tone. Space + accent is one grapheme and must not be cut. */
const EXTENDS = String.raw`[\p{M}\p{Grapheme_Extend}\p{Emoji_Modifier}\u200d\u0e33\u0eb3]`;
/**
 * After a line, after the spaces behind the end of a sentence, after a CJK full stop. The lookahead before the spaces keeps a long run
 * of them from being read again at each of its characters.
 */
const SENTENCE = new RegExp(String.raw`(?!${EXTENDS})(?:(?<=\n)|(?![ \t])(?<=[.!?…]["')\]]?[ \t]+)|(?<=[。！？]))`, 'gu');
const LINE = /(?<=\n)/gu;
const WORD = new RegExp(String.raw`(?<=\s)(?=\S)(?!${EXTENDS})`, 'gu');
const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** No text has fewer tokens than one for so many characters; counting a file without a full stop would cost more than cutting it. */
const MAX_CHARACTERS_PER_TOKEN = 128;

const LEVELS: readonly ((text: string) => Iterable<string>)[] = [(text) => cut(text, SENTENCE), (text) => cut(text, WORD), graphemes];

/** A head that takes more than this share of a chunk is not repeated. */
const MAX_HEAD_SHARE = 1 / 3;

/**
 * The text as pieces that each fit: rows of tables and sentences, else words, else graphemes. Lazy: a file is never held as a list of its
 * letters.
 */
export function* pieces(text: string, maxTokens: number, counter: TokenCounter): Generator<Piece> {
  for (const block of blocks(text)) {
    if (block.head === undefined) yield* splitAt(0, block.text, maxTokens, counter);
    else yield* rows(block.head, block.text, maxTokens, counter);
  }
}

function* rows(headText: string, body: string, maxTokens: number, counter: TokenCounter): Generator<Piece> {
  const head = { text: headText, tokens: counter.count(headText) };
  if (head.tokens > maxTokens * MAX_HEAD_SHARE) return yield* splitAt(0, headText + body, maxTokens, counter);
  yield head;
  for (const row of cut(body, LINE)) {
    const tokens = counter.count(row);
    if (tokens <= maxTokens) yield { text: row, tokens, head };
    else for (const piece of splitAt(0, row, maxTokens, counter)) yield { ...piece, head };
  }
}

function* splitAt(level: number, text: string, maxTokens: number, counter: TokenCounter): Generator<Piece> {
  const last = level === LEVELS.length - 1;
  for (const part of LEVELS[level]?.(text) ?? []) {
    const tokens = last || part.length <= maxTokens * MAX_CHARACTERS_PER_TOKEN ? counter.count(part) : Number.POSITIVE_INFINITY;
    if (last || tokens <= maxTokens) yield { text: part, tokens };
    else yield* splitAt(level + 1, part, maxTokens, counter);
  }
}

function* cut(text: string, boundary: RegExp): Generator<string> {
  let from = 0;
  for (const { index } of text.matchAll(boundary)) {
    if (index > from) yield text.slice(from, index);
    from = index;
  }
  if (from < text.length) yield text.slice(from);
}

function* graphemes(text: string): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(text)) yield segment;
}
