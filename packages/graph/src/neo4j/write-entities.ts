import { ENTITY_TYPES, type Entity, type EntityType, normalForm } from '@tandem-memory/core';
import type { CommitPlan } from './commit-plan.ts';
import type { Run } from './connection.ts';
import { textKey } from './keys.ts';
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
const SET_ALIASES = 'UNWIND $rows AS row MATCH (entity:Entity {userId: $userId, id: row.id}) SET entity.aliases = row.aliases';
const LINK_ALIASES = `
  UNWIND $rows AS row
  MATCH (entity:Entity {userId: $userId, id: row.id})
  UNWIND row.names AS name
  MERGE (alias:Alias {nameKey: name.key}) ON CREATE SET alias.name = name.text, alias.userId = $userId
  MERGE (alias)-[of:ALIAS_OF]->(entity) ON CREATE SET of.userId = $userId`;

export async function writeEntities(run: Run, userId: string, plan: Pick<CommitPlan, 'entities' | 'aliases'>): Promise<void> {
  for (const type of ENTITY_TYPES) {
    const rows = plan.entities.filter((entity) => entity.type === type).map((entity) => toRow(userId, entity));
    if (rows.length > 0) await run(createAs(type), { userId, rows });
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
      aliases: entity.aliases.length === 0 ? null : entity.aliases,
    },
  };
}

/** An entity is found by the normal forms of its aliases. */
function namesOf(userId: string, aliases: readonly string[]) {
  const byKey = new Map(aliases.map((text) => [textKey(userId, 'name', normalForm(text)), text]));
  return [...byKey].map(([key, text]) => ({ key, text }));
}
