import type { EntityType } from '../domain/entity.ts';
import { foldText } from '../domain/fold-text.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { TypedName } from './entity-type.ts';

/**
 * English plurals that the normal form does not fold, since it sees one name at a time and would cut "Paris" and "Jonas" too. Two names that are
 * both there can be held against each other: "photos" is the plural of "photo" where a photo is known.
 */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  `child:children man:men woman:women foot:feet tooth:teeth goose:geese mouse:mice louse:lice ox:oxen person:people knife:knives wife:wives life:lives leaf:leaves
  shelf:shelves half:halves calf:calves loaf:loaves thief:thieves wolf:wolves scarf:scarves elf:elves self:selves hoof:hooves quiz:quizzes medium:media
  criterion:criteria phenomenon:phenomena analysis:analyses crisis:crises thesis:theses hypothesis:hypotheses basis:bases diagnosis:diagnoses axis:axes
  index:indices matrix:matrices vertex:vertices appendix:appendices cactus:cacti fungus:fungi`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
const SINGULAR: ReadonlyMap<string, string> = new Map([...IRREGULAR].map(([singular, plural]) => [plural, singular]));

/** Words of their own, whatever they look like. */
const NO_PLURAL = /^(?:news|means|series|species|goods|glasses|lens|as|is|us)$/;
/** Names of these are no words of the language: an "s" makes another one. */
const OF_NAMES: ReadonlySet<EntityType> = new Set(['person', 'organization', 'place']);
/** What is surely a thing may be written with a capital: "Pianos". */
const SURELY_THINGS: ReadonlySet<EntityType> = new Set(['object', 'concept', 'event']);
const ACRONYMS = /^\p{Lu}{2,}s?$/u;

/** Whether one name is the plural of the other. */
export function arePlural(first: TypedName, second: TypedName): boolean {
  if (OF_NAMES.has(first.type) || OF_NAMES.has(second.type)) return false;
  const [a, b] = [wordsOf(first.name), wordsOf(second.name)];
  if (a.head !== b.head || a.last === b.last) return false;
  const areThings = SURELY_THINGS.has(first.type) && SURELY_THINGS.has(second.type);
  const areAcronyms = ACRONYMS.test(a.written) && ACRONYMS.test(b.written);
  if (!areThings && !areAcronyms && ![a, b].every(({ written }) => written === written.toLowerCase())) return false;
  if (!areAcronyms && Math.min(a.last.length, b.last.length) < 3) return false;
  return pluralsOf(a.last).includes(b.last) || pluralsOf(b.last).includes(a.last);
}

/** The normal forms that the name may have in the other number: where to look for it. */
export function numberForms({ name, type }: TypedName): string[] {
  if (OF_NAMES.has(type)) return [];
  const { head, last } = wordsOf(name);
  const forms = [...pluralsOf(last), ...singularsOf(last)].map((word) => normalForm(head === '' ? word : `${head} ${word}`));
  return [...new Set(forms)].filter((form) => form !== normalForm(name));
}

function wordsOf(name: string): { readonly head: string; readonly last: string; readonly written: string } {
  // The normal form has folded an end already ("lenses" is "lense" there), so the last word is taken as it is written.
  const written = /[\p{L}\p{M}]+(?=[.,;:!?\s]*$)/u.exec(name)?.[0] ?? '';
  const head = normalForm(`${name.slice(0, name.lastIndexOf(written))} x`).slice(0, -1);
  return { head: head.trim(), last: foldText(written), written };
}

function pluralsOf(word: string): string[] {
  if (!/^[a-z]{2,}$/.test(word) || NO_PLURAL.test(`${word}s`)) return [];
  const irregular = IRREGULAR.get(word);
  if (/(?:s|x|z|ch|sh)$/.test(word)) return [...(irregular === undefined ? [] : [irregular]), `${word}es`];
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ies`];
  return [...(irregular === undefined ? [] : [irregular]), `${word}s`, ...(word.endsWith('o') ? [`${word}es`] : [])];
}

function singularsOf(word: string): string[] {
  const irregular = SINGULAR.get(word);
  const candidates = [...(irregular === undefined ? [] : [irregular]), word.replace(/ies$/, 'y'), word.replace(/es$/, ''), word.replace(/s$/, '')];
  return candidates.filter((candidate) => candidate !== word && pluralsOf(candidate).includes(word));
}
