import type { Mention } from '../domain/change-set.ts';
import { DEFAULT_ENTITY_TYPE, ENTITY_TYPES, type Entity } from '../domain/entity.ts';
import type { NewEpisode } from '../domain/episode.ts';
import type { ExtractedFact, ExtractedRelation, Extraction, SkippedItem } from '../domain/extraction.ts';
import type { Fact } from '../domain/fact.ts';
import { deriveId } from '../domain/id.ts';
import { normalForm } from '../domain/normal-form.ts';
import { readPredicate } from '../domain/predicate.ts';
import type { Resolution } from '../domain/resolution.ts';
import { SPACELESS_SCRIPTS } from '../domain/spaceless.ts';
import { parseTime } from '../domain/time.ts';
import type { Update } from '../domain/update-log.ts';
import { compatibleTypes, fitsSlot } from './entity-type.ts';
import { candidatesFor, findMatch, type MatchDependencies, type MatchOptions, unlessUndone } from './find-match.ts';
import { importanceOf } from './importance.ts';
import { joinStated, mergeUpdate } from './join.ts';
import { STATED } from './joined-names.ts';
import { readMoves, relationId } from './moves.ts';
import { collectNames, endKeys, isNaming, keyOf, type NamedThing, nameKey, statedPairs } from './names.ts';
import { numberForms } from './plural.ts';
import { knownVersions, relatedFacts, stillThere, turnsOfEvidence } from './related-facts.ts';
import { prefixesOf } from './spelling.ts';
import { toldOrder } from './told-order.ts';

export interface ResolutionInput {
  readonly userId: string;
  /** The episodes that were read; indexes in the extraction point into them. */
  readonly episodes: readonly NewEpisode[];
  readonly extraction: Extraction;
  readonly now: Date;
  /** Facts that were shown to the extractor: what `replaces` points into. */
  readonly known?: readonly Fact[];
}

const DEFAULT_CONFIDENCE = { model: 0.8, rules: 0.4, caller: 1 } as const;
/** Names of one beginning in one extraction that are compared with each other. */
const MAX_FRESH = 99;

/**
 * Joins what was extracted with what is known: each name becomes a known entity (same normal form as its name or an alias, or one of the
 * later steps of `MATCH_STEPS`; compatible type) or a new one; each relation and statement a fact with an id derived from its content. Reads the graph, writes nothing.
 */
