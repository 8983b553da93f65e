import { type Erasure, type ErasureOptions, type ErasureResult, NOTHING_ERASED, normalForm, type OutboxItem } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { eraseUpdates } from './erase-updates.ts';
import { logErasure } from './erasure-log.ts';
import { textKey } from './keys.ts';
import { appendOutbox } from './outbox.ts';
import { noteFreed, weigh } from './overwrite.ts';
import { toInteger, toNumber } from './record-mapper.ts';
import { rederiveFacts, releaseSpellings } from './rederive.ts';
import { forgetEmptyUser } from './users.ts';

const LOCK_USER = 'MATCH (user:User {userId: $userId}) SET user.revision = coalesce(user.revision, 0) + 1 RETURN user.revision AS revision';
// An index on two properties is used only where both are asked for; hence `IS NOT NULL`.
const BY_SCOPE = `
  MATCH (episode:Episode) WHERE episode.userId = $userId AND episode.id IS NOT NULL
    AND ($agentId IS NULL OR episode.agentId = $agentId) AND ($sessionKey IS NULL OR episode.sessionKey = $sessionKey)
    AND ($sourceKey IS NULL OR episode.sourceKey = $sourceKey) AND ($before IS NULL OR episode.at < datetime($before))
  RETURN episode.id AS id`;
const ALL = (label: 'Fact' | 'Entity') => `MATCH (n:${label}) WHERE n.userId = $userId AND n.id IS NOT NULL RETURN n.id AS id`;
const KNOWN = (label: 'Episode' | 'Fact' | 'Entity') =>
  `UNWIND $ids AS id MATCH (n:${label} {userId: $userId, id: id}) RETURN DISTINCT id ORDER BY id`;
const MENTIONING = 'UNWIND $ids AS id MATCH (:Entity {userId: $userId, id: id})<-[:MENTIONS]-(n:Episode) RETURN DISTINCT n.id AS id';
const TELLING = 'UNWIND $ids AS id MATCH (:Entity {userId: $userId, id: id})<-[:ABOUT]-(n:Fact) RETURN DISTINCT n.id AS id';
const NAMES = `
  UNWIND $ids AS id MATCH (entity:Entity {userId: $userId, id: id})
  RETURN entity.normalForm AS form, coalesce(entity.aliases, []) AS aliases`;
const TOUCHED = `
  UNWIND $ids AS id MATCH (:Episode {userId: $userId, id: id})<-[:STATED_IN]-(fact:Fact)
  WITH DISTINCT fact
  RETURN fact.id AS id, COLLECT { MATCH (fact)-[stated:STATED_IN]->(episode:Episode) RETURN episode.id ORDER BY stated.ordinal } AS evidence`;
const ENTITIES_OF_EPISODES = 'UNWIND $ids AS id MATCH (:Episode {userId: $userId, id: id})-[:MENTIONS]->(n:Entity) RETURN DISTINCT n.id AS id';
const ENTITIES_OF_FACTS = 'UNWIND $ids AS id MATCH (:Fact {userId: $userId, id: id})-[:ABOUT]->(n:Entity) RETURN DISTINCT n.id AS id';
const PLACES = `
  UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id})
  RETURN episode.threadKey AS threadKey, episode.position AS position, episode.agentId AS agent, episode.sessionId AS session,
    episode.sourceId AS source, episode.threadId AS thread, COUNT { (episode)-[:MENTIONS]->() } AS mentions`;
const DELETE_EDGES = `
  UNWIND $ids AS id
  MATCH ()-[edge:RELATES_TO]->() USING INDEX SEEK edge:RELATES_TO(userId, factId) WHERE edge.userId = $userId AND edge.factId = id
  DELETE edge`;
const DELETE = (label: 'Episode' | 'Fact' | 'Entity') => `UNWIND $ids AS id MATCH (n:${label} {userId: $userId, id: id}) DETACH DELETE n`;
const ORPHANS = `
  UNWIND $ids AS id MATCH (n:Entity {userId: $userId, id: id})
  WHERE NOT EXISTS { (n)<-[:ABOUT]-() } AND NOT EXISTS { (n)<-[:MENTIONS]-() }
  RETURN id ORDER BY id`;
const DELETE_ALIASES = `
  UNWIND $ids AS id MATCH (n:Entity {userId: $userId, id: id})<-[of:ALIAS_OF]-(alias:Alias)
  DELETE of
  WITH DISTINCT alias WHERE NOT EXISTS { (alias)-[:ALIAS_OF]->() }
  DELETE alias`;
