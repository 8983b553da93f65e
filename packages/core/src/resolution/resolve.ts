import type { Mention } from '../domain/change-set.ts';
import type { Entity, EntityType } from '../domain/entity.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { ExtractedFact, ExtractedRelation, Extraction, SkippedItem } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Resolution } from '../domain/resolution.ts';
import { parseTime } from '../domain/time.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { compatibleTypes, entityType } from './entity-type.ts';

export interface ResolutionInput {
  readonly userId: string;
  /** The episodes that were read; indexes in the extraction point into them. */
  readonly episodes: readonly NewEpisode[];
  readonly extraction: Extraction;
  readonly now: Date;
}

const MAX_NAME_LENGTH = 512;
const DEFAULT_CONFIDENCE = { model: 0.8, rules: 0.4, caller: 1 } as const;
const DEFAULT_IMPORTANCE = 0.5;

/**
 * Joins what was extracted with what is known: each name becomes a known entity (same normal form as its name or an alias, compatible type)
 * or a new one; each relation and statement a fact with an id derived from its content. Reads the graph, writes nothing.
 */
export async function resolve(input: ResolutionInput, dependencies: { readonly graph: GraphStore }): Promise<Resolution> {
  const { userId, episodes, extraction } = input;
  const skipped: SkippedItem[] = [];
  const named = collectNames(extraction, episodes);
  const keys = [...named.keys()];
  const known = keys.length === 0 ? [] : await dependencies.graph.findEntities({ userId, keys }, { limit: keys.length * 4 });
  const entities = new Map<string, Entity>();
  for (const [key, name] of named) entities.set(key, matchEntity(key, name, known, input));

  const facts = new Map<string, Fact>();
  const add = (fact: Fact) => {
    const twin = facts.get(fact.id);
    facts.set(fact.id, twin === undefined ? fact : { ...twin, evidence: [...new Set([...twin.evidence, ...fact.evidence])] });
  };
  for (const relation of extraction.relations) {
    const subject = entities.get(nameKey(relation.subject));
    const object = entities.get(nameKey(relation.object));
    if (subject === undefined || object === undefined || relation.predicate.trim() === '')
      skipped.push({ item: 'relation', reason: 'a part of it is empty' });
    else if (subject.id === object.id) skipped.push({ item: 'relation', reason: 'it joins an entity to itself' });
    else add(relationFact(relation, subject, object, input));
  }
  for (const fact of extraction.facts) {
    if (fact.text.trim() === '') skipped.push({ item: 'fact', reason: 'empty text' });
    else add(statementFact(fact, entities, input));
  }

  const ids = [...facts.keys()];
  const existing = ids.length === 0 ? [] : await dependencies.graph.getFacts(userId, ids);
  return {
    episodes,
    entities: distinct([...entities.values()]),
    facts: [...facts.values()],
    mentions: mentionsOf(extraction, entities, [...facts.values()], episodes),
    known: new Map(existing.map((fact) => [fact.id, fact])),
    skipped: [...extraction.skipped, ...skipped],
  };
}

interface NamedThing {
  readonly spellings: Set<string>;
  type: EntityType;
  typeLabel: string | undefined;
}

/** Every name that occurs, by normal form, with its spellings in the order met. */
function collectNames(extraction: Extraction, episodes: readonly NewEpisode[]): Map<string, NamedThing> {
  const named = new Map<string, NamedThing>();
  const meet = (name: string | undefined, typeWording?: string) => {
    const spelling = (name ?? '').trim().slice(0, MAX_NAME_LENGTH);
    // A name that nobody can see is none.
    if (!/[^\s\p{Cf}]/u.test(spelling)) return;
    const key = nameKey(spelling);
    const thing = named.get(key) ?? { spellings: new Set<string>(), type: entityType(undefined), typeLabel: undefined };
    thing.spellings.add(spelling);
    const type = entityType(typeWording);
    if (compatibleTypes(thing.type, type) && thing.type !== type && type !== 'other') thing.type = type;
    if (typeWording !== undefined && typeWording.trim() !== '' && typeWording.toLowerCase() !== thing.type)
      thing.typeLabel ??= typeWording.trim().slice(0, MAX_NAME_LENGTH);
    named.set(key, thing);
  };
  for (const entity of extraction.entities) {
    meet(entity.name, entity.type);
    for (const alias of entity.aliases ?? []) if (nameKey(alias) === nameKey(entity.name)) meet(alias);
  }
  for (const relation of extraction.relations) {
    meet(relation.subject);
    meet(relation.object);
  }
  for (const fact of extraction.facts) for (const name of fact.about ?? []) meet(name);
  // A speaker is an entity only where something is said of them: as a node for every turn they would be a hub that joins all with all.
  for (const { role, speaker } of episodes) if (role === 'user' && speaker !== undefined && named.has(nameKey(speaker))) meet(speaker, 'person');
  return named;
}

function nameKey(name: string): string {
  return normalForm(name.trim().slice(0, MAX_NAME_LENGTH));
}

