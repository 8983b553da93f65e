import { clausesIn } from '../domain/clauses.ts';
import type { Episode } from '../domain/episode.ts';
import type { Query } from '../domain/query.ts';
import type { Recollection } from '../domain/recollection.ts';
import { analyseText } from '../domain/text-analysis.ts';
import { byScore, withPart } from './fuse.ts';
import { slotCues } from './slot-cues.ts';

/** What took the place of a memory. */
export interface Successor {
  readonly id: string;
  /** The part of the memory that it took the place of, in words; empty: all of it. */
  readonly about: string;
}

/** A memory that ended, and one that took its place. */
export type Replacement = readonly [ended: string, by: string];

const SMALLEST_STEP = 1e-6;
const MAX_CHAIN = 32;

/**
 * Of what ended the replacements that count for a question: what ended in part only (a turn with several statements) does where the question is
 * about the part that ended, and of several that took the place of parts those do that it is about. Pure.
 * @param replacedBy id of a record to what took its place
 */
export function replacementsFor(
  query: Query,
  items: readonly Recollection[],
  replacedBy: ReadonlyMap<string, readonly Successor[]>,
): readonly Replacement[] {
  const known = new Set(items.map((item) => item.id));
  const cues = slotCues(query.text);
  return items.flatMap((item) => {
    const successors = (replacedBy.get(item.id) ?? []).filter(({ id }) => id !== item.id && known.has(id));
    if (successors.length === 0 || (item.kind === 'episode' && !concerns(item.episode, query, cues))) return [];
    return fitting(successors, query, cues).map(({ id }) => [item.id, id] as const);
  });
}

/** Lets no memory that ended come before the one that took its place: that one is lifted to just above it. Pure; best first. */
export function liftReplacements(items: readonly Recollection[], replacements: readonly Replacement[]): Recollection[] {
  const scores = new Map(items.map((item) => [item.id, item.score]));
  const pairs = replacements.filter(([old, by]) => scores.has(old) && scores.has(by));
  // Each pass lifts one more step of a chain: Lindby, Corran, Bergen.
  for (let pass = 0, changed = pairs.length > 0; changed && pass < MAX_CHAIN; pass++) {
    changed = false;
    for (const [old, by] of pairs) {
      const floor = (scores.get(old) ?? 0) + SMALLEST_STEP;
      if ((scores.get(by) ?? 0) >= floor) continue;
      scores.set(by, floor);
      changed = true;
    }
  }
  const lifted = items.map((item) => {
    const by = (scores.get(item.id) ?? item.score) - item.score;
    return by > 0 ? withPart(item, 'replacement', by) : item;
  });
  return lifted.sort(byScore);
}

type Cues = ReadonlyMap<string, number>;

/** Whether a question is about what ended of an outdated turn: then its parts and what took their place are worth reading. */
export function isAboutEnd(query: Query): (turn: Episode) => boolean {
  const cues = slotCues(query.text);
  return (turn) => concerns(turn, query, cues);
}

/** A turn that ended in part concerns a question that shares as much with what ended as with any clause of the rest. */
function concerns({ outdated, content }: Episode, query: Query, cues: Cues): boolean {
  if (outdated === undefined || !outdated.inPart) return true;
  const words = new Set(analyseText(outdated.about));
  const ended = cuesAmong(words, cues);
  const fit = shared(words, query) + sum(ended);
  if (fit === 0) return false;
  // "Where does my sister work?" is more about "My sister works at Acme" than about the job that ended.
  return restOf(content, words).every((clause) => {
    const asked = slotCues(clause);
    return fit >= shared(new Set(analyseText(clause)), query) + sum(ended.filter(([slot]) => asked.has(slot)));
  });
}

/** Clauses that have fewer words of what ended than another. */
function restOf(content: string, ended: ReadonlySet<string>): string[] {
  const rated = clausesIn(content).map((clause) => ({ clause, words: new Set(analyseText(clause).filter((word) => ended.has(word))).size }));
  const most = Math.max(0, ...rated.map(({ words }) => words));
  return rated.filter(({ words }) => words < most).map(({ clause }) => clause);
}

/** All, where the question is about none of the parts. */
function fitting(successors: readonly Successor[], query: Query, cues: Cues): readonly Successor[] {
  const rated = successors.map((successor) => ({ successor, fit: fitOf(successor.about, query, cues) }));
  // "Where do I live, and what is my job?" asks for both; the "where" of "Where do I work?" alone for no home.
  const least = Math.min(1, Math.max(...rated.map(({ fit }) => fit)));
  return rated.filter(({ fit }) => fit >= least).map(({ successor }) => successor);
}

function fitOf(about: string, query: Query, cues: Cues): number {
  const words = new Set(analyseText(about));
  return shared(words, query) + sum(cuesAmong(words, cues));
}

function cuesAmong(words: ReadonlySet<string>, cues: Cues): (readonly [slot: string, weight: number])[] {
  return [...cues].filter(([slot]) => words.has(analyseText(slot)[0] ?? ''));
}

function sum(cues: readonly (readonly [slot: string, weight: number])[]): number {
  return cues.reduce((all, [, weight]) => all + weight, 0);
}

function shared(words: ReadonlySet<string>, { terms }: Query): number {
  return terms.reduce((sum, { term, weight }) => sum + (words.has(term) ? weight : 0), 0);
}