export async function resolve(input: ResolutionInput, dependencies: MatchDependencies, options: MatchOptions = { fuzzy: true }): Promise<Resolution> {
  const { userId, episodes, extraction } = input;
  const at = input.now.toISOString();
  const skipped: SkippedItem[] = [];
  const named = collectNames(extraction, episodes);
  const stated = statedPairs(extraction, episodes).map((pair) => ({ ...pair, episode: episodes[pair.episode] }));
  const keys = [...new Set([...named.values()].map(({ form }) => form))];
  const known = keys.length === 0 ? [] : await dependencies.graph.findEntities({ userId, keys }, { limit: keys.length * 4 });
  const entities = new Map<string, Entity>();
  const merges: Update[] = [];
  const fresh = new Map<string, Entity[]>();
  const exact = new Map([...named].map(([key, thing]) => [key, matchEntity(thing.form, thing, known)]));
  const unknown = [...named].filter(([key]) => exact.get(key) === undefined);
  // At once: a store on a server reads them in one go.
  const candidates = new Map(
    await Promise.all(
      unknown.map(async ([key, thing]) => {
        const wanted = newEntity(thing, input);
        return [key, options.fuzzy ? await candidatesFor(userId, wanted, dependencies.graph) : []] as const;
      }),
    ),
  );
  // With all names and types that this extraction has given them so far.
  const current = new Map<string, Entity>();
  const asOfNow = (entity: Entity) => current.get(entity.id) ?? entity;
  for (const [key, thing] of named) {
    const same = exact.get(key);
    // What it was has become the other thing of that name.
    if (same !== undefined && compatibleTypes(asOfNow(same), { name: same.name, type: thing.type })) {
      const joined = withMore(asOfNow(same), thing);
      entities.set(key, joined);
      current.set(joined.id, joined);
      continue;
    }
    const created = newEntity(thing, input);
    const other = stated
      .flatMap(({ names: [first, second], ...pair }) => [
        { ...pair, name: first, other: second },
        { ...pair, name: second, other: first },
      ])
      .filter(({ name }) => nameKey(name) === key)
      .map((pair) => ({ ...pair, entity: entities.get(nameKey(pair.other)) ?? matchEntity(nameKey(pair.other), thing, known) }))
      .find(({ entity }) => entity !== undefined);
    // "mice" begins otherwise than "mouse".
    const starts = [created.name, ...numberForms(created)].flatMap(prefixesOf);
    const near = [...new Set([...new Set(starts)].flatMap((prefix) => fresh.get(prefix) ?? []))];
    const match =
      other?.entity === undefined
        ? await findMatch(userId, created, { known: (candidates.get(key) ?? []).map(asOfNow), fresh: near.map(asOfNow) }, dependencies, options)
        : await unlessUndone(userId, { entity: other.entity, step: STATED }, created, dependencies.graph);
    if (match === undefined) {
      entities.set(key, created);
      current.set(created.id, created);
      for (const prefix of prefixesOf(created.name)) fresh.set(prefix, [...(fresh.get(prefix) ?? []).slice(-MAX_FRESH), created]);
    } else {
      const joined = withMore(asOfNow(match.entity), thing);
      // The same entity may stand under several names of this extraction.
      for (const [other, entity] of entities) if (entity.id === joined.id) entities.set(other, joined);
      entities.set(key, joined);
      current.set(joined.id, joined);
      const episode = other?.episode ?? turnNaming(thing.form, extraction, episodes);
      const { step } = match;
      const actor = other?.origin ?? (step === 'model' ? 'model' : 'rules');
      const said = {
        entity: joined,
        known: other?.other.trim() ?? joined.name,
        name: created.name,
        relatedId: created.id,
        step,
        actor,
        episode,
      } as const;
      merges.push(mergeUpdate(said, at));
    }
  }
  const joins = await joinStated(stated, entities, merges, at, dependencies.graph);

  const facts = new Map<string, Fact>();
  const replaces = new Map<string, Fact[]>();
  const corrections = new Set<string>();
  const add = (fact: Fact) => {
    const twin = facts.get(fact.id);
    facts.set(fact.id, twin === undefined ? fact : { ...twin, evidence: [...new Set([...twin.evidence, ...fact.evidence])] });
  };
  const note = (item: ExtractedFact | ExtractedRelation, fact: Fact) => {
    add(fact);
    if (item.corrects === true) corrections.add(fact.id);
    for (const index of item.replaces ?? []) {
      const replaced = input.known?.[index];
      if (replaced === undefined) skipped.push({ item: 'replacement', reason: 'it names no fact that was shown' });
      else replaces.set(fact.id, [...(replaces.get(fact.id) ?? []), replaced]);
    }
  };
  for (const relation of extraction.relations) {
    const [subject, object] = endKeys(relation, named).map((key) => entities.get(key));
    if (isNaming(relation, extraction)) {
      if (subject?.id !== object?.id) skipped.push({ item: 'relation', reason: 'its two names are known as two things already' });
    } else if (subject === undefined || object === undefined || relation.predicate.trim() === '')
      skipped.push({ item: 'relation', reason: 'a part of it is empty' });
    else if (subject.id === object.id) skipped.push({ item: 'relation', reason: 'it joins an entity to itself' });
    else note(relation, relationFact(relation, subject, object, input));
  }
  for (const fact of extraction.facts) {
    if (fact.text.trim() === '') skipped.push({ item: 'fact', reason: 'empty text' });
    else note(fact, statementFact(fact, entities, input));
  }

  const met = new Set([...known.map((entity) => entity.id), ...merges.map((merge) => merge.recordId)]);
  const readRelated = () =>
    relatedFacts(
      userId,
      [...facts.values()].filter((fact) => fact.subjectId !== undefined && met.has(fact.subjectId)),
      joins.transfers,
      dependencies.graph,
    );
  let related = await readRelated();
  const byId = new Map([...entities.values()].map((entity) => [entity.id, entity]));
  const moves = readMoves([...facts.values()], related, (id = '') => ({
    name: byId.get(id)?.name ?? '',
    isKnownPlace: known.some((entity) => entity.id === id && entity.type === 'place'),
  }));
  for (const { written, read } of moves) {
    facts.delete(written.id);
    add(read);
    if (corrections.has(written.id)) corrections.add(read.id);
  }
  if (moves.some(({ written, read }) => written.predicate !== read.predicate)) related = await readRelated();
  const versions = await knownVersions(userId, [...facts.keys()], dependencies.graph);
  const replaced = await stillThere(userId, replaces, dependencies.graph);
  const around = [...versions.values(), ...related];
  const stating = await turnsOfEvidence(userId, [...facts.values()], around, [...replaced.values()].flat(), episodes, dependencies.graph);
  return {
    episodes,
    entities: distinct([...entities.values()]),
    facts: [...facts.values()],
    mentions: mentionsOf(extraction, named, entities, [...facts.values()], episodes),
    known: versions,
    related,
    saidAt: new Map([...stating, ...episodes].map((episode) => [episode.id, episode.at])),
    toldOrder: toldOrder(stating, episodes),
    replaces: replaced,
    corrections,
    merges: [...merges, ...joins.merges],
    retoldMerges: joins.retold,
    transfers: joins.transfers,
    skipped: [...extraction.skipped, ...skipped],
  };
}

