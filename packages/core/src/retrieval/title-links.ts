import type { Recollection } from '../domain/recollection.ts';
import { withPart } from './fuse.ts';

/** Passages that lead on: the best ones. */
const LEADING = 5;
/** Share of the leading passage's score that the document it names gains. */
const LIFT = 0.25;
/** The same where the question names the leading document by its title: then it is certain to be what is asked about. */
const LIFT_FROM_NAMED = 0.5;
/** From a document that the question names on to what that one names, and once more. */
const STEPS = 2;
/** Of a long document that is named, only the best chunks. */
const CHUNKS = 2;
const MIN_TITLE_LENGTH = 4;

/**
 * Lifts passages of a document that one of the best passages names by its title: a passage about what the answer's first half names is
 * often the other half ("bridge" questions). Pure.
 * @param ranked best first
 * @returns the same recollections, with scores raised; not sorted
 */
export function followTitles(ranked: readonly Recollection[], question: string): Recollection[] {
  const asked = spaced(question);
  const read = (item: Recollection): Leader[] =>
    item.kind === 'episode' ? [{ item, title: titleOf(item), words: spaced(item.episode.content) }] : [];
  const best = ranked.slice(0, LEADING).flatMap(read);
  const isAsked = ({ title }: Leader) => title !== undefined && names(asked, title);
  const lifts = new Map<string, number>();
  const lead = (leader: Leader, score: number, share: number): Leader[] => {
    const followed = new Map<string, number>();
    return ranked.flatMap((item): Leader[] => {
      const title = titleOf(item);
      const count = followed.get(title ?? '') ?? 0;
      if (title === undefined || title === leader.title || item.id === leader.item.id || count >= CHUNKS || !names(leader.words, title)) return [];
      followed.set(title, count + 1);
      if (share * score <= (lifts.get(item.id) ?? 0)) return [];
      lifts.set(item.id, share * score);
      return read(item);
    });
  };
  for (const leader of best) {
    if (!isAsked(leader)) lead(leader, leader.item.score, LIFT);
  }
  const named = best.filter(isAsked);
  const starts = new Set(named.map(({ item }) => item.id));
  let frontier = named;
  for (let step = 0; step < STEPS; step++) {
    frontier = frontier
      .flatMap((leader) => lead(leader, leader.item.score + (lifts.get(leader.item.id) ?? 0), LIFT_FROM_NAMED))
      .filter(({ item }) => !starts.has(item.id));
  }
  return ranked.map((item) => {
    const lift = lifts.get(item.id) ?? 0;
    return lift > 0 ? withPart(item, 'title', lift) : item;
  });
}

interface Leader {
  readonly item: Recollection;
  readonly title: string | undefined;
  readonly words: string;
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
