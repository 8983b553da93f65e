import type { EntityTransfer, Fact, FactPlacement } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { slotKey } from './keys.ts';
import { optionalIsoTime, toInteger } from './record-mapper.ts';
import { LINK_EVIDENCE } from './write-facts.ts';

const ENDS = 'MATCH (from:Entity {userId: $userId, id: $from}) MATCH (to:Entity {userId: $userId, id: $to})';
const FACTS = `
  ${ENDS}
  MATCH (fact:Fact)-[about:ABOUT]->(from)
  OPTIONAL MATCH (fact)-[twin:ABOUT]->(to)
  FOREACH (_ IN CASE WHEN twin IS NULL THEN [1] ELSE [] END | CREATE (fact)-[moved:ABOUT]->(to) SET moved = properties(about), moved.entityId = $to)
  DELETE about
  SET fact.subjectId = CASE fact.subjectId WHEN $from THEN $to ELSE fact.subjectId END,
    fact.objectId = CASE fact.objectId WHEN $from THEN $to ELSE fact.objectId END
  RETURN fact.id AS id, fact.subjectId AS subjectId, fact.slot AS slot`;
const SLOTS = 'UNWIND $rows AS row MATCH (fact:Fact {userId: $userId, id: row.id}) SET fact.slotKey = row.slotKey';
const EDGES_FROM = `
  ${ENDS}
  MATCH (from)-[edge:RELATES_TO]->(other)
  CREATE (to)-[moved:RELATES_TO]->(other) SET moved = properties(edge)
  DELETE edge`;
const EDGES_TO = `
  ${ENDS}
  MATCH (other)-[edge:RELATES_TO]->(from)
  CREATE (other)-[moved:RELATES_TO]->(to) SET moved = properties(edge)
  DELETE edge`;
const MENTIONS = `
  ${ENDS}
  MATCH (episode:Episode)-[mention:MENTIONS]->(from)
  OPTIONAL MATCH (episode)-[twin:MENTIONS]->(to)
  FOREACH (_ IN CASE WHEN twin IS NULL THEN [1] ELSE [] END | CREATE (episode)-[moved:MENTIONS]->(to)
    SET moved = properties(mention), moved.entityId = $to, moved.spelling = nullIf(coalesce(mention.spelling, from.name), to.name))
  DELETE mention`;
const DELETE_ALIASES = `
  MATCH (:Entity {userId: $userId, id: $from})<-[of:ALIAS_OF]-(alias:Alias)
  DELETE of
  WITH DISTINCT alias WHERE NOT EXISTS { (alias)-[:ALIAS_OF]->() }
  DELETE alias`;
const DELETE_ENTITY = 'MATCH (from:Entity {userId: $userId, id: $from}) DETACH DELETE from';

const RELINK = `
  UNWIND $rows AS row
  MATCH (fact:Fact {userId: $userId, id: row.id})-[about:ABOUT]->()
  WITH row, fact, collect(about) AS links, properties(head(collect(about))) AS shared
  FOREACH (link IN links | DELETE link)
  SET fact.subjectId = row.subjectId, fact.objectId = row.objectId, fact.slotKey = row.slotKey, fact.validAt = datetime(row.validAt)
  WITH row, fact, shared
  UNWIND row.places AS place
  MATCH (entity:Entity {userId: $userId, id: place.id})
  CREATE (fact)-[about:ABOUT]->(entity)
  SET about = shared, about.entityId = place.id, about.ordinal = place.ordinal, about.validAt = datetime(row.validAt)`;
const UNSTATE = 'UNWIND $rows AS row MATCH (:Fact {userId: $userId, id: row.id})-[stated:STATED_IN]->() DELETE stated';
const RELATE = `
  UNWIND $rows AS row
  MATCH ()-[edge:RELATES_TO]->() USING INDEX SEEK edge:RELATES_TO(userId, factId) WHERE edge.userId = $userId AND edge.factId = row.id
  WITH row, edge, properties(edge) AS shared
  MATCH (subject:Entity {userId: $userId, id: row.subjectId}) MATCH (object:Entity {userId: $userId, id: row.objectId})
  CREATE (subject)-[moved:RELATES_TO]->(object)
  SET moved = shared, moved.validAt = datetime(row.validAt)
  DELETE edge`;

/** As in the embedded store: one entity takes the place of another, in all there is of it. */
export async function writeTransfers(run: Run, userId: string, transfers: readonly EntityTransfer[]): Promise<void> {
  for (const { fromId, toId } of transfers) {
    const parameters = { userId, from: fromId, to: toId };
    const moved = await run(FACTS, parameters);
    const rows = moved.flatMap(({ id, subjectId, slot }) =>
      typeof subjectId === 'string' && typeof slot === 'string' ? [{ id, slotKey: slotKey(userId, subjectId, slot) }] : [],
    );
    if (rows.length > 0) await run(SLOTS, { userId, rows });
    for (const statement of [EDGES_FROM, EDGES_TO, MENTIONS, DELETE_ALIASES, DELETE_ENTITY]) await run(statement, parameters);
  }
}

/** @param facts those that are placed, as they were */
export async function writePlacements(
  run: Run,
  userId: string,
  placements: readonly FactPlacement[],
  facts: ReadonlyMap<string, Fact>,
): Promise<void> {
  if (placements.length === 0) return;
  const rows = placements.map(({ factId, subjectId, objectId, entityIds, validAt }) => {
    const slot = facts.get(factId)?.slot;
    const ends = [subjectId, objectId].filter((id) => id !== undefined);
    return {
      id: factId,
      subjectId: subjectId ?? null,
      objectId: objectId ?? null,
      slotKey: subjectId === undefined || slot === undefined ? null : slotKey(userId, subjectId, slot),
      validAt: optionalIsoTime(validAt, 'validAt', factId),
      places: inOrder([...new Set([...entityIds, ...ends])]),
    };
  });
  for (const statement of [RELINK, UNSTATE, RELATE]) await run(statement, { userId, rows });
  await run(LINK_EVIDENCE, { userId, rows: placements.map(({ factId, evidence }) => ({ id: factId, places: inOrder(evidence) })) });
}

function inOrder(ids: readonly string[]) {
  return ids.map((id, index) => ({ id, ordinal: toInteger(index) }));
}
