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
export function fitsSlot(slot: string, type: EntityType): boolean {
  if (slot === 'place') return PLACES.has(type);
  return slot !== 'employer' || type !== 'place';
}

/** Two types can belong to one entity when they are equal or when one says nothing. */
export function compatibleTypes(first: EntityType, second: EntityType): boolean {
  return first === second || first === DEFAULT_ENTITY_TYPE || second === DEFAULT_ENTITY_TYPE;
}
