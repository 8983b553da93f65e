import { type ExpandQuery, MemoryError, type Mention, type Subgraph } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { readEntityIds, readEntityRows } from './entity-reads.ts';
import { readFacts } from './fact-reads.ts';
import { entityKey, knownKeys, userKey } from './keys.ts';
import { LIMIT, rowLimit } from './limit.ts';
import { type EntityRow, readList, toEntity } from './record-mapper.ts';

/**
 * So many of one entity's facts, and mentions, are looked at, at most, in search of `fanOut` that pass the time filters: what bounds the work
 * at a hub whose strongest facts have all ended.
 */
const MOST_ROWS_SCANNED = 4096;
const BY_STRENGTH = 'ORDER BY confidence DESC, created_at DESC, fact_id';
const OPEN = `SELECT * FROM graph_adjacency WHERE entity = wanted.value AND expired = 0 ${BY_STRENGTH} LIMIT ${MOST_ROWS_SCANNED}`;
const EXPIRED = `SELECT * FROM graph_adjacency WHERE entity = wanted.value AND expired = 1 ${BY_STRENGTH} LIMIT ${MOST_ROWS_SCANNED}`;
const HELD = '(valid_at IS NULL OR valid_at <= :begunBy) AND (invalid_at IS NULL OR invalid_at > :endedAfter)';
const HELD_AS_KNOWN = '(valid_at IS NULL OR valid_at <= :begunBy) AND (invalid_at IS NULL OR invalid_at > :endedAfter OR expired_at > :recordedAt)';
const ROW = 'json_array(fact, confidence, created_at, fact_id)';
// One row for each entity, with a JSON array of its facts: the index order is kept, so the scan ends with the last fact that is wanted.
const STRONGEST = `
  SELECT (SELECT json_group_array(${ROW}) FROM (SELECT * FROM (${OPEN}) WHERE ${HELD} ${LIMIT} :limit)) AS facts FROM json_each(:entities) wanted`;
const STRONGEST_RECORDED = `
  SELECT (SELECT json_group_array(${ROW}) FROM (
    SELECT * FROM (SELECT * FROM (${OPEN}) UNION ALL SELECT * FROM (${EXPIRED}))
    WHERE ${HELD_AS_KNOWN} AND created_at <= :recordedAt
    ${BY_STRENGTH} ${LIMIT} :limit
  )) AS facts FROM json_each(:entities) wanted`;
const ENTITIES_OF_FACTS = `
  SELECT json_group_array(entity) AS entities FROM (
    SELECT link.entity FROM json_each(?) wanted CROSS JOIN graph_fact_entity link ON link.fact = wanted.value ORDER BY wanted.key, link.ordinal)`;
const NEWEST_MENTIONS = `
  SELECT (SELECT json_group_array(json_array(key, id)) FROM (
    SELECT episode.key, episode.id FROM (
      SELECT episode FROM graph_mention WHERE entity = wanted.value AND at <= :toldBy ORDER BY at DESC, episode DESC LIMIT ${MOST_ROWS_SCANNED}
    ) mention CROSS JOIN graph_episode episode ON episode.key = mention.episode WHERE episode.created_at <= :keptBy ${LIMIT} :limit
  )) AS episodes FROM json_each(:entities) wanted`;
const COMENTIONS = `
  SELECT json_group_array(json_array(wanted.key, mention.entity)) AS comentions
  FROM json_each(?) wanted CROSS JOIN graph_mention mention INDEXED BY graph_mention_episode ON mention.episode = wanted.value`;

type Adjacency = readonly [fact: number, confidence: number, createdAt: number, factId: string];

interface TimeBounds {
  readonly begunBy: number;
  readonly endedAfter: number;
  /** Undefined: only facts whose end the record does not know. */
  readonly recordedAt: number | undefined;
}

/** Without a moment asked for, what has ended need not be looked at. */
const ALWAYS = Number.MAX_SAFE_INTEGER;

