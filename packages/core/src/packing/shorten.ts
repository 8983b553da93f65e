import { CUT_MARK } from './render-item.ts';

/** A cut that leaves less than this says nothing. */
const MIN_LETTERS = 24;
/** No tokenizer makes one token of more letters than this on average, so what lies beyond can't fit. */
const MAX_LETTERS_PER_TOKEN = 16;

/**
 * The longest beginning of a text that fits, cut at the end of a sentence, else after a word, else after a letter, with a visible mark.
 * Never inside an emoji or a surrogate pair.
 * @param tokens size of what is left, to bound the search
 * @param fits whether a shortened text, mark included, fits
 * @returns undefined where not even a few words fit
 */
export function shorten(text: string, tokens: number, fits: (text: string) => boolean): string | undefined {
  const head = text.trim().slice(0, Math.min(text.length, Math.max(0, tokens) * MAX_LETTERS_PER_TOKEN));
  for (const granularity of ['sentence', 'word', 'grapheme'] as const) {
    const ends = [...new Intl.Segmenter(undefined, { granularity }).segment(head)].map(({ index, segment }) => index + segment.length);
    // The last piece may be the torso that the bound left of a longer one.
    if (head.length < text.trim().length) ends.pop();
    const cut = (end: number) => head.slice(0, end).trimEnd() + CUT_MARK;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (fits(cut(ends[middle - 1] ?? 0))) low = middle;
      else high = middle - 1;
    }
    const end = ends[low - 1] ?? 0;
    if (end >= MIN_LETTERS) return cut(end);
  }
  return undefined;
}