function matchEntity(key: string, thing: NamedThing, known: readonly Entity[], input: ResolutionInput): Entity {
  const fitting = known.filter(
    (entity) => (entity.key === key || entity.aliases.some((alias) => normalForm(alias) === key)) && compatibleTypes(entity.type, thing.type),
  );
  // The same type before one that says nothing, the name itself before an alias, then the smaller id: never a matter of chance.
  const rank = (entity: Entity) => (entity.type === thing.type ? 0 : 2) + (entity.key === key ? 0 : 1);
  const match = fitting.sort((a, b) => rank(a) - rank(b) || (a.id < b.id ? -1 : 1))[0];
  const [first = key, ...others] = thing.spellings;
  if (match !== undefined) {
    const gained = [...thing.spellings].filter((spelling) => spelling !== match.name && !match.aliases.includes(spelling));
    return gained.length === 0 ? match : { ...match, aliases: [...match.aliases, ...gained] };
  }
  return {
    id: deriveId(input.userId, 'entity', key, thing.type),
    userId: input.userId,
    name: first,
    key,
    aliases: others,
    type: thing.type,
    ...(thing.typeLabel === undefined ? {} : { typeLabel: thing.typeLabel }),
    createdAt: input.now.toISOString(),
  };
}

function relationFact(relation: ExtractedRelation, subject: Entity, object: Entity, input: ResolutionInput): Fact {
  const predicate = relation.predicate.trim();
  return {
    ...factBasics(relation, input),
    id: deriveId(input.userId, 'relation', subject.id, normalForm(predicate), object.id),
    text: relation.text?.trim() || `${subject.name} ${predicate.replaceAll('_', ' ')} ${object.name}`,
    subjectId: subject.id,
    predicate,
    objectId: object.id,
    entityIds: [subject.id, object.id],
    properties: relation.properties ?? {},
  };
}

function statementFact(fact: ExtractedFact, entities: ReadonlyMap<string, Entity>, input: ResolutionInput): Fact {
  const text = fact.text.trim();
  const about = (fact.about ?? []).map((name) => entities.get(nameKey(name)));
  const isNamed = nameSearch(text);
  const named = [...entities].filter(([key]) => isNamed(key)).map(([, entity]) => entity);
  const ids = [...about, ...named].flatMap((entity) => (entity === undefined ? [] : [entity.id]));
  return {
    ...factBasics(fact, input),
    id: deriveId(
      input.userId,
      'statement',
      text
        .toLowerCase()
        .replace(/\s+/g, ' ')
        .replace(/[.!]+$/, ''),
    ),
    text,
    entityIds: [...new Set(ids)],
    properties: {},
  };
}

const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Tells of a name's key whether the text holds it: as whole words, the last also in the plural; in scripts that glue words together anywhere. */
function nameSearch(text: string): (key: string) => boolean {
  const spaced = (words: string) => ` ${words.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()} `;
  const form = normalForm(text);
  const words = [
    spaced(form),
    spaced(
      text
        .split(/\s+/)
        .map((word) => normalForm(word))
        .join(' '),
    ),
  ];
  return (key) => {
    if (SPACELESS.test(key)) return key.length > 1 && form.includes(key);
    const wanted = spaced(key);
    return wanted.length > 3 && words.some((line) => line.includes(wanted));
  };
}

function factBasics(item: ExtractedFact | ExtractedRelation, input: ResolutionInput) {
  const { episodes, extraction } = input;
  const origin = ('origin' in item ? item.origin : undefined) ?? extraction.origin;
  const source = episodes[item.episode ?? 0] ?? episodes[0];
  // Without an index the item may rest on any of the turns that were read together.
  const evidence = item.episode === undefined ? episodes.map((episode) => episode.id) : source === undefined ? [] : [source.id];
  const validAt = (item.validAt === undefined ? undefined : parseTime(item.validAt)?.at) ?? source?.at;
  const invalidAt = item.invalidAt === undefined ? undefined : parseTime(item.invalidAt)?.at;
  return {
    userId: input.userId,
    evidence,
    ...(validAt === undefined ? {} : { validAt }),
    ...(invalidAt === undefined ? {} : { invalidAt }),
    createdAt: input.now.toISOString(),
    confidence: clamp(item.confidence ?? DEFAULT_CONFIDENCE[origin]),
    importance: clamp(item.importance ?? DEFAULT_IMPORTANCE),
    origin,
    saidBy: source?.role ?? ('user' as const),
  };
}

function mentionsOf(
  extraction: Extraction,
  entities: ReadonlyMap<string, Entity>,
  facts: readonly Fact[],
  episodes: readonly NewEpisode[],
): Mention[] {
  const mentions = new Map<string, Mention>();
  const add = (episodeId: string | undefined, entityId: string | undefined) => {
    if (episodeId !== undefined && entityId !== undefined) mentions.set(`${episodeId} ${entityId}`, { episodeId, entityId });
  };
  for (const extracted of extraction.entities) {
    const sources = extracted.episode === undefined ? episodes : [episodes[extracted.episode]];
    for (const episode of sources) add(episode?.id, entities.get(nameKey(extracted.name))?.id);
  }
  for (const fact of facts) for (const episodeId of fact.evidence) for (const entityId of fact.entityIds) add(episodeId, entityId);
  return [...mentions.values()];
}

function distinct(entities: readonly Entity[]): Entity[] {
  const byId = new Map<string, Entity>();
  for (const entity of entities) {
    const twin = byId.get(entity.id);
    byId.set(entity.id, twin === undefined ? entity : { ...twin, aliases: [...new Set([...twin.aliases, ...entity.aliases])] });
  }
  return [...byId.values()];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
