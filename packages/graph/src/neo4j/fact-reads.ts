import type { Fact, FactFilter, Page } from '@tandem-memory/core';
import type { Row, Run } from './connection.ts';
import { rowLimit, slotKey } from './keys.ts';
import { toFact, toInteger } from './record-mapper.ts';

const RETURN = `
  RETURN fact, COLLECT { MATCH (fact)-[about:ABOUT]->(entity:Entity) RETURN [about.ordinal, entity.id] } AS entities,
    COLLECT { MATCH (fact)-[stated:STATED_IN]->(episode:Episode) RETURN [stated.ordinal, episode.id] } AS evidence`;
const BY_IDS = `UNWIND $ids AS id MATCH (fact:Fact {userId: $userId, id: id}) ${RETURN}`;
const NARROW = `fact.id > $after AND (NOT $currentOnly OR fact.expiredAt IS NULL) AND ($subjectId IS NULL OR fact.subjectId = $subjectId)
    AND ($objectId IS NULL OR fact.objectId = $objectId) AND ($slot IS NULL OR fact.slot = $slot)`;
const PAGE = `
  WITH fact WHERE ${NARROW}
  WITH fact ORDER BY fact.id LIMIT $limit
  ${RETURN} ORDER BY fact.id`;
const FIND = `
  MATCH (fact:Fact) WHERE fact.userId = $userId AND ${NARROW}
  WITH fact ORDER BY fact.id LIMIT $limit
  ${RETURN} ORDER BY fact.id`;
const FIND_BY_ENTITY = `MATCH (:Entity {userId: $userId, id: $entityId})<-[:ABOUT]-(fact:Fact) ${PAGE}`;
const FIND_BY_SLOT = `
  MATCH (fact:Fact) USING INDEX SEEK fact:Fact(slotKey, id) WHERE fact.slotKey = $slotKey AND fact.id > $after AND fact.userId = $userId ${PAGE}`;
// By the object's own facts: a subject, such as the user, may have thousands.
const FIND_BY_END = `MATCH (:Entity {userId: $userId, id: coalesce($objectId, $subjectId)})<-[:ABOUT]-(fact:Fact) ${PAGE}`;
const FIND_BY_EPISODE = `MATCH (:Episode {userId: $userId, id: $episodeId})<-[:STATED_IN]-(fact:Fact) ${PAGE}`;
const FIND_BY_BOTH = `
  MATCH (:Episode {userId: $userId, id: $episodeId})<-[:STATED_IN]-(fact:Fact)
  WHERE EXISTS { (fact)-[:ABOUT]->(:Entity {userId: $userId, id: $entityId}) } ${PAGE}`;

/** In the order of `ids`. */
export async function getFacts(run: Run, userId: string, ids: readonly string[]): Promise<Fact[]> {
  if (ids.length === 0) return [];
  const found = new Map(toFacts(userId, await run(BY_IDS, { userId, ids: [...new Set(ids)] })).map((fact) => [fact.id, fact]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function findFacts(run: Run, filter: FactFilter, page: Page): Promise<Fact[]> {
  const { userId, entityId, episodeId, subjectId, objectId, slot } = filter;
  const rows = await run(findStatement(filter), {
    userId,
    entityId: entityId ?? null,
    episodeId: episodeId ?? null,
    subjectId: subjectId ?? null,
    objectId: objectId ?? null,
    slot: slot ?? null,
    slotKey: subjectId === undefined || slot === undefined ? null : slotKey(userId, subjectId, slot),
    currentOnly: filter.currentOnly === true,
    after: page.after ?? '',
    limit: toInteger(rowLimit(page.limit)),
  });
  return toFacts(userId, rows);
}

function findStatement({ entityId, episodeId, subjectId, objectId, slot }: FactFilter): string {
  if (entityId !== undefined) return episodeId === undefined ? FIND_BY_ENTITY : FIND_BY_BOTH;
  if (episodeId !== undefined) return FIND_BY_EPISODE;
  if (subjectId !== undefined && slot !== undefined) return FIND_BY_SLOT;
  return subjectId === undefined && objectId === undefined ? FIND : FIND_BY_END;
}

function toFacts(userId: string, rows: readonly Row[]): Fact[] {
  return rows.map((row) => toFact(userId, row['fact'], { entities: row['entities'], evidence: row['evidence'] }));
}
