import type { EntityType } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';
import { compatibleTypes, type TypedName } from './entity-type.ts';
import { arePlural } from './plural.ts';
import { areAcrossScripts, isOther, isRomanised } from './romanise.ts';
import { acronymOf, looseForm, umlautForm } from './spelling.ts';
import { differInTitle } from './titles.ts';

/** How two names were found to be one, in the order in which it is tried: the surest first. */
export const MATCH_STEPS = [
  'normal form',
  'alias',
  'spelling',
  'title',
  'transliteration',
  'slip of the pen',
  'acronym',
  'first name',
  'embedding',
  'model',
] as const;
export type MatchStep = (typeof MATCH_STEPS)[number];

/** Shorter words are too close to each other: "Anna" and "Anne", "marital" and "martial". */
const SMALLEST_SLIP_LENGTH = 8;
/** Types of things with names of their own. Two words of the language one letter apart are two words ("morality", "mortality"). */
const NAMED: ReadonlySet<EntityType> = new Set(['organization', 'place', 'product', 'document']);
/** Steps from a short name to a long one. */
const SHORTER: ReadonlySet<MatchStep | undefined> = new Set(['title', 'acronym', 'first name']);
/** Addresses, paths and names of files are what they are letter for letter. */
const ADDRESS = /^\S*(?:[\\@]|\/\S*[./]|\.\S*\/)\S*$/;
const FILE = /\S\.\S/;
const ACRONYM = /^[\p{Lu}\d]{3,6}$/u;

/**
 * Whether two names of compatible types are one name. Careful on purpose: a wrong merge mixes two lives, a missing one leaves two spellings.
 * Digits must be the same; nicknames and initials are never guessed. `first name` and `acronym` hold only where nothing else fits them as well.
 */
export function matchNames(first: TypedName, second: TypedName): MatchStep | undefined {
  if (!compatibleTypes(first, second)) return undefined;
  if (normalForm(first.name) === normalForm(second.name)) return 'normal form';
  if (ADDRESS.test(first.name.trim()) || ADDRESS.test(second.name.trim())) return undefined;
  if (digitsOf(first.name) !== digitsOf(second.name)) return undefined;
  const isOrganization = first.type === 'organization' || second.type === 'organization';
  const forms = [looseForm(first.name, isOrganization), looseForm(second.name, isOrganization)] as const;
  if (forms[0] === forms[1] && forms[0] !== '') return 'spelling';
  if (arePlural(first, second)) return 'spelling';
  if (sameUmlauts(first.name, second.name, isOrganization)) return 'spelling';
  const arePeople = first.type === 'person' && second.type === 'person';
  if (arePeople && differInTitle(first.name, second.name)) return 'title';
  if (areAcrossScripts(first.name, second.name))
    return isRomanised(...(isOther(first.name) ? ([first.name, second.name] as const) : ([second.name, first.name] as const)))
      ? 'transliteration'
      : undefined;
  if (first.type === second.type && NAMED.has(first.type) && ![first, second].some(({ name }) => FILE.test(name)) && isSlip(forms[0], forms[1]))
    return 'slip of the pen';
  if (first.type === 'organization' && second.type === 'organization' && (isAcronym(first.name, second.name) || isAcronym(second.name, first.name)))
    return 'acronym';
  if (arePeople && (isFirstName(first.name, second.name) || isFirstName(second.name, first.name))) return 'first name';
  return undefined;
}

/** Steps that need the absence of any other candidate. */
export function needsOnlyOne(step: MatchStep): boolean {
  return step !== 'normal form' && step !== 'alias' && step !== 'spelling';
}

/**
 * Whether a short name that an entity goes by stands in it for another long one: "Ann", where Ann Lee is called so, says nothing of Ann Kim, and
 * "Pell", where Mr. Pell is, nothing of Mrs. Pell.
 */
export function isTaken(names: readonly string[], type: EntityType, wanted: TypedName): boolean {
  const steps = names.map((name) => matchNames({ name, type }, wanted));
  return names.some((other, index) => {
    if (steps[index] !== undefined) return false;
    const shared = names.filter((_, at) => SHORTER.has(steps[at]));
    return shared.some((name) => SHORTER.has(matchNames({ name, type }, { name: other, type })));
  });
}

/** The numbers of a name in order: a code is another code where one digit differs. */
export function digitsOf(name: string): string {
  return (
    normalForm(name)
      .match(/\p{N}+/gu)
      ?.join(' ') ?? ''
  );
}

function sameUmlauts(first: string, second: string, isOrganization: boolean): boolean {
  const [a, b] = [umlautForm(first), umlautForm(second)];
  return (
    (a !== undefined && looseForm(a, isOrganization) === looseForm(second, isOrganization)) ||
    (b !== undefined && looseForm(b, isOrganization) === looseForm(first, isOrganization))
  );
}

/** One letter too many, too few, or two turned round, inside a long word. Another letter instead makes another word ("complement"). */
function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < SMALLEST_SLIP_LENGTH || long.length - short.length > 1 || !/^[a-z]+$/.test(short + long)) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  if (at < 3 || at > short.length - 2) return false;
  if (long.length > short.length) return short.slice(at) === long.slice(at + 1);
  return short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2);
}

function isAcronym(short: string, long: string): boolean {
  return ACRONYM.test(short.trim()) && acronymOf(long) === short.trim().toLowerCase();
}

function isFirstName(short: string, long: string): boolean {
  // "Ann's aunt" is not Ann.
  if (/['’]s\s/i.test(long)) return false;
  const words = normalForm(long).split(' ');
  const only = normalForm(short);
  return words.length === 2 && words[0] === only && only.length >= 3 && /^\p{L}+$/u.test(only);
}
