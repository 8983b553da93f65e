import type { EntityType } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';
import { compatibleTypes } from './entity-type.ts';
import { areAcrossScripts, isOther, isRomanised } from './romanise.ts';
import { acronymOf, looseForm, umlautForm } from './spelling.ts';

export interface TypedName {
  readonly name: string;
  readonly type: EntityType;
}

/** How two names were found to be one, in the order in which it is tried: the surest first. */
export const MATCH_STEPS = [
  'normal form',
  'alias',
  'spelling',
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
const ACRONYM = /^[\p{Lu}\d]{3,6}$/u;

/**
 * Whether two names of compatible types are one name. Careful on purpose: a wrong merge mixes two lives, a missing one leaves two spellings.
 * Digits must be the same; nicknames and initials are never guessed. `first name` and `acronym` hold only where nothing else fits them as well.
 */
export function matchNames(first: TypedName, second: TypedName): MatchStep | undefined {
  if (!compatibleTypes(first.type, second.type)) return undefined;
  if (normalForm(first.name) === normalForm(second.name)) return 'normal form';
  if (digitsOf(first.name) !== digitsOf(second.name)) return undefined;
  const isOrganization = first.type === 'organization' || second.type === 'organization';
  const forms = [looseForm(first.name, isOrganization), looseForm(second.name, isOrganization)] as const;
  if (forms[0] === forms[1] && forms[0] !== '') return 'spelling';
  if (sameUmlauts(first.name, second.name, isOrganization)) return 'spelling';
  if (areAcrossScripts(first.name, second.name))
    return isRomanised(...(isOther(first.name) ? ([first.name, second.name] as const) : ([second.name, first.name] as const)))
      ? 'transliteration'
      : undefined;
  if (first.type === second.type && NAMED.has(first.type) && isSlip(forms[0], forms[1])) return 'slip of the pen';
  if (first.type === 'organization' && second.type === 'organization' && (isAcronym(first.name, second.name) || isAcronym(second.name, first.name)))
    return 'acronym';
  if (first.type === 'person' && second.type === 'person' && (isFirstName(first.name, second.name) || isFirstName(second.name, first.name)))
    return 'first name';
  return undefined;
}

/** Steps that need the absence of any other candidate. */
export function needsOnlyOne(step: MatchStep): boolean {
  return step === 'first name' || step === 'transliteration' || step === 'acronym' || step === 'slip of the pen';
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
