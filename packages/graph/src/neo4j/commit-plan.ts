import {
  type ChangeSet,
  DEFAULT_ENTITY_TYPE,
  type Entity,
  type EntitySplit,
  type EntityTransfer,
  type EpisodeRevision,
  type EpisodeStateChange,
  type Fact,
  type FactClosure,
  type FactPlacement,
  type FactRevision,
  MemoryError,
  type Mention,
  type NewEpisode,
  normalForm,
} from '@tandem-memory/core';
import { toIsoTime } from './record-mapper.ts';

/** What the store holds of the records that a change set names. */
export interface KnownRecords {
  readonly episodeIds: ReadonlySet<string>;
  readonly entities: ReadonlyMap<string, Entity>;
  readonly facts: ReadonlyMap<string, Fact>;
}

export interface FactUpdate {
  readonly fact: Fact;
  /** With their places in the fact's lists. */
  readonly gainedEntities: readonly Place[];
  readonly gainedEvidence: readonly Place[];
  /** Whether confidence, importance or the times differ from what is stored. */
  readonly changed: boolean;
  readonly closedBecause: string | undefined;
  readonly reopened: boolean;
}

export interface Place {
  readonly id: string;
  readonly ordinal: number;
}

/** A split with what is left to the entity. */
export interface PlannedSplit {
  readonly entityId: string;
  readonly aliases: readonly string[];
  /** Normal forms by which the entity is found no more. */
  readonly forms: readonly string[];
  readonly episodeIds: readonly string[];
}

/** The writes that a change set comes to, each record once. */
export interface CommitPlan {
  readonly episodes: readonly NewEpisode[];
  readonly revisions: readonly EpisodeRevision[];
  readonly factRevisions: readonly FactRevision[];
  readonly splits: readonly PlannedSplit[];
  readonly entities: readonly Entity[];
  /** Entities that exist, with all their aliases and the ones that they gain. */
  readonly aliases: readonly { readonly entity: Entity; readonly gained: readonly string[] }[];
  /** Entities that exist, with the type that they gain. */
  readonly typed: readonly Entity[];
  readonly newFacts: readonly FactUpdate[];
  readonly changedFacts: readonly FactUpdate[];
  readonly mentions: readonly Mention[];
  readonly placements: readonly FactPlacement[];
  readonly transfers: readonly EntityTransfer[];
  readonly states: readonly EpisodeStateChange[];
}

/**
 * Merges a change set with what is stored, by the rules of `ChangeSet`.
 * @throws CORRUPT_RECORD where the change set names a record that neither holds
 */
