import type { TokenCounter } from '../ports/token-counter.ts';

export interface Chunk {
  readonly text: string;
  /** How many characters at its start repeat the end of the chunk before. */
  readonly overlap: number;
  /** The headings above it, outermost first, joined by " > "; undefined where there is none. */
  readonly heading?: string;
}

export interface ChunkOptions {
  /** Largest size of a chunk in tokens. Default 512. */
  readonly maxTokens?: number;
  /** Tokens of the end of a chunk that begin the next one, in whole sentences. Default 50, at most half of `maxTokens`. */
  readonly overlapTokens?: number;
}

const HEADING = /^(#{1,6})\s+(.+?)\s*#*\s*$/;
const FENCE = /^\s*(?:```|~~~)/;
/** After a line, after an end of sentence and its spaces, after a CJK full stop. */
const SENTENCE = /(?<=\n)|(?<=[.!?…]["')\]]?[ \t]+)|(?<=[。！？])/u;
const WORD = /(?<=\s)(?=\S)/u;

/**
 * Cuts a text at headings and sentences, inside a sentence only where it alone is too long, and never inside a grapheme (an emoji, an
 * accented letter). The chunks in order, without their overlaps, are the text, letter for letter; parts that are only white space are left out.
 */
export function chunkText(text: string, counter: TokenCounter, options: ChunkOptions = {}): Chunk[] {
  const maxTokens = Math.max(1, options.maxTokens ?? 512);
  const overlapTokens = Math.min(Math.max(0, options.overlapTokens ?? 50), Math.floor(maxTokens / 2));
  return sections(text).flatMap((section) =>
    join(split(section.text, maxTokens, counter), maxTokens, overlapTokens, counter)
      .filter((chunk) => chunk.text.trim() !== '')
      .map((chunk) => ({ ...chunk, ...(section.heading === '' ? {} : { heading: section.heading }) })),
  );
}

function sections(text: string): { readonly heading: string; readonly text: string }[] {
  const found: { heading: string; text: string }[] = [];
  const trail: string[] = [];
  let current = { heading: '', text: '' };
  let fenced = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (FENCE.test(line)) fenced = !fenced;
    const heading = fenced ? null : HEADING.exec(line);
    if (heading !== null) {
      found.push(current);
      const depth = heading[1]?.length ?? 1;
      trail.length = Math.min(trail.length, depth - 1);
      trail.push(heading[2] ?? '');
      current = { heading: trail.join(' > '), text: '' };
    }
    current.text += line;
  }
  found.push(current);
  return found.filter((section) => section.text !== '');
}

/** The text as pieces that each fit: sentences, else words, else graphemes. */
function split(text: string, maxTokens: number, counter: TokenCounter): string[] {
  return text.split(SENTENCE).flatMap((sentence) => {
    if (counter.count(sentence) <= maxTokens) return [sentence];
    return sentence.split(WORD).flatMap((word) => {
      if (counter.count(word) <= maxTokens) return [word];
      return [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(word)].map((part) => part.segment);
    });
  });
}

/** Joins neighbouring pieces while they fit together. A piece that alone is larger than the limit (one grapheme) stands alone. */
function join(pieces: readonly string[], maxTokens: number, overlapTokens: number, counter: TokenCounter): { text: string; overlap: number }[] {
  const chunks: { text: string; overlap: number }[] = [];
  const sizes = pieces.map((piece) => counter.count(piece));
  let start = 0;
  while (start < pieces.length) {
    let from = start;
    for (let tokens = 0; from > 0 && chunks.length > 0; from--) {
      tokens += sizes[from - 1] ?? 0;
      if (tokens > overlapTokens || tokens + (sizes[start] ?? 0) > maxTokens) break;
    }
    // The sum of the pieces' counts stands for the count of the whole: it is an upper bound but for rare merges across a cut.
    let tokens = sizes.slice(from, start).reduce((sum, size) => sum + size, 0);
    let end = start;
    while (end < pieces.length && (end === start || tokens + (sizes[end] ?? 0) <= maxTokens)) tokens += sizes[end++] ?? 0;
    const overlap = pieces.slice(from, start).join('');
    chunks.push({ text: overlap + pieces.slice(start, end).join(''), overlap: overlap.length });
    start = end;
  }
  return chunks;
}
