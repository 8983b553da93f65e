import { DEFAULT_ENTITY_TYPE, type EntityType } from '../domain/entity.ts';
import { normalForm } from '../domain/normal-form.ts';

const WORDS: Record<Exclude<EntityType, 'other'>, string> = {
  person: 'person people human user speaker individual friend family member man woman child character name author colleague customer pet animal',
  organization:
    'organization organisation company corporation team institution school university agency group employer business brand club band government',
  place: 'place location city country state region town village address building venue area geo geography landmark room restaurant gpe loc facility',
  product:
    'product software app application tool library framework service technology programming_language system database api device platform package website',
  object: 'object thing item artifact artefact vehicle food plant instrument clothing material possession',
  event: 'event meeting trip incident holiday conference concert appointment ceremony activity release bug issue problem',
  concept:
    'concept topic idea skill hobby interest subject field preference emotion condition disease health goal plan project decision role job language',
  document: 'document file book article paper url link page report note email song movie film code',
};

const TYPE_OF_WORD = new Map<string, EntityType>(
  (Object.entries(WORDS) as [EntityType, string][]).flatMap(([type, words]) => words.split(' ').map((word): [string, EntityType] => [word, type])),
);

/** Maps the extractor's free wording to the closed set: by the whole phrase, then by its last word that is known. */
export function entityType(wording: string | undefined): EntityType {
  if (wording === undefined) return DEFAULT_ENTITY_TYPE;
  const words = normalForm(wording).split(/[^\p{L}\p{N}]+/u);
  for (const word of [words.join('_'), ...words.reverse()]) {
    const type = TYPE_OF_WORD.get(word);
    if (type !== undefined) return type;
  }
  return DEFAULT_ENTITY_TYPE;
}

/** What somebody may live in and something be kept in. */
const PLACES: ReadonlySet<EntityType> = new Set(['place', 'object', 'other']);

/** Whether a thing of this type can be what a slot holds: "We moved to Postgres" is about no home, "I work at Seoul" about no employer. */
export function fitsSlot(slot: string, type: EntityType, predicate = ''): boolean {
  if (slot === 'place') return PLACES.has(type);
  // Who joins a service is its user.
  return slot !== 'employer' || !(type === 'place' || (type === 'product' && /^join/i.test(predicate)));
}

/** Models call one thing now a product, now an object or a concept. */
const THINGS: ReadonlySet<EntityType> = new Set(['product', 'object', 'event', 'concept', 'document']);

export interface TypedName {
  readonly name: string;
  readonly type: EntityType;
}

/**
 * Whether two types can belong to one entity of these names: equal ones, one that says nothing, and where the name leaves little doubt any but a
 * person: of several words ("Harbor Cafe", a place or who runs it), or for things a word of the language ("kayak"). A word with a capital is the
 * name of many ("Amazon", "Mercury").
 */
export function compatibleTypes(first: TypedName, second: TypedName): boolean {
  const types = [first.type, second.type];
  if (first.type === second.type || types.includes(DEFAULT_ENTITY_TYPE)) return true;
  if (types.includes('person')) return false;
  if (/\S[\s_]+\S/.test(first.name)) return true;
  return types.every((type) => THINGS.has(type)) && [first, second].every(({ name }) => name === name.toLowerCase());
}
