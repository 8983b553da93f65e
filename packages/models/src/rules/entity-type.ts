import { isPerson, type Named } from './noun-phrases.ts';
import { isProductName } from './product-names.ts';
import {
  ORGANIZATION_PREDICATES,
  ORGANIZATION_SUFFIX,
  PERSON_VERBS,
  PLACE_PREDICATES,
  PLACE_SUFFIX,
  PRODUCT_PREDICATES,
  TITLE,
} from './vocabulary.ts';

export interface TypeClues {
  readonly named: Named;
  readonly isAuthor: boolean;
  readonly subjectOf?: string;
  readonly objectOf?: string;
  /** What it is said to be: "a new database". */
  readonly isA?: string;
}

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(?:app|application|browser|console|database|framework|game|language|laptop|library|phone|platform|program|service|software|tool)$/i, 'product'],
  [/(?:city|country|island|region|town|village)$/i, 'place'],
];

/** A type by small clues of the name and of what is said of it; undefined where nothing tells. */
export function guessType(name: string, clues?: TypeClues): string | undefined {
  if (TITLE.test(name)) return 'person';
  if (ORGANIZATION_SUFFIX.test(name)) return 'organization';
  if (PLACE_SUFFIX.test(name) && /^\p{Lu}/u.test(name)) return 'place';
  if (clues === undefined) return undefined;
  if (clues.isAuthor || isPerson(clues.named)) return 'person';
  const { objectOf = '', subjectOf = '', isA } = clues;
  const kind = isA === undefined || !clues.named.hasName ? undefined : KINDS.find(([pattern]) => pattern.test(isA));
  if (kind !== undefined) return kind[1];
  if (/(?:^| )(?:live|move|relocate)(?: back)? (?:in|to|from)$/.test(objectOf) && isProductName(name)) return 'product';
  // "We moved from Acme to Globex": the memory may know what they are; if not, they are taken for homes there.
  if (/(?:^| )(?:move|relocate) (?:back )?(?:to|from)$/.test(objectOf)) return undefined;
  if (PLACE_PREDICATES.test(objectOf) && objectOf !== 'be' && /^[\p{L}\s'.-]+$/u.test(name) && !/\.\w/.test(name)) return 'place';
  if (/(?:^| )join$/.test(objectOf) && isProductName(name)) return 'product';
  if (ORGANIZATION_PREDICATES.test(objectOf) && clues.named.hasName) return 'organization';
  if (PRODUCT_PREDICATES.test(objectOf) && clues.named.hasName) return 'product';
  const verb = subjectOf.split(' ').find((word) => PERSON_VERBS.has(word));
  if (verb !== undefined && clues.named.hasName && /^\p{L}+(?: \p{L}+)?$/u.test(name)) return 'person';
  return undefined;
}