const DELETE_EMPTY_SESSIONS = `
  MATCH (:User {userId: $userId})-[:HAS_SESSION]->(session:Session) WHERE NOT EXISTS { (session)-[:HAS_EPISODE]->() } DETACH DELETE session`;
const COUNT_SPEAKERS = `
  MATCH (user:User {userId: $userId})
  SET user.speakers = COLLECT {
    MATCH (episode:Episode) WHERE episode.userId = $userId AND episode.id IS NOT NULL AND episode.speaker IS NOT NULL
    RETURN DISTINCT episode.speaker AS speaker ORDER BY speaker LIMIT 200
  }`;
const DROP_OUTBOX = `
  MATCH (entry:OutboxEntry) WHERE entry.userId = $userId AND entry.recordId IN $ids AND entry.sequence > 0
  DELETE entry RETURN count(*) AS dropped`;
const FOLLOWING = `
  UNWIND $places AS place
  CALL (place) {
    MATCH (episode:Episode) USING INDEX SEEK episode:Episode(threadKey, position)
    WHERE episode.threadKey = place.threadKey AND episode.position > place.position
    RETURN episode ORDER BY episode.threadKey, episode.position LIMIT $count
  }
  WITH DISTINCT episode WHERE episode.kind = 'message'
  RETURN episode.id AS id`;
const INDEXED = "UNWIND $ids AS id MATCH (fact:Fact {userId: $userId, id: id}) WHERE fact.origin <> 'rules' RETURN id";
const LABELS_LEFT = `
  MATCH (episode:Episode) WHERE episode.userId = $userId AND episode.id IS NOT NULL
    AND (episode.agentId IN $labels OR episode.sessionId IN $labels OR episode.sourceId IN $labels OR episode.threadId IN $labels)
  UNWIND [episode.agentId, episode.sessionId, episode.sourceId, episode.threadId] AS label
  WITH DISTINCT label WHERE label IN $labels RETURN label`;

/** Deletes records and what rested on them alone; to be called inside a transaction. See `GraphStore.erase`. */
export async function eraseRecords(run: Run, erasure: Erasure, options: ErasureOptions, nowMs: number): Promise<ErasureResult> {
  const known = (await run(LOCK_USER, { userId: erasure.userId })).length > 0;
  const names = known ? await namesOf(run, erasure) : [];
  const result = known ? await eraseKnown(run, erasure, options.following) : NOTHING_ERASED;
  // Also where nothing was found: it may be on its way in.
  if (options.leaveTrace) await logErasure(run, erasure, [...result.episodes, ...result.facts], names, nowMs);
  return result;
}