function matchEntity(key: string, thing: NamedThing, known: readonly Entity[]): Entity | undefined {
  const [name = key] = thing.spellings;
  const fitting = known.filter(
    (entity) =>
      (entity.key === key || entity.aliases.some((alias) => normalForm(alias) === key)) &&
      compatibleTypes(entity, { name, type: thing.type }) &&
      // A friend called Sydney is not the town.
      !(thing.isHome && entity.type === 'person'),
  );
  // The same type before one that says nothing, the name itself before an alias, a company before a town: never a matter of chance, or of what was told
  // before and is forgotten.
  const rank = (entity: Entity) => (entity.type === thing.type ? 0 : 2) + (entity.key === key ? 0 : 1);
  const kind = (entity: Entity) => ENTITY_TYPES.indexOf(entity.type);
  const match = fitting.sort((a, b) => rank(a) - rank(b) || kind(a) - kind(b) || (a.id < b.id ? -1 : 1))[0];
  return match === undefined ? undefined : withMore(match, thing);
}

/** The entity with what the extraction says of it besides: spellings, and a type where it had none. */
function withMore(entity: Entity, thing: NamedThing): Entity {
  const gained = [...thing.spellings].filter((spelling) => spelling !== entity.name && !entity.aliases.includes(spelling));
  const type = entity.type === DEFAULT_ENTITY_TYPE ? thing.type : entity.type;
  return gained.length === 0 && type === entity.type ? entity : { ...entity, type, aliases: [...entity.aliases, ...gained] };
}

/** The first turn that has the name. */
function turnNaming(key: string, { entities, relations, facts }: Extraction, episodes: readonly NewEpisode[]): NewEpisode | undefined {
  const named = [
    ...entities.map(({ name, episode }) => ({ names: [name], episode })),
    ...relations.map(({ subject, object, episode }) => ({ names: [subject, object], episode })),
    ...facts.map(({ about = [], episode }) => ({ names: about, episode })),
  ].find(({ names }) => names.some((name) => nameKey(name) === key));
  return episodes[named?.episode ?? 0];
}

function newEntity(thing: NamedThing, input: ResolutionInput): Entity {
  const key = thing.form;
  const [first = key, ...others] = thing.spellings;
  const type = thing.type === 'other' && thing.isHome ? 'place' : thing.type;
  return {
    id: deriveId(input.userId, 'entity', key, type),
    userId: input.userId,
    name: first,
    key,
    aliases: others,
    type,
    ...(thing.typeLabel === undefined ? {} : { typeLabel: thing.typeLabel }),
    createdAt: input.now.toISOString(),
  };
}

function relationFact(relation: ExtractedRelation, subject: Entity, object: Entity, input: ResolutionInput): Fact {
  const predicate = relation.predicate.trim();
  // As it was told: another name of the entity stays what it is.
  const told = (name: string, entity: Entity) => (nameKey(name) === entity.key ? entity.name : name.trim());
  const text = relation.text?.trim() || `${told(relation.subject, subject)} ${predicate.replaceAll('_', ' ')} ${told(relation.object, object)}`;
  const read = isOneMore(relation, input.episodes) ? undefined : readPredicate(predicate, relation.object, relation.subject).slot;
  const slot = read === undefined || fitsSlot(read, object.type, predicate) ? read : undefined;
  return {
    ...factBasics(relation, text, input),
    id: relationId(input.userId, subject.id, predicate, object.id),
    text,
    ...(slot === undefined ? {} : { slot }),
    subjectId: subject.id,
    predicate,
    objectId: object.id,
    entityIds: [subject.id, object.id],
    properties: relation.properties ?? {},
  };
}