/**
 * The neighbourhood of the seeds, ring by ring: facts are followed from every entity nearer than `hops`, so 0 hops gives the seeds, their
 * degrees and mentions. Each ring's facts are taken strongest first until `limit`; a nearer ring always comes before a farther one.
 * All entities of a returned fact are in the subgraph. Mentions: nearest entity first, the newest episodes of each, `fanOut` an entity.
 */
export function expandSubgraph(database: SqliteDatabase, query: ExpandQuery, now: number): Subgraph {
  const user = userKey(database, query.userId);
  const seeds = user === undefined ? [] : knownKeys([...new Set(query.seedIds)], (id) => entityKey(database, user, id));
  if (user === undefined || seeds.length === 0) {
    return { entities: [], distance: new Map(), degree: new Map(), facts: [], mentions: [], comentions: [], truncated: false };
  }
  const bounds = timeBounds(query, now);
  const followed = followFacts(database, seeds, query, bounds);
  const found = readEntityRows(database, user, [...followed.distance.keys()]);
  const rows = [...followed.distance.keys()].map((key) => found.get(key)).filter((row) => row !== undefined);
  const mentioned = readNewestMentions(database, rows, query, bounds);
  const ids = new Map(rows.map((row) => [row.key, row.id]));
  return {
    entities: rows.map((row) => toEntity(query.userId, row)),
    distance: new Map(rows.map((row) => [row.id, followed.distance.get(row.key) ?? 0])),
    degree: new Map(rows.map((row) => [row.id, row.degree])),
    facts: readFacts(database, query.userId, user, followed.facts, ids),
    mentions: mentioned.mentions,
    comentions: query.comentions === true ? readComentions(database, user, mentioned.episodes, ids) : [],
    // At a larger hub, a fact that passes the time filters may lie behind the rows that were looked at.
    truncated:
      followed.truncated ||
      mentioned.truncated ||
      rows.some((row) => row.degree > MOST_ROWS_SCANNED && (followed.distance.get(row.key) ?? 0) < query.hops),
  };
}

function timeBounds(query: ExpandQuery, now: number): TimeBounds {
  const validAt = query.validAt === undefined ? undefined : queryTime(query.validAt, 'validAt');
  const recordedAt = query.recordedAt === undefined ? (validAt === undefined ? undefined : ALWAYS) : queryTime(query.recordedAt, 'recordedAt');
  return { begunBy: validAt ?? Number.MAX_SAFE_INTEGER, endedAfter: validAt ?? now, recordedAt };
}

function queryTime(value: string, option: string): number {
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) throw new MemoryError('INPUT_INVALID', `\`${option}\` is not an ISO 8601 time.`, { details: { option } });
  return milliseconds;
}

interface Followed {
  /** Rings by entity key, in the order in which they were reached. */
  readonly distance: ReadonlyMap<number, number>;
  readonly facts: readonly number[];
  readonly truncated: boolean;
}

function followFacts(database: SqliteDatabase, seeds: readonly number[], query: ExpandQuery, bounds: TimeBounds): Followed {
  const distance = new Map(seeds.map((seed) => [seed, 0]));
  const facts = new Set<number>();
  const limit = rowLimit(query.limit);
  const fanOut = rowLimit(query.fanOut);
  let truncated = false;
  let frontier = seeds;
  for (let ring = 1; ring <= query.hops && frontier.length > 0; ring++) {
    // No fact of this ring can be taken, and that something is left out is known already.
    if (truncated && facts.size >= limit) break;
    const candidates = new Map<number, Adjacency>();
    for (const strongest of strongestFacts(database, frontier, fanOut + 1, bounds)) {
      // One more than wanted was asked for, which tells whether something is left out.
      truncated ||= strongest.length > fanOut;
      for (const adjacency of strongest.slice(0, fanOut)) if (!facts.has(adjacency[0])) candidates.set(adjacency[0], adjacency);
    }
    const taken = [...candidates.values()]
      .sort(byStrength)
      .slice(0, limit - facts.size)
      .map(([fact]) => fact);
    truncated ||= taken.length < candidates.size;
    for (const fact of taken) facts.add(fact);
    const reached = new Set(entitiesOf(database, taken));
    frontier = [...reached].filter((entity) => !distance.has(entity));
    for (const entity of frontier) distance.set(entity, ring);
  }
  return { distance, facts: [...facts], truncated };
}