async function eraseKnown(run: Run, erasure: Erasure, following: number): Promise<ErasureResult> {
  const { userId } = erasure;
  const ids = async (statement: string, given: readonly string[]) =>
    given.length === 0 ? [] : (await run(statement, { userId, ids: given })).map((row) => String(row['id']));
  const act = async (statement: string, given: readonly string[]) => void (given.length > 0 && (await run(statement, { userId, ids: given })));

  const selected = await select(run, erasure);
  const episodes = await ids(KNOWN('Episode'), selected.episodes);
  const gone = new Set(episodes);
  const touched = episodes.length === 0 ? [] : await run(TOUCHED, { userId, ids: episodes });
  const evidenceOf = new Map(touched.map((row) => [String(row['id']), row['evidence'] as readonly string[]]));
  const unsupported = [...evidenceOf].filter(([, evidence]) => evidence.every((id) => gone.has(id))).map(([id]) => id);
  const facts = await ids(KNOWN('Fact'), [...new Set([...selected.facts, ...unsupported])]);
  const goneFacts = new Set(facts);
  const weakened = [...evidenceOf].filter(([id]) => !goneFacts.has(id));
  const firsts = weakened.filter(([, evidence]) => gone.has(evidence[0] ?? '')).map(([id]) => id);
  const entities = [...new Set([...selected.entities, ...(await ids(ENTITIES_OF_EPISODES, episodes)), ...(await ids(ENTITIES_OF_FACTS, facts))])];
  const places = episodes.length === 0 ? [] : await run(PLACES, { userId, ids: episodes });

  const freed = await weigh(run, userId, { Episode: episodes, Fact: facts, Entity: entities });

  await act(DELETE_EDGES, facts);
  await act(DELETE('Fact'), facts);
  await act(DELETE('Episode'), episodes);
  const orphans = await ids(ORPHANS, entities);
  await act(DELETE_ALIASES, orphans);
  await act(DELETE('Entity'), orphans);
  const removed = new Set(orphans);
  const staying = entities.filter((id) => !removed.has(id));
  const released = await releaseSpellings(run, userId, staying);
  await rederiveFacts(
    run,
    userId,
    weakened.map(([id, evidence]) => ({ id, evidence: evidence.filter((episode) => !gone.has(episode)), retold: firsts.includes(id) })),
  );
  const { reopened, merges } = await eraseUpdates(run, userId, { episodes, facts, entities: orphans, released });
  const changed = [...new Set([...firsts, ...reopened])];
  await run(DELETE_EMPTY_SESSIONS, { userId });
  await run(COUNT_SPEAKERS, { userId });

  const dropped = toNumber((await run(DROP_OUTBOX, { userId, ids: [...episodes, ...facts] }))[0]?.['dropped']) ?? 0;
  const threaded = places.filter((row) => row['threadKey'] !== null).map(({ threadKey, position }) => ({ threadKey, position }));
  const behind =
    threaded.length === 0 || following === 0
      ? []
      : (await run(FOLLOWING, { places: threaded, count: toInteger(following) })).map((row) => String(row['id']));
  const steps: OutboxItem[] = [
    ...episodes.map((recordId): OutboxItem => ({ operation: 'delete', kind: 'episode', recordId })),
    ...facts.map((recordId): OutboxItem => ({ operation: 'delete', kind: 'fact', recordId })),
    ...behind.map((recordId): OutboxItem => ({ operation: 'upsert', kind: 'episode', recordId })),
    ...(await ids(INDEXED, changed)).map((recordId): OutboxItem => ({ operation: 'upsert', kind: 'fact', recordId })),
  ];
  await noteFreed(run, userId, freed, [...staying, ...changed]);
  const outbox = await appendOutbox(run, userId, steps);
  const labels = [
    ...new Set(places.flatMap((row) => ['agent', 'session', 'source', 'thread'].flatMap((name) => (row[name] as string | null) ?? []))),
  ];
  const left = labels.length === 0 ? [] : await run(LABELS_LEFT, { userId, labels });
  await forgetEmptyUser(run, [userId]);
  return {
    episodes,
    facts,
    entities: orphans,
    mentions: places.reduce((sum, row) => sum + (toNumber(row['mentions']) ?? 0), 0),
    labels: labels.length - left.length,
    outboxEntries: dropped,
    rederived: changed.length,
    reopened,
    merges,
    outbox,
  };
}

async function select(run: Run, erasure: Erasure): Promise<Record<'episodes' | 'facts' | 'entities', readonly string[]>> {
  const { userId, agentId, sessionId, sourceId, before, ids, entityIds } = erasure;
  const read = async (statement: string, parameters: Readonly<Record<string, unknown>>) =>
    (await run(statement, { userId, ...parameters })).map((row) => String(row['id']));
  if (ids !== undefined) return { episodes: ids, facts: ids, entities: [] };
  if (entityIds !== undefined) {
    return {
      episodes: await read(MENTIONING, { ids: entityIds }),
      facts: await read(TELLING, { ids: entityIds }),
      entities: await read(KNOWN('Entity'), { ids: entityIds }),
    };
  }
  const episodes = await read(BY_SCOPE, {
    agentId: agentId ?? null,
    sessionKey: sessionId === undefined ? null : textKey(userId, 'session', sessionId),
    sourceKey: sourceId === undefined ? null : textKey(userId, 'source', sourceId),
    before: before ?? null,
  });
  const whole = [agentId, sessionId, sourceId, before].every((value) => value === undefined);
  return whole ? { episodes, facts: await read(ALL('Fact'), {}), entities: await read(ALL('Entity'), {}) } : { episodes, facts: [], entities: [] };
}

async function namesOf(run: Run, { userId, entityIds = [] }: Erasure): Promise<string[]> {
  if (entityIds.length === 0) return [];
  const rows = await run(NAMES, { userId, ids: entityIds });
  return rows.flatMap((row) => [String(row['form']), ...(row['aliases'] as readonly string[]).map(normalForm)]);
}
