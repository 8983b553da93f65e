import type { Entity } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';

/** Letters that must agree at the beginning: people seldom miss there, and a store finds names by it. */
const START = 4;
/** Shorter names are too close to each other: "Maria" and "Mario". */
const MIN_LENGTH = 6;
const MOST_STARTS = 4;

/** Of the keys those that are written like names: each of their words with a capital, and not for being the first of the question. */
export function writtenAsNames(keys: readonly string[], question: string): string[] {
  const later = question
    .trim()
    .split(/[\s,;:!?()]+/)
    .slice(1);
  const capitals = new Set(later.filter((word) => /^\P{L}*\p{Lu}/u.test(word)).map((word) => normalForm(word)));
  return keys.filter((key) => key.split(' ').every((word) => capitals.has(word)));
}

/** Beginnings for a store to find names by. */
export function startsOf(keys: readonly string[]): string[] {
  const words = keys.filter((key) => key.length > START && /^\p{L}+$/u.test(key));
  return [...new Set(words.map((word) => word.slice(0, START)))].slice(0, MOST_STARTS);
}

export interface Misspelt {
  /** Normal form of what was written. */
  readonly written: string;
  readonly meant: Entity;
}

/** The keys that are a slip of one entity's name each: where it could be two, nobody can tell which. */
export function slipsAmong(keys: readonly string[], entities: readonly Entity[]): Misspelt[] {
  return keys.flatMap((written) => {
    const [meant, another] = entities.filter((entity) => isSlip(written, entity.key));
    return meant === undefined || another !== undefined ? [] : [{ written, meant }];
  });
}

/** The text with the names as they are meant. */
export function respelt(text: string, slips: readonly Misspelt[]): string {
  return slips.reduce((respelling, { written, meant }) => {
    const words = written.split(' ').map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'));
    return respelling.replace(new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${words.join('[\\s\\p{Pd}]+')}(?![\\p{L}\\p{N}\\p{M}])`, 'giu'), () => meant.name);
  }, text);
}

/** One letter too many, too few, another instead, or two turned round, behind the beginning. Numbers must agree: a code is another code. */
function isSlip(written: string, meant: string): boolean {
  const [short, long] = written.length <= meant.length ? [written, meant] : [meant, written];
  if (short.length < MIN_LENGTH || long.length - short.length > 1 || written === meant) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (at < START || /\p{N}/u.test(long.slice(at, at + 2))) return false;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return true;
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}
