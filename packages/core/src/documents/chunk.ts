import { isVisible } from '../domain/clean-text.ts';
import type { DocumentSection } from '../domain/store-input.ts';
import { MemoryError } from '../errors.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { sections } from './sections.ts';
import { type Piece, pieces } from './split.ts';

export interface Chunk {
  readonly text: string;
  /** How many characters at its start stood in the text before: the end of the chunk before, or the head of the table it goes on with. */
  readonly overlap: number;
  /** The headings above it, outermost first, joined by " > "; undefined where there is none. */
  readonly heading?: string;
  /** That of its section, where the document gave one. */
  readonly metadata?: DocumentSection['metadata'];
}

export interface ChunkOptions {
  /** Largest size of a chunk in tokens. Default 512. */
  readonly maxTokens?: number;
  /** Tokens of the end of a chunk that begin the next one, in whole sentences. Default 50, at most half of `maxTokens`. */
  readonly overlapTokens?: number;
}

interface Limits {
  readonly maxTokens: number;
  readonly overlapTokens: number;
  readonly counter: TokenCounter;
}

/**
 * Cuts a text at headings and sentences, inside a sentence only where it alone is too long, and never inside a grapheme (an emoji, an
 * accented letter): one that alone is larger than the limit stands alone. Halves of surrogate pairs become U+FFFD. A table is cut between its rows, and each part begins with its head.
 * The chunks in order, without their overlaps, are the text, letter for letter; parts that are only white space are left out.
 * @param document a Markdown text, or sections that are cut one by one
 * @throws INPUT_INVALID for a limit that is none
 */
export function chunkText(document: string | readonly DocumentSection[], counter: TokenCounter, options: ChunkOptions = {}): Chunk[] {
  const maxTokens = wholeNumber('maxTokens', options.maxTokens ?? 512, 1);
  const overlapTokens = Math.min(wholeNumber('overlapTokens', options.overlapTokens ?? 50, 0), Math.floor(maxTokens / 2));
  const chunks: Chunk[] = [];
  for (const { text, heading, metadata } of typeof document === 'string' ? sections(document.toWellFormed()) : document) {
    const place = { ...(heading === undefined || heading === '' ? {} : { heading }), ...(metadata === undefined ? {} : { metadata }) };
    for (const chunk of joinPieces(pieces(text.toWellFormed(), maxTokens, counter), { maxTokens, overlapTokens, counter }))
      chunks.push({ ...chunk, ...place });
  }
  return chunks;
}

function wholeNumber(name: keyof ChunkOptions, value: number, smallest: number): number {
  if (Number.isSafeInteger(value) && value >= smallest) return value;
  throw new MemoryError('INPUT_INVALID', `\`${name}\` must be a whole number, ${smallest} or more, not ${value}. Leave it out for the default.`);
}

/** Joins neighbouring pieces while they fit together, and begins each chunk with the end of the one before. */
function* joinPieces(source: Iterable<Piece>, limits: Limits): Generator<Chunk> {
  let overlap: readonly Piece[] = [];
  let fresh: Piece[] = [];
  let tokens = 0;
  for (const piece of source) {
    if (fresh.length > 0 && tokens + piece.tokens > limits.maxTokens) {
      const done = [...fitted(overlap, fresh, limits)];
      yield* done;
      // Nothing is repeated where no chunk came before, or where it had to be halved: its end may be shorter than the overlap.
      const room = limits.maxTokens - piece.tokens;
      overlap = done.length !== 1 ? [] : lastPieces(fresh, Math.min(limits.overlapTokens, room));
      if (piece.head !== undefined) overlap = piece.head.tokens <= room ? [piece.head] : [];
      fresh = [];
      tokens = overlap.reduce((sum, { tokens: size }) => sum + size, 0);
    }
    fresh.push(piece);
    tokens += piece.tokens;
  }
  yield* fitted(overlap, fresh, limits);
}

/** The sum of the pieces' counts stands for the count of the whole, and is almost always an upper bound; where it is not, there are two chunks. */
function* fitted(overlap: readonly Piece[], fresh: readonly Piece[], limits: Limits): Generator<Chunk> {
  const added = textOf(fresh);
  if (!isVisible(added)) return;
  const repeated = textOf(overlap);
  if ((overlap.length === 0 && fresh.length === 1) || limits.counter.count(repeated + added) <= limits.maxTokens) {
    yield { text: repeated + added, overlap: repeated.length };
  } else if (overlap.length > 0) {
    yield* fitted([], fresh, limits);
  } else {
    const half = fresh.length >> 1;
    yield* fitted([], fresh.slice(0, half), limits);
    yield* fitted([], fresh.slice(half), limits);
  }
}

function lastPieces(list: readonly Piece[], room: number): readonly Piece[] {
  let from = list.length;
  for (let left = room; from > 0; from--) {
    left -= list[from - 1]?.tokens ?? 0;
    if (left < 0) break;
  }
  return list.slice(from);
}

function textOf(list: readonly Piece[]): string {
  return list.map((piece) => piece.text).join('');
}
