import type { Entity, EntityFilter, Page } from '@tandem-memory/core';
import type { Row, Run } from './connection.ts';
import { rowLimit, startKeys, textKey } from './keys.ts';
import { toEntity, toInteger, toNumber } from './record-mapper.ts';

const BY_IDS = 'UNWIND $ids AS id MATCH (entity:Entity {userId: $userId, id: id}) RETURN entity';
// Neo4j keeps the number of relationships of a type with a busy node, so that a hub costs no more than others.
const WITH_DEGREES = `
  UNWIND $ids AS id MATCH (entity:Entity {userId: $userId, id: id})
  RETURN entity, COUNT { (entity)<-[:ABOUT]-() } + COUNT { (entity)<-[:MENTIONS]-() } AS degree`;
const PAGE = `
  WITH DISTINCT entity WHERE ($type IS NULL OR entity.type = $type) AND entity.id > $after AND entity.userId = $userId
  RETURN entity ORDER BY entity.id LIMIT $limit`;
const FIND = `
  MATCH (entity:Entity) WHERE entity.userId = $userId AND entity.id > $after AND ($type IS NULL OR entity.type = $type)
  RETURN entity ORDER BY entity.id LIMIT $limit`;
const FIND_BY_NAMES = `
  UNWIND $nameKeys AS nameKey
  CALL (nameKey) {
    MATCH (entity:Entity {nameKey: nameKey}) RETURN entity
    UNION
    MATCH (:Alias {nameKey: nameKey})-[:ALIAS_OF]->(entity:Entity) RETURN entity
  } ${PAGE}`;
const STARTING = (key: 'startKey1' | 'startKey3') => `
    MATCH (entity:Entity) WHERE entity.${key} = prefix.${key} AND entity.normalForm STARTS WITH prefix.text
    RETURN entity
    UNION
    MATCH (alias:Alias)-[:ALIAS_OF]->(entity:Entity) WHERE alias.${key} = prefix.${key} AND alias.normalForm STARTS WITH prefix.text
    RETURN entity`;
// One of the two keys is null, and null equals nothing.
const FIND_BY_PREFIXES = `
  UNWIND $prefixes AS prefix
  CALL (prefix) {${STARTING('startKey1')}
    UNION${STARTING('startKey3')}
  } ${PAGE}`;

export interface EntityWithDegree {
  readonly entity: Entity;
  readonly degree: number;
}

export async function getEntities(run: Run, userId: string, ids: readonly string[]): Promise<Entity[]> {
  if (ids.length === 0) return [];
  const rows = await run(BY_IDS, { userId, ids: [...new Set(ids)] });
  const found = new Map(rows.map((row) => toEntity(userId, row['entity'])).map((entity) => [entity.id, entity]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** In the order of `ids`. */
export async function getEntitiesWithDegrees(run: Run, userId: string, ids: readonly string[]): Promise<EntityWithDegree[]> {
  if (ids.length === 0) return [];
  const rows = await run(WITH_DEGREES, { userId, ids });
  const read = rows.map((row) => ({ entity: toEntity(userId, row['entity']), degree: toNumber(row['degree']) ?? 0 }));
  const found = new Map(read.map((each) => [each.entity.id, each]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function findEntities(run: Run, filter: EntityFilter, page: Page): Promise<Entity[]> {
  const { userId, type } = filter;
  const parameters = { userId, type: type ?? null, after: page.after ?? '', limit: toInteger(rowLimit(page.limit)) };
  const rows = await findRows(run, filter, parameters);
  return rows.map((row) => toEntity(userId, row['entity']));
}

function findRows(run: Run, { userId, keys, prefixes }: EntityFilter, parameters: Row): Promise<Row[]> {
  if (keys !== undefined) return run(FIND_BY_NAMES, { ...parameters, nameKeys: [...new Set(keys.map((key) => textKey(userId, 'name', key)))] });
  if (prefixes === undefined) return run(FIND, parameters);
  const texts = [...new Set(prefixes.map((prefix) => prefix.toWellFormed()))].filter((text) => text !== '');
  const rows = texts.map((text) => {
    const { startKey1, startKey3 } = startKeys(userId, text);
    return { text, startKey1: startKey3 === null ? startKey1 : null, startKey3 };
  });
  return run(FIND_BY_PREFIXES, { ...parameters, prefixes: rows });
}
