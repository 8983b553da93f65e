import { DEFAULT_ENTITY_TYPE, ENTITY_TYPES, type EntityType } from '../domain/entity.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { ExtractedEntity, ExtractedRelation, Extraction } from '../domain/extraction.ts';
import type { FactOrigin } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';
import { readPredicate } from '../domain/predicate.ts';
import { compatibleTypes, entityType } from './entity-type.ts';
import { areAcrossScripts } from './romanise.ts';

/** "Tokyo" also known as "東京": a name, and no edge. */
const NAMING = /^(?:(?:is|are) )?(?:(?:also )?(?:known|written) as|also called)$|^(?:is )?(?:the )?same as$|^a\.?k\.?a\.?$|^alias(?: of)?$/;

export interface NamedThing {
  /** Normal form of the name. */
  readonly form: string;
  readonly spellings: Set<string>;
  type: EntityType;
  typeLabel: string | undefined;
  /** Somebody lives or something is there: a place, where nothing that is known says otherwise. */
  isHome: boolean;
}

/**
 * Everything that is named, with its spellings in the order met, by the normal form of the name: names of two types that can't be one thing
 * ("Jordan", a person and a place) are two, the second by its form and its type.
 */
export function collectNames(extraction: Extraction, episodes: readonly NewEpisode[]): Map<string, NamedThing> {
  const named = new Map<string, NamedThing>();
  const meet = (name: string | undefined, typeWording?: string) => {
    const spelling = (name ?? '').trim();
    // A name that nobody can see is none.
    if (!/[^\s\p{Cf}]/u.test(spelling)) return;
    const form = nameKey(spelling);
    const type = entityType(typeWording);
    const found = keyIn(named, spelling, (thing) => fitsType(thing, type));
    const isOther = found === undefined && named.has(form);
    const thing = named.get(found ?? form);
    const own = thing === undefined || isOther ? { form, spellings: new Set<string>(), type, typeLabel: undefined, isHome: false } : thing;
    own.spellings.add(spelling);
    if (own.type === DEFAULT_ENTITY_TYPE) own.type = type;
    if (typeWording !== undefined && typeWording.trim() !== '' && typeWording.toLowerCase() !== own.type) own.typeLabel ??= typeWording.trim();
    named.set(isOther ? `${form}\n${type}` : (found ?? form), own);
  };
  for (const entity of extraction.entities) {
    meet(entity.name, entity.type);
    for (const alias of entity.aliases ?? []) if (nameKey(alias) === nameKey(entity.name)) meet(alias, entity.type);
    for (const alias of translations(entity, episodes)) meet(alias, entity.type);
  }
  for (const relation of extraction.relations) {
    meet(relation.subject, relation.subjectType);
    meet(relation.object, relation.objectType);
  }
  for (const relation of extraction.relations) {
    const home = named.get(endKeys(relation, named)[1]);
    const { family, holds, slot } = readPredicate(relation.predicate, relation.object, relation.subject);
    if (home !== undefined && (slot === 'place' || (family === 'live in' && holds === 'ended'))) home.isHome = true;
  }
  for (const fact of extraction.facts) for (const name of fact.about ?? []) meet(name);
  // A speaker is an entity only where something is said of them: as a node for every turn they would be a hub that joins all with all.
  for (const { role, speaker } of episodes) {
    if (role !== 'user' || speaker === undefined || !named.has(nameKey(speaker))) continue;
    meet(speaker, keyIn(named, speaker, (thing) => fitsType(thing, 'person')) === undefined ? undefined : 'person');
  }
  return named;
}

function fitsType(thing: NamedThing, type: EntityType): boolean {
  const [name = thing.form] = thing.spellings;
  return compatibleTypes({ name, type: thing.type }, { name, type });
}

/** The key of the first thing of that name that fits. */
function keyIn(named: ReadonlyMap<string, NamedThing>, name: string, fits: (thing: NamedThing) => boolean): string | undefined {
  const form = nameKey(name);
  return [form, ...ENTITY_TYPES.map((type) => `${form}\n${type}`)].find((key) => {
    const thing = named.get(key);
    return thing !== undefined && fits(thing);
  });
}

/** The thing of that name and type; of that name where none has such a type. */
export function keyOf(named: ReadonlyMap<string, NamedThing>, name: string, typeWording?: string): string {
  const type = entityType(typeWording);
  return keyIn(named, name, (thing) => thing.type === type) ?? keyIn(named, name, (thing) => fitsType(thing, type)) ?? nameKey(name);
}

/** A way of being somewhere: what stands behind it is a place. */
const SOMEWHERE = /(?:^| )(?:in|at|to|from|near)$/;

/** Which things a relation is about, where two have one name: those of the types given with it, or else those that it is commonly said of. */
export function endKeys(relation: ExtractedRelation, named: ReadonlyMap<string, NamedThing>): readonly [subject: string, object: string] {
  const { subject, predicate, object, subjectType, objectType } = relation;
  const keys = [nameKey(subject), nameKey(object)] as const;
  if (!keys.some((key) => ENTITY_TYPES.some((type) => named.has(`${key}\n${type}`)))) return keys;
  const { slot } = readPredicate(predicate, object, subject);
  const isPlace = slot === 'place' || SOMEWHERE.test(predicate.trim().replaceAll('_', ' '));
  return [
    keyOf(named, subject, subjectType ?? (isPlace || slot !== undefined ? 'person' : undefined)),
    keyOf(named, object, objectType ?? (slot === 'employer' ? 'organization' : isPlace ? 'place' : undefined)),
  ];
}

export function nameKey(name: string): string {
  return normalForm(name.trim());
}

/** Two names that somebody says are names of one thing. No step of comparison would find a name in translation. */
export interface StatedPair {
  readonly names: readonly [string, string];
  readonly origin: FactOrigin;
  /** Index of the turn that says so. */
  readonly episode: number;
}

/** The caller by a triple ("東京", "also known as", "Tokyo"), a model where both stand in the text in two scripts. */
export function statedPairs(extraction: Extraction, episodes: readonly NewEpisode[]): StatedPair[] {
  const named = extraction.relations.filter((relation) => isNaming(relation, extraction));
  return [
    ...named.map(({ subject, object, episode = 0 }): StatedPair => ({ names: [subject, object], origin: 'caller', episode })),
    ...extraction.entities.flatMap((entity) =>
      translations(entity, episodes).map((alias): StatedPair => {
        const told = episodes.findIndex(({ content }) => [entity.name, alias].every((spelling) => content.includes(spelling.trim())));
        return { names: [entity.name, alias], origin: extraction.origin, episode: told };
      }),
    ),
  ].filter(({ names: [first, second] }) => nameKey(first) !== nameKey(second));
}

/** Whether the caller says by it that two names are one. What a text says of names may be a nickname, a lie or an order. */
export function isNaming(relation: ExtractedRelation, extraction: Extraction): boolean {
  return (relation.origin ?? extraction.origin) === 'caller' && NAMING.test(relation.predicate.trim().toLowerCase().replaceAll('_', ' '));
}

function translations({ name, aliases = [] }: ExtractedEntity, episodes: readonly NewEpisode[]): string[] {
  return aliases.filter(
    (alias) => areAcrossScripts(name, alias) && episodes.some(({ content }) => [name, alias].every((spelling) => content.includes(spelling.trim()))),
  );
}
