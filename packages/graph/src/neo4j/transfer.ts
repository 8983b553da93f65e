import type { EntityTransfer } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { slotKey } from './keys.ts';

const ENDS = 'MATCH (from:Entity {userId: $userId, id: $from}) MATCH (to:Entity {userId: $userId, id: $to})';
const FACTS = `
  ${ENDS}
  MATCH (fact:Fact)-[about:ABOUT]->(from) WHERE $factIds IS NULL OR fact.id IN $factIds
  OPTIONAL MATCH (fact)-[twin:ABOUT]->(to)
  FOREACH (_ IN CASE WHEN twin IS NULL THEN [1] ELSE [] END | CREATE (fact)-[moved:ABOUT]->(to) SET moved = properties(about), moved.entityId = $to)
  DELETE about
  SET fact.subjectId = CASE fact.subjectId WHEN $from THEN $to ELSE fact.subjectId END,
    fact.objectId = CASE fact.objectId WHEN $from THEN $to ELSE fact.objectId END
  RETURN fact.id AS id, fact.subjectId AS subjectId, fact.slot AS slot`;
const SLOTS = 'UNWIND $rows AS row MATCH (fact:Fact {userId: $userId, id: row.id}) SET fact.slotKey = row.slotKey';
const EDGES_FROM = `
  ${ENDS}
  MATCH (from)-[edge:RELATES_TO]->(other) WHERE $factIds IS NULL OR edge.factId IN $factIds
  CREATE (to)-[moved:RELATES_TO]->(other) SET moved = properties(edge)
  DELETE edge`;
const EDGES_TO = `
  ${ENDS}
  MATCH (other)-[edge:RELATES_TO]->(from) WHERE $factIds IS NULL OR edge.factId IN $factIds
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

/** As in the embedded store: one entity takes the place of another, in some facts or in all there is of it. */
export async function writeTransfers(run: Run, userId: string, transfers: readonly EntityTransfer[]): Promise<void> {
  for (const { fromId, toId, factIds } of transfers) {
    const parameters = { userId, from: fromId, to: toId, factIds: factIds ?? null };
    const moved = await run(FACTS, parameters);
    const rows = moved.flatMap(({ id, subjectId, slot }) =>
      typeof subjectId === 'string' && typeof slot === 'string' ? [{ id, slotKey: slotKey(userId, subjectId, slot) }] : [],
    );
    if (rows.length > 0) await run(SLOTS, { userId, rows });
    for (const statement of [EDGES_FROM, EDGES_TO]) await run(statement, parameters);
    if (factIds === undefined) for (const statement of [MENTIONS, DELETE_ALIASES, DELETE_ENTITY]) await run(statement, parameters);
  }
}
