import type { Fact, FactRevision } from '@tandem-memory/core';
import { titleOf } from './captions.ts';
import type { CommitPlan, FactUpdate, Place } from './commit-plan.ts';
import type { Run } from './connection.ts';
import { slotKey } from './keys.ts';
import { factRank } from './rank.ts';
import { optionalIsoTime, toInteger, toIsoTime, writeMetadata } from './record-mapper.ts';

const TIMES = (target: string) => `${target}.createdAt = datetime(row.createdAt), ${target}.validAt = datetime(row.validAt),
    ${target}.invalidAt = datetime(row.invalidAt), ${target}.expiredAt = datetime(row.expiredAt)`;
const CREATE = `
  UNWIND $rows AS row
  CREATE (fact:Fact {title: row.title, userId: $userId, id: row.id})
  SET fact += row.properties, ${TIMES('fact')}`;
const UPDATE = `
  UNWIND $rows AS row
  MATCH (fact:Fact {userId: $userId, id: row.id})
  SET fact.confidence = row.confidence, fact.importance = row.importance, ${TIMES('fact')},
    fact.closedBecause = CASE WHEN row.reopened THEN row.closedBecause ELSE coalesce(row.closedBecause, fact.closedBecause) END`;
// What expansion filters and sorts by stands on the relationship too, so that a hub's other facts are never read.
const UPDATE_LINKS = `
  UNWIND $rows AS row
  MATCH (fact:Fact {userId: $userId, id: row.id})-[about:ABOUT]->()
  SET about.rank = row.rank, ${TIMES('about')}`;
const UPDATE_EDGES = `
  UNWIND $rows AS row
  MATCH ()-[edge:RELATES_TO]->() USING INDEX SEEK edge:RELATES_TO(userId, factId)
  WHERE edge.userId = $userId AND edge.factId = row.id
  SET ${TIMES('edge')}`;
const LINK_ENTITIES = `
  UNWIND $rows AS row
  MATCH (fact:Fact {userId: $userId, id: row.id})
  UNWIND row.places AS place
  MATCH (entity:Entity {userId: $userId, id: place.id})
  CREATE (fact)-[about:ABOUT {userId: $userId, entityId: place.id, ordinal: place.ordinal, rank: row.rank}]->(entity)
  SET ${TIMES('about')}`;
/** Rows of a fact's `id` with `places`: the turns that state it, in order. */
export const LINK_EVIDENCE = `
  UNWIND $rows AS row
  MATCH (fact:Fact {userId: $userId, id: row.id})
  UNWIND row.places AS place
  MATCH (episode:Episode {userId: $userId, id: place.id})
  CREATE (fact)-[:STATED_IN {userId: $userId, ordinal: place.ordinal}]->(episode)`;
/** For reading the graph in Neo4j Browser and in the user's own queries; the engine itself goes by the fact's node. */
const LINK_ENDS = `
  UNWIND $rows AS row
  MATCH (subject:Entity {userId: $userId, id: row.subjectId}) MATCH (object:Entity {userId: $userId, id: row.objectId})
  CREATE (subject)-[edge:RELATES_TO {predicate: row.predicate, userId: $userId, factId: row.id}]->(object)
  SET ${TIMES('edge')}`;

const REVISE = 'UNWIND $rows AS row MATCH (fact:Fact {userId: $userId, id: row.id}) SET fact += row.properties';

export async function writeFactRevisions(run: Run, userId: string, revisions: readonly FactRevision[]): Promise<void> {
  if (revisions.length === 0) return;
  const rows = revisions.map(({ factId, text, properties }) => ({
    id: factId,
    properties: {
      ...(text !== undefined && { text, title: titleOf(text) }),
      ...(properties !== undefined && { properties: writeMetadata(properties) }),
    },
  }));
  await run(REVISE, { userId, rows });
}

export async function writeFacts(run: Run, userId: string, { newFacts, changedFacts }: Pick<CommitPlan, 'newFacts' | 'changedFacts'>): Promise<void> {
  const write = async (statement: string, rows: readonly object[]) => {
    if (rows.length > 0) await run(statement, { userId, rows });
  };
  await write(CREATE, newFacts.map(toNewRow));
  const changed = changedFacts.filter((update) => update.changed).map(toRow);
  await write(UPDATE, changed);
  await write(UPDATE_LINKS, changed);
  await write(UPDATE_EDGES, changed);
  const all = [...newFacts, ...changedFacts];
  await write(
    LINK_ENTITIES,
    withPlaces(all, (update) => update.gainedEntities),
  );
  await write(
    LINK_EVIDENCE,
    withPlaces(all, (update) => update.gainedEvidence),
  );
  const edges = newFacts.filter(({ fact }) => fact.subjectId !== undefined && fact.objectId !== undefined);
  await write(
    LINK_ENDS,
    edges.map((update) => ({
      ...toRow(update),
      subjectId: update.fact.subjectId,
      objectId: update.fact.objectId,
      predicate: update.fact.predicate ?? null,
    })),
  );
}

function withPlaces(updates: readonly FactUpdate[], placesOf: (update: FactUpdate) => readonly Place[]) {
  return updates
    .filter((update) => placesOf(update).length > 0)
    .map((update) => ({ ...toRow(update), places: placesOf(update).map(({ id, ordinal }) => ({ id, ordinal: toInteger(ordinal) })) }));
}

function toRow({ fact, closedBecause, reopened }: FactUpdate) {
  const { id, confidence, importance } = fact;
  const createdAt = toIsoTime(fact.createdAt, 'createdAt', id);
  return {
    id,
    confidence,
    importance,
    closedBecause: closedBecause ?? null,
    reopened,
    rank: factRank({ id, confidence, createdAtMs: Date.parse(createdAt), expired: fact.expiredAt !== undefined }),
    createdAt,
    validAt: optionalIsoTime(fact.validAt, 'validAt', id),
    invalidAt: optionalIsoTime(fact.invalidAt, 'invalidAt', id),
    expiredAt: optionalIsoTime(fact.expiredAt, 'expiredAt', id),
  };
}

function toNewRow(update: FactUpdate) {
  const { fact } = update;
  return { ...toRow(update), title: titleOf(fact.text), properties: propertiesOf(fact, update.closedBecause) };
}

function propertiesOf(fact: Fact, closedBecause: string | undefined) {
  return {
    text: fact.text,
    predicate: fact.predicate ?? null,
    subjectId: fact.subjectId ?? null,
    objectId: fact.objectId ?? null,
    slot: fact.slot ?? null,
    slotKey: fact.subjectId === undefined || fact.slot === undefined ? null : slotKey(fact.userId, fact.subjectId, fact.slot),
    confidence: fact.confidence,
    importance: fact.importance,
    origin: fact.origin,
    saidBy: fact.saidBy,
    closedBecause: closedBecause ?? null,
    properties: writeMetadata(fact.properties),
  };
}
