import type { Recollection } from '../domain/recollection.ts';
import { withPart } from './fuse.ts';

/** Passages that lead on: the best ones. */
const LEADING = 5;
/** Share of the leading passage's score that the document it names gains. */
const LIFT = 0.25;
/** Of a long document that is named, only the best chunks. */
const CHUNKS = 2;
const MIN_TITLE_LENGTH = 4;

/**
 * Lifts passages of a document that one of the best passages names by its title: a passage about what the answer's first half names is
 * often the other half ("bridge" questions). Pure.
 * @param ranked best first
 * @returns the same recollections, with scores raised; not sorted
 */
export function followTitles(ranked: readonly Recollection[]): Recollection[] {
  const leading = ranked.slice(0, LEADING).flatMap((item) => (item.kind === 'episode' ? [{ ...item, words: spaced(item.episode.content) }] : []));
  const followed = new Map<string, number>();
  return ranked.map((item) => {
    const title = titleOf(item);
    if (title === undefined) return item;
    const named = leading.find((leader) => titleOf(leader) !== title && leader.id !== item.id && names(leader.words, title));
    const count = followed.get(title) ?? 0;
    if (named === undefined || count >= CHUNKS || named.score <= 0) return item;
    followed.set(title, count + 1);
    return withPart(item, 'title', LIFT * named.score);
  });
}

/** The title as it is written in running text, without what tells namesakes apart: "Gallu (demon)" is called Gallu. */
export function plainTitle(title: string): string {
  return title.replace(/\s*[(（][^()（）]*[)）]\s*$/u, '').trim() || title.trim();
}

function titleOf(item: Recollection): string | undefined {
  const title = item.kind === 'episode' ? item.episode.metadata['title'] : undefined;
  if (typeof title !== 'string') return undefined;
  const words = spaced(plainTitle(title));
  return words.trim().length >= MIN_TITLE_LENGTH || DENSE.test(words) ? words : undefined;
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;

/** Whole words; a single word with its capitals, since "Brothers" is a title and brothers are not. */
function names(text: string, title: string): boolean {
  return text.includes(title) || (title.trim().includes(' ') && text.toLowerCase().includes(title.toLowerCase()));
}

/** Words between single spaces, so that a title is found as whole words only. Scripts without spaces: as they are. */
function spaced(text: string): string {
  const words = text
    .normalize('NFKC')
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
  return DENSE.test(words) ? words : ` ${words} `;
}