export function planCommit(changes: ChangeSet, known: KnownRecords): CommitPlan {
  // Of an episode that comes twice the first one counts.
  const episodes = new Map(
    [...changes.episodes]
      .reverse()
      .filter(({ id }) => !known.episodeIds.has(id))
      .map((episode) => [episode.id, episode]),
  );
  const { splits, left } = planSplits(changes.splits, known.entities);
  const entities = planEntities(changes.entities, left);
  const require: Require = {
    episode: (id, by) => void (known.episodeIds.has(id) || episodes.has(id) || unknown(`episode ${id}`, by)),
    entity: (id, by) => void (known.entities.has(id) || entities.has(id) || unknown(`entity ${id}`, by)),
  };
  const facts = planFacts(changes.facts, known, require);
  for (const { factId } of changes.reopenings) (facts.get(factId) ?? knownFact(facts, known, factId, 'reopening')).reopen();
  for (const closure of changes.closures) (facts.get(closure.factId) ?? knownFact(facts, known, closure.factId, 'closure')).close(closure);
  for (const { episodeId, entityId } of changes.mentions) {
    require.episode(episodeId, 'mention');
    require.entity(entityId, 'mention');
  }
  for (const { episodeId } of changes.states) require.episode(episodeId, 'state change');
  for (const { episodeId } of changes.revisions) require.episode(episodeId, 'revision');
  for (const { factId } of changes.factRevisions) if (!known.facts.has(factId)) unknown(`fact ${factId}`, 'revision');
  for (const { factId, subjectId, objectId, entityIds, evidence } of changes.placements) {
    if (!known.facts.has(factId) && !facts.has(factId)) unknown(`fact ${factId}`, 'placement');
    for (const id of [...entityIds, subjectId, objectId]) if (id !== undefined) require.entity(id, 'placement');
    for (const id of evidence) require.episode(id, 'placement');
  }
  for (const { toId } of changes.transfers) require.entity(toId, 'transfer');
  // An entity that has become another is gone; to say so again changes nothing.
  const transfers = changes.transfers.filter(({ fromId }) => known.entities.has(fromId) || entities.has(fromId));
  for (const id of splits.flatMap(({ episodeIds }) => episodeIds)) require.episode(id, 'split');
  const updates = [...facts.values()];
  return {
    episodes: changes.episodes.filter((episode) => episodes.get(episode.id) === episode),
    revisions: changes.revisions,
    factRevisions: changes.factRevisions,
    splits,
    entities: [...entities.values()].filter(({ isNew }) => isNew).map(({ entity }) => entity),
    aliases: [...entities.values()].filter(({ isNew, gained }) => !isNew && gained.length > 0),
    typed: [...entities.values()]
      .filter(({ isNew, entity: { id, type } }) => !isNew && known.entities.get(id)?.type !== type)
      .map(({ entity }) => entity),
    newFacts: updates.filter(({ isNew }) => isNew).map((draft) => draft.update()),
    changedFacts: updates
      .filter(({ isNew }) => !isNew)
      .map((draft) => draft.update())
      .filter(isChange),
    mentions: changes.mentions,
    placements: changes.placements,
    transfers,
    states: [...new Map(changes.states.map((change) => [change.episodeId, change])).values()],
  };
}

interface Require {
  episode(id: string, namedBy: string): void;
  entity(id: string, namedBy: string): void;
}

interface PlannedEntity {
  readonly entity: Entity;
  readonly gained: readonly string[];
  readonly isNew: boolean;
}

/** @returns the entities as they are after the splits, too */
function planSplits(splits: readonly EntitySplit[], known: ReadonlyMap<string, Entity>) {
  const left = new Map(known);
  const planned = splits.map(({ entityId, spellings, episodeIds }): PlannedSplit => {
    const entity = left.get(entityId) ?? unknown(`entity ${entityId}`, 'split');
    const taken = new Set(spellings.map((spelling) => spelling.toWellFormed()));
    const aliases = entity.aliases.filter((alias) => !taken.has(alias));
    const stays = new Set([entity.key, ...aliases.map(normalForm)]);
    left.set(entityId, { ...entity, aliases });
    return { entityId, aliases, forms: [...new Set(spellings.map(normalForm))].filter((form) => !stays.has(form)), episodeIds };
  });
  return { splits: planned, left };
}

function planEntities(entities: readonly Entity[], known: ReadonlyMap<string, Entity>): Map<string, PlannedEntity> {
  const planned = new Map<string, PlannedEntity>();
  for (const entity of entities) {
    const met = planned.get(entity.id);
    const stored = met?.entity ?? known.get(entity.id);
    const gained = lacking([(stored ?? entity).name, ...(stored?.aliases ?? [])], entity.aliases);
    const type = stored === undefined || stored.type === DEFAULT_ENTITY_TYPE ? entity.type : stored.type;
    planned.set(entity.id, {
      entity: { ...(stored ?? entity), type, aliases: [...(stored?.aliases ?? []), ...gained] },
      gained: [...(met?.gained ?? []), ...gained],
      isNew: met?.isNew ?? stored === undefined,
    });
  }
  return planned;
}