/** "I also live in Corran": one value more, which takes nobody's place. Said in the sentence that names the value. */
const ALSO = /(?<!\p{L})(?:also|as well|in addition|auch|aussi|también|anche|também|ook|также|тоже)(?!\p{L})|\btoo\s*$|또한|也/iu;

function isOneMore(relation: ExtractedRelation, episodes: readonly NewEpisode[]): boolean {
  const text = relation.text ?? episodes[relation.episode ?? 0]?.content ?? '';
  return text.split(/[.!?;。！？\n]+/).some((sentence) => sentence.includes(relation.object) && ALSO.test(sentence));
}

function statementFact(fact: ExtractedFact, entities: ReadonlyMap<string, Entity>, input: ResolutionInput): Fact {
  const text = fact.text.trim();
  const about = (fact.about ?? []).map((name) => entities.get(nameKey(name)));
  const isNamed = nameSearch(text);
  // Of two things of one name nobody can say which is meant.
  const named = [...entities].filter(([key]) => isNamed(key.split('\n')[0] ?? key)).map(([, entity]) => entity);
  const ids = [...about, ...named].flatMap((entity) => (entity === undefined ? [] : [entity.id]));
  return {
    ...factBasics(fact, text, input),
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

const SPACELESS = new RegExp(`[${SPACELESS_SCRIPTS}]`, 'u');

/** Tells of a name's key whether the text holds it: as whole words, the last also in the plural; in scripts that glue words together anywhere. */
function nameSearch(text: string): (key: string) => boolean {
  const spaced = (words: string) => ` ${words.replace(/[^\p{L}\p{N}\p{M}+#\p{Extended_Pictographic}]+/gu, ' ').trim()} `;
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

function factBasics(item: ExtractedFact | ExtractedRelation, text: string, input: ResolutionInput) {
  const { episodes, extraction } = input;
  const origin = ('origin' in item ? item.origin : undefined) ?? extraction.origin;
  const source = episodes[item.episode ?? 0] ?? episodes[0];
  // Without an index the item may rest on any of the turns that were read together.
  const evidence = item.episode === undefined ? episodes.map((episode) => episode.id) : source === undefined ? [] : [source.id];
  const invalidAt = item.invalidAt === undefined ? undefined : parseTime(item.invalidAt)?.at;
  // What is over when it is told began at some time before.
  const told = source !== undefined && (invalidAt === undefined || invalidAt > source.at) ? source.at : undefined;
  const validAt = (item.validAt === undefined ? undefined : parseTime(item.validAt)?.at) ?? told;
  return {
    userId: input.userId,
    evidence,
    ...(validAt === undefined ? {} : { validAt }),
    ...(invalidAt === undefined ? {} : { invalidAt }),
    createdAt: input.now.toISOString(),
    confidence: clamp(item.confidence ?? DEFAULT_CONFIDENCE[origin]),
    importance: clamp(item.importance ?? importanceOf(text)),
    origin,
    saidBy: source?.role ?? ('user' as const),
  };
}

function mentionsOf(
  extraction: Extraction,
  named: ReadonlyMap<string, NamedThing>,
  entities: ReadonlyMap<string, Entity>,
  facts: readonly Fact[],
  episodes: readonly NewEpisode[],
): Mention[] {
  const mentions = new Map<string, Mention>();
  const add = (episodeId: string | undefined, entityId: string | undefined, entity?: Entity, written?: string) => {
    if (episodeId === undefined || entityId === undefined || mentions.has(`${episodeId} ${entityId}`)) return;
    const spelling = entity === undefined || written === undefined || written.trim() === entity.name ? {} : { spelling: written.trim() };
    mentions.set(`${episodeId} ${entityId}`, { episodeId, entityId, ...spelling });
  };
  const names = [
    ...extraction.entities.map(({ name, type, episode }) => ({ key: keyOf(named, name, type), name, episode })),
    ...extraction.relations.flatMap((relation) => {
      const [subject, object] = endKeys(relation, named);
      const { episode } = relation;
      return [
        { key: subject, name: relation.subject, episode },
        { key: object, name: relation.object, episode },
      ];
    }),
  ];
  for (const { key, name, episode } of names) {
    const entity = entities.get(key);
    for (const source of episode === undefined ? episodes : [episodes[episode]]) add(source?.id, entity?.id, entity, name);
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
