import { DEFAULT_ENTITY_TYPE, ENTITY_TYPES, type Entity, type EntityType, normalForm } from '@tandem-memory/core';
import type { CommitPlan, PlannedSplit } from './commit-plan.ts';
import type { Run } from './connection.ts';
import { startKeys, textKey } from './keys.ts';
import { toIsoTime } from './record-mapper.ts';

/** The only labels that a type can become. */
const LABELS: Readonly<Record<EntityType, string>> = {
  person: 'Person',
  organization: 'Organization',
  place: 'Place',
  product: 'Product',
  object: 'Object',
  event: 'Event',
  concept: 'Concept',
  document: 'Document',
  other: 'Other',
};

const createAs = (type: EntityType) => `
  UNWIND $rows AS row
  CREATE (entity:Entity:${LABELS[type]} {name: row.name, userId: $userId, id: row.id})
  SET entity += row.properties, entity.createdAt = datetime(row.createdAt)`;
const setType = (type: EntityType) => `
  UNWIND $rows AS row
  MATCH (entity:Entity {userId: $userId, id: row.id})
  SET entity.type = $type, entity:${LABELS[type]}
  REMOVE entity:${LABELS[DEFAULT_ENTITY_TYPE]}`;
const SET_ALIASES = 'UNWIND $rows AS row MATCH (entity:Entity {userId: $userId, id: row.id}) SET entity.aliases = row.aliases';
const LINK_ALIASES = `
  UNWIND $rows AS row
  MATCH (entity:Entity {userId: $userId, id: row.id})
  UNWIND row.names AS name
  MERGE (alias:Alias {nameKey: name.key}) ON CREATE SET alias.name = name.text, alias.userId = $userId, alias.normalForm = name.form,
    alias.startKey1 = name.startKey1, alias.startKey3 = name.startKey3
  MERGE (alias)-[of:ALIAS_OF]->(entity) ON CREATE SET of.userId = $userId`;

const UNLINK_ALIASES = `
  UNWIND $rows AS row
  MATCH (:Entity {userId: $userId, id: row.id})<-[of:ALIAS_OF]-(alias:Alias) WHERE alias.nameKey IN row.nameKeys
  DELETE of
  WITH DISTINCT alias WHERE NOT EXISTS { (alias)-[:ALIAS_OF]->() }
  DELETE alias`;
const UNLINK_MENTIONS = `
  UNWIND $rows AS row
  UNWIND row.episodeIds AS episodeId
  MATCH (:Episode {userId: $userId, id: episodeId})-[mention:MENTIONS]->(:Entity {userId: $userId, id: row.id})
  DELETE mention`;

export async function writeSplits(run: Run, userId: string, splits: readonly PlannedSplit[]): Promise<void> {
  if (splits.length === 0) return;
  const rows = splits.map(({ entityId, aliases, forms, episodeIds }) => ({
    id: entityId,
    aliases: aliases.length === 0 ? null : aliases,
    nameKeys: forms.map((form) => textKey(userId, 'name', form)),
    episodeIds,
  }));
  for (const statement of [SET_ALIASES, UNLINK_ALIASES, UNLINK_MENTIONS]) await run(statement, { userId, rows });
}

export async function writeEntities(run: Run, userId: string, plan: Pick<CommitPlan, 'entities' | 'aliases' | 'typed'>): Promise<void> {
  for (const type of ENTITY_TYPES) {
    const rows = plan.entities.filter((entity) => entity.type === type).map((entity) => toRow(userId, entity));
    if (rows.length > 0) await run(createAs(type), { userId, rows });
    const typed = plan.typed.filter((entity) => entity.type === type).map(({ id }) => ({ id }));
    if (typed.length > 0) await run(setType(type), { userId, type, rows: typed });
  }
  if (plan.aliases.length > 0) await run(SET_ALIASES, { userId, rows: plan.aliases.map(({ entity: { id, aliases } }) => ({ id, aliases })) });
  const named = [...plan.entities.map((entity) => ({ entity, gained: entity.aliases })), ...plan.aliases].filter(({ gained }) => gained.length > 0);
  if (named.length > 0)
    await run(LINK_ALIASES, { userId, rows: named.map(({ entity, gained }) => ({ id: entity.id, names: namesOf(userId, gained) })) });
}

function toRow(userId: string, entity: Entity) {
  return {
    id: entity.id,
    name: entity.name,
    createdAt: toIsoTime(entity.createdAt, 'createdAt', entity.id),
    properties: {
      type: entity.type,
      typeLabel: entity.typeLabel ?? null,
      normalForm: entity.key,
      nameKey: textKey(userId, 'name', entity.key),
      ...startKeys(userId, entity.key),
      aliases: entity.aliases.length === 0 ? null : entity.aliases,
    },
  };
}

/** An entity is found by the normal forms of its aliases. */
function namesOf(userId: string, aliases: readonly string[]) {
  const byForm = new Map(aliases.map((text) => [normalForm(text), text]));
  return [...byForm].map(([form, text]) => ({ key: textKey(userId, 'name', form), text, form, ...startKeys(userId, form) }));
}
