import type { Recollection } from '../domain/recollection.ts';
import { upTo, withPart } from './fuse.ts';

/** Passages that lead on: the best ones. */
const LEADING = 5;
/** Share of the leading passage's score that a document gains which it names. */
const LIFT = 0.25;
/**
 * The same where the question names the leading document by its title: then it is certain to be what is asked about. Shared out among all
 * that it names, since a page that names forty leads to none of them.
 */
const LIFT_FROM_NAMED = 3;
/** From a document that the question names on to what that one names, and once more. */
const STEPS = 2;
/** Of a long document that is named, only the best chunks. */
const CHUNKS = 2;
const MIN_TITLE_LENGTH = 4;

/**
 * Lifts passages of a document that one of the best passages names by its title: a passage about what the answer's first half names is
 * often the other half ("bridge" questions). What a document leads to that the question names comes before what only sounds like the question, but
 * the nearer always before the farther. Pure.
 * @param ranked best first
 * @returns the same recollections, with scores raised; not sorted
 */
export function followTitles(ranked: readonly Recollection[], question: string): Recollection[] {
  const titles = ranked.map(titleOf);
  const known = [...new Set(titles.filter((title) => title !== undefined))];
  const best = ranked.slice(0, LEADING).flatMap(read);
  const lifts = new Map<string, number>();
  const scoreOf = ({ item }: Leader) => item.score + (lifts.get(item.id) ?? 0);
  const lead = (leader: Leader, lift: (score: number, named: number) => number): Leader[] => {
    const named = titlesIn(leader.words, known);
    named.delete(leader.title ?? '');
    const followed = new Map<string, number>();
    return ranked.flatMap((item, index): Leader[] => {
      const title = titles[index];
      const count = followed.get(title ?? '') ?? 0;
      if (title === undefined || !named.has(title) || item.id === leader.item.id || count >= CHUNKS) return [];
      followed.set(title, count + 1);
      const gained = lift(item.score, named.size);
      if (gained <= (lifts.get(item.id) ?? 0)) return [];
      lifts.set(item.id, gained);
      return read(item);
    });
  };
  const asked = titlesIn(spaced(question), known);
  const isAsked = ({ title }: Leader) => title !== undefined && asked.has(title);
  for (const leader of best) {
    if (!isAsked(leader)) lead(leader, () => LIFT * leader.item.score);
  }
  let frontier = best.filter(isAsked);
  const starts = new Set(frontier.map(({ item }) => item.id));
  for (let step = 0; step < STEPS; step++) {
    const ceiling = Math.min(...frontier.map(scoreOf));
    frontier = frontier
      .flatMap((leader) => {
        const worth = LIFT_FROM_NAMED * scoreOf(leader);
        return lead(leader, (score, named) => upTo(ceiling - score, worth / named));
      })
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

function read(item: Recollection): Leader[] {
  return item.kind === 'episode' ? [{ item, title: titleOf(item), words: spaced(item.episode.content) }] : [];
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

/** The titles that a text names. What stands inside a longer title is not named: who asks for "New York" asks for no York. */
function titlesIn(text: string, titles: readonly string[]): Set<string> {
  const found = titles.filter((title) => names(text, title)).sort((a, b) => b.length - a.length);
  let rest = text;
  return new Set(
    found.filter((title) => {
      if (!names(rest, title)) return false;
      // A title of `spaced` holds letters, digits and spaces only.
      rest = rest.replace(new RegExp(title, 'giu'), ' | ');
      return true;
    }),
  );
}

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
