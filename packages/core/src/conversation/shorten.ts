import type { TokenCounter } from '../ports/token-counter.ts';

/** Of what is kept, most is the beginning; the end often holds the question. */
const HEAD_SHARE = 0.6;
/** No text needs to be tried at more characters than this a token; it bounds the work on a giant message. */
const MAX_CHARACTERS_PER_TOKEN = 16;

/**
 * Beginning and end of a text with a visible mark between them, within `maxTokens`. No pair of surrogates is cut.
 * @returns undefined where not even the mark and a few letters fit
 */
export function shortenText(text: string, maxTokens: number, counter: TokenCounter): string | undefined {
  if (maxTokens <= 0) return undefined;
  if (text.length <= maxTokens * MAX_CHARACTERS_PER_TOKEN && counter.count(text) <= maxTokens) return text;
  let best: string | undefined;
  let low = 1;
  let high = Math.min(text.length - 1, maxTokens * MAX_CHARACTERS_PER_TOKEN);
  while (low <= high) {
    const kept = (low + high) >> 1;
    const candidate = withMark(text, kept);
    if (counter.count(candidate) <= maxTokens) {
      best = candidate;
      low = kept + 1;
    } else high = kept - 1;
  }
  return best;
}

function withMark(text: string, kept: number): string {
  const head = boundary(text, Math.ceil(kept * HEAD_SHARE));
  const tail = boundary(text, text.length - (kept - Math.ceil(kept * HEAD_SHARE)));
  return `${text.slice(0, head)} [… ${tail - head} characters left out …] ${text.slice(tail)}`;
}

/** The same place, or the one after where it falls inside a surrogate pair. */
function boundary(text: string, index: number): number {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? index + 1 : index;
}