/** For each entity, in order, its strongest facts. */
function strongestFacts(database: SqliteDatabase, entities: readonly number[], limit: number, bounds: TimeBounds): Adjacency[][] {
  const { recordedAt, ...world } = bounds;
  const parameters = { ...world, limit, entities: JSON.stringify(entities) };
  const rows =
    recordedAt === undefined ? database.prepare(STRONGEST).all(parameters) : database.prepare(STRONGEST_RECORDED).all({ ...parameters, recordedAt });
  return rows.map((row) => JSON.parse(String(row['facts'])) as Adjacency[]);
}

function byStrength([, confidenceA, createdA, idA]: Adjacency, [, confidenceB, createdB, idB]: Adjacency): number {
  return confidenceB - confidenceA || createdB - createdA || (idA < idB ? -1 : 1);
}

/** Entities of the facts, in the order of the facts; some more than once. */
function entitiesOf(database: SqliteDatabase, facts: readonly number[]): number[] {
  const row = database.prepare(ENTITIES_OF_FACTS).get(JSON.stringify(facts));
  return JSON.parse(String(row?.['entities'] ?? '[]')) as number[];
}

function readNewestMentions(
  database: SqliteDatabase,
  entities: readonly EntityRow[],
  query: ExpandQuery,
  { begunBy, recordedAt = ALWAYS }: TimeBounds,
): { mentions: Mention[]; episodes: ReadonlyMap<number, string>; truncated: boolean } {
  const fanOut = rowLimit(query.fanOut);
  const limit = rowLimit(query.limit);
  const mentions: Mention[] = [];
  const found = new Map<number, string>();
  let truncated = false;
  for (let next = 0; next < entities.length && !(truncated && mentions.length === limit); ) {
    // As many entities as would do if each had its full share; one more tells whether anything is left out.
    const batch = entities.slice(next, next + Math.ceil((limit - mentions.length + 1) / fanOut));
    next += batch.length;
    const rows = database
      .prepare(NEWEST_MENTIONS)
      .all({ toldBy: begunBy, keptBy: recordedAt, limit: fanOut + 1, entities: JSON.stringify(batch.map((entity) => entity.key)) });
    rows.forEach((row, index) => {
      const entity = batch[index];
      if (entity === undefined) return;
      const episodes = readList<[key: number, id: string]>(String(row['episodes']), entity.id);
      const taken = episodes.slice(0, Math.min(fanOut, limit - mentions.length));
      truncated ||= taken.length < episodes.length;
      for (const [key, episodeId] of taken) {
        found.set(key, episodeId);
        mentions.push({ episodeId, entityId: entity.id });
      }
    });
  }
  return { mentions, episodes: found, truncated };
}

/** All mentions of the episodes. `entityIds` are those known so far, by key; the others are read. */
function readComentions(
  database: SqliteDatabase,
  user: number,
  episodes: ReadonlyMap<number, string>,
  entityIds: ReadonlyMap<number, string>,
): Mention[] {
  const row = database.prepare(COMENTIONS).get(JSON.stringify([...episodes.keys()]));
  const pairs = JSON.parse(String(row?.['comentions'] ?? '[]')) as [place: number, entity: number][];
  const unknown = new Set(pairs.map(([, entity]) => entity).filter((entity) => !entityIds.has(entity)));
  const others = readEntityIds(database, user, unknown);
  const episodeIds = [...episodes.values()];
  const byEpisode = episodeIds.map((): string[] => []);
  for (const [place, entity] of pairs) byEpisode[place]?.push(entityIds.get(entity) ?? others.get(entity) ?? '');
  return byEpisode.flatMap((mentioned, place) => mentioned.sort().map((entityId) => ({ episodeId: episodeIds[place] ?? '', entityId })));
}
