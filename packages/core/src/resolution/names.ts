import { DEFAULT_ENTITY_TYPE, type EntityType } from '../domain/entity.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { ExtractedEntity, ExtractedRelation, Extraction } from '../domain/extraction.ts';
import { normalForm } from '../domain/normal-form.ts';
import { readPredicate } from '../domain/predicate.ts';
import { entityType } from './entity-type.ts';
import { areAcrossScripts } from './romanise.ts';

/** "Tokyo" also known as "東京": a name, and no edge. */
const NAMING = /^(?:(?:is|are) )?(?:(?:also )?(?:known|written) as|also called)$|^(?:is )?(?:the )?same as$|^a\.?k\.?a\.?$|^alias(?: of)?$/;

export interface NamedThing {
  readonly spellings: Set<string>;
  type: EntityType;
  typeLabel: string | undefined;
  /** Somebody lives or something is there: a place, where nothing that is known says otherwise. */
  isHome: boolean;
}

/** Every name that occurs, by normal form, with its spellings in the order met. */
export function collectNames(extraction: Extraction, episodes: readonly NewEpisode[]): Map<string, NamedThing> {
  const named = new Map<string, NamedThing>();
  const meet = (name: string | undefined, typeWording?: string) => {
    const spelling = (name ?? '').trim();
    // A name that nobody can see is none.
    if (!/[^\s\p{Cf}]/u.test(spelling)) return;
    const key = nameKey(spelling);
    const thing = named.get(key) ?? { spellings: new Set<string>(), type: entityType(undefined), typeLabel: undefined, isHome: false };
    thing.spellings.add(spelling);
    const type = entityType(typeWording);
    if (thing.type === DEFAULT_ENTITY_TYPE) thing.type = type;
    if (typeWording !== undefined && typeWording.trim() !== '' && typeWording.toLowerCase() !== thing.type) thing.typeLabel ??= typeWording.trim();
    named.set(key, thing);
  };
  for (const entity of extraction.entities) {
    meet(entity.name, entity.type);
    for (const alias of entity.aliases ?? []) if (nameKey(alias) === nameKey(entity.name)) meet(alias);
    for (const alias of translations(entity, episodes)) meet(alias, entity.type);
  }
  for (const relation of extraction.relations) {
    meet(relation.subject);
    meet(relation.object);
    const home = named.get(nameKey(relation.object));
    const { family, holds, slot } = readPredicate(relation.predicate, relation.object, relation.subject);
    if (home !== undefined && (slot === 'place' || (family === 'live in' && holds === 'ended'))) home.isHome = true;
  }
  for (const fact of extraction.facts) for (const name of fact.about ?? []) meet(name);
  // A speaker is an entity only where something is said of them: as a node for every turn they would be a hub that joins all with all.
  for (const { role, speaker } of episodes) if (role === 'user' && speaker !== undefined && named.has(nameKey(speaker))) meet(speaker, 'person');
  return named;
}

export function nameKey(name: string): string {
  return normalForm(name.trim());
}

/**
 * Names that somebody says are two names of one thing, by key, in both directions: the caller by a triple ("東京", "also known as", "Tokyo"),
 * a model where both stand in the text in two scripts. No step of comparison would find a name in translation.
 */
export function statedNames(extraction: Extraction, episodes: readonly NewEpisode[]): Map<string, string[]> {
  const stated = new Map<string, string[]>();
  const note = (name: string, other: string) => stated.set(name, [...(stated.get(name) ?? []), other]);
  const pair = (first: string, second: string) => {
    note(nameKey(first), nameKey(second));
    note(nameKey(second), nameKey(first));
  };
  for (const relation of extraction.relations) if (isNaming(relation, extraction)) pair(relation.subject, relation.object);
  for (const entity of extraction.entities) for (const alias of translations(entity, episodes)) pair(entity.name, alias);
  return stated;
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