function planFacts(facts: readonly Fact[], known: KnownRecords, require: Require): Map<string, FactDraft> {
  const drafts = new Map<string, FactDraft>();
  for (const fact of facts) {
    // Subject and object are among them even where the caller did not list them: expansion follows these links only.
    const ends = [fact.subjectId, fact.objectId].filter((id) => id !== undefined);
    const entityIds = [...new Set([...fact.entityIds, ...ends])];
    for (const id of entityIds) require.entity(id, 'fact');
    for (const id of fact.evidence) require.episode(id, 'fact');
    const stored = known.facts.get(fact.id);
    const draft = drafts.get(fact.id) ?? new FactDraft(stored ?? { ...fact, entityIds: [], evidence: [] }, stored === undefined);
    draft.merge({ ...fact, entityIds });
    drafts.set(fact.id, draft);
  }
  return drafts;
}

function knownFact(drafts: Map<string, FactDraft>, known: KnownRecords, id: string, namedBy: string): FactDraft {
  const stored = known.facts.get(id);
  if (stored === undefined) return unknown(`fact ${id}`, namedBy);
  const draft = new FactDraft(stored, false);
  drafts.set(id, draft);
  return draft;
}

const CHANGEABLE = ['confidence', 'importance', 'validAt', 'invalidAt', 'expiredAt'] as const;

class FactDraft {
  readonly isNew: boolean;
  readonly #stored: Fact;
  #fact: Fact;
  #closedBecause: string | undefined;
  #reopened = false;

  constructor(stored: Fact, isNew: boolean) {
    this.#stored = stored;
    this.#fact = stored;
    this.isNew = isNew;
  }

  merge(fact: Fact): void {
    const [begun, told] = [this.#fact.validAt, fact.validAt];
    const earlier = begun !== undefined && told !== undefined && isBefore(toIsoTime(told, 'validAt', fact.id), begun);
    this.#fact = {
      ...this.#fact,
      entityIds: [...this.#fact.entityIds, ...lacking(this.#fact.entityIds, fact.entityIds)],
      evidence: [...this.#fact.evidence, ...lacking(this.#fact.evidence, fact.evidence)],
      confidence: Math.max(this.#fact.confidence, fact.confidence),
      importance: Math.max(this.#fact.importance, fact.importance),
      ...(earlier && { validAt: told }),
    };
  }

  /** The earliest end counts: a repeat, or a later end, changes nothing; when the record first learned of an end stays. */
  close({ factId, invalidAt, expiredAt, reason }: FactClosure): void {
    const ended = this.#fact.expiredAt === undefined ? undefined : this.#fact.invalidAt;
    if (ended !== undefined && !isBefore(toIsoTime(invalidAt, 'invalidAt', factId), ended)) return;
    this.#fact = { ...this.#fact, invalidAt, expiredAt: this.#fact.expiredAt ?? expiredAt };
    this.#closedBecause = reason;
  }

  reopen(): void {
    const { invalidAt: _, expiredAt: __, ...open } = this.#fact;
    this.#fact = open;
    this.#reopened = true;
  }

  update(): FactUpdate {
    const [stored, fact] = [this.#stored, this.#fact];
    return {
      fact,
      gainedEntities: placesFrom(stored.entityIds.length, fact.entityIds),
      gainedEvidence: placesFrom(stored.evidence.length, fact.evidence),
      changed: CHANGEABLE.some((field) => stored[field] !== fact[field]),
      closedBecause: this.#closedBecause,
      reopened: this.#reopened,
    };
  }
}

function isBefore(time: string, other: string): boolean {
  return Date.parse(time) < Date.parse(other);
}

function isChange({ changed, gainedEntities, gainedEvidence }: FactUpdate): boolean {
  return changed || gainedEntities.length > 0 || gainedEvidence.length > 0;
}

function placesFrom(start: number, ids: readonly string[]): Place[] {
  return ids.slice(start).map((id, index) => ({ id, ordinal: start + index }));
}

/** What of `wanted` is not in `known`, each once. */
function lacking(known: readonly string[], wanted: readonly string[]): string[] {
  const seen = new Set(known.map((text) => text.toWellFormed()));
  return [...new Set(wanted.map((text) => text.toWellFormed()))].filter((text) => !seen.has(text));
}

function unknown(record: string, namedBy: string): never {
  throw new MemoryError('CORRUPT_RECORD', `The change set's ${namedBy} names ${record}, which is not in the store. Nothing of it was written.`);
}
