import { type ExpandQuery, type Fact, MemoryError, type Mention, type Subgraph, timestamp } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { type EntityWithDegree, getEntities, getEntitiesWithDegrees } from './entity-reads.ts';
import { readMentions } from './episode-reads.ts';
import { getFacts } from './fact-reads.ts';
import { rowLimit } from './keys.ts';
import { EXPIRED_RANKS, mentionsUntil, OPEN_RANKS, strength } from './rank.ts';
import { toInteger } from './record-mapper.ts';

/**
 * So many of one entity's facts, and mentions, are looked at, at most, in search of `fanOut` that pass the time filters: what bounds the work
 * at a hub whose strongest facts have all ended.
 */
const MOST_ROWS_SCANNED = 4096;
/** Entities whose mentions are read by one statement; the first few are mostly enough for the limit. */
const MENTION_BATCH = 8;

// The index gives each entity's facts in order, so the scan ends with the last fact that is wanted.
const STRONGEST = `
  UNWIND $entityIds AS entityId
  CALL (entityId) {
    MATCH ()-[about:ABOUT]->() USING INDEX SEEK about:ABOUT(userId, entityId, rank)
    WHERE about.userId = $userId AND about.entityId = entityId AND about.rank >= $from AND about.rank < $below
    WITH about ORDER BY about.userId, about.entityId, about.rank LIMIT ${MOST_ROWS_SCANNED}
    WITH about WHERE ($begunBy IS NULL OR about.validAt IS NULL OR about.validAt <= datetime($begunBy))
      AND (about.invalidAt IS NULL OR about.invalidAt > datetime($endedAfter) OR about.expiredAt > datetime($recordedAt))
      AND ($recordedAt IS NULL OR about.createdAt <= datetime($recordedAt))
    RETURN about LIMIT $limit
  }
  RETURN entityId, startNode(about).id AS factId, about.rank AS rank`;
const NEWEST_MENTIONS = `
  UNWIND $entityIds AS entityId
  CALL (entityId) {
    MATCH ()-[mention:MENTIONS]->() USING INDEX SEEK mention:MENTIONS(userId, entityId, rank)
    WHERE mention.userId = $userId AND mention.entityId = entityId AND mention.rank >= $from
    WITH mention ORDER BY mention.userId, mention.entityId, mention.rank LIMIT ${MOST_ROWS_SCANNED}
    WITH mention WHERE $recordedAt IS NULL OR startNode(mention).createdAt <= datetime($recordedAt)
    RETURN mention LIMIT $limit
  }
  RETURN entityId, startNode(mention).id AS episodeId, mention.rank AS rank`;

interface TimeBounds {
  readonly begunBy: string | null;
  readonly endedAfter: string;
  /** Null: as the record is now. */
  readonly recordedAt: string | null;
  /** Without a moment asked for, what the record has closed need not be looked at. */
  readonly openOnly: boolean;
}

/**
 * The neighbourhood of the seeds, ring by ring: facts are followed from every entity nearer than `hops`, so 0 hops gives the seeds, their
 * degrees and mentions. Each ring's facts are taken strongest first until `limit`; a nearer ring always comes before a farther one.
 * All entities of a returned fact are in the subgraph. Mentions: nearest entity first, the newest episodes of each, `fanOut` an entity.
 */
export async function expandSubgraph(run: Run, query: ExpandQuery, now: Date): Promise<Subgraph> {
  const bounds = timeBounds(query, now);
  const seeds = (await getEntities(run, query.userId, [...new Set(query.seedIds)])).map((entity) => entity.id);
  if (seeds.length === 0) return { entities: [], distance: new Map(), degree: new Map(), facts: [], mentions: [], comentions: [], truncated: false };
  const { distance, facts, truncated } = await followFacts(run, seeds, query, bounds);
  const rows = await getEntitiesWithDegrees(run, query.userId, [...distance.keys()]);
  const mentioned = await readNewestMentions(run, rows, query, bounds);
  const episodeIds = [...new Set(mentioned.mentions.map((mention) => mention.episodeId))];
  const comentions = query.comentions === true ? await readMentions(run, query.userId, episodeIds) : [];
  return {
    entities: rows.map(({ entity }) => entity),
    distance: new Map(rows.map(({ entity }) => [entity.id, distance.get(entity.id) ?? 0])),
    degree: new Map(rows.map(({ entity, degree }) => [entity.id, degree])),
    facts,
    mentions: mentioned.mentions,
    comentions: comentions.map(({ episodeId, entityId }) => ({ episodeId, entityId })),
    // At a larger hub, a fact that passes the time filters may lie behind the rows that were looked at.
    truncated:
      truncated ||
      mentioned.truncated ||
      rows.some(({ entity, degree }) => degree > MOST_ROWS_SCANNED && (distance.get(entity.id) ?? 0) < query.hops),
  };
}

function timeBounds(query: ExpandQuery, now: Date): TimeBounds {
  const validAt = query.validAt === undefined ? null : queryTime(query.validAt, 'validAt');
  const recordedAt = query.recordedAt === undefined ? null : queryTime(query.recordedAt, 'recordedAt');
  return { begunBy: validAt, endedAfter: validAt ?? timestamp(now), recordedAt, openOnly: validAt === null && recordedAt === null };
}

function queryTime(value: string, option: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) throw new MemoryError('INPUT_INVALID', `\`${option}\` is not an ISO 8601 time.`, { details: { option } });
  return timestamp(date);
}

interface Followed {
  /** Rings by entity id, in the order in which they were reached. */
  readonly distance: ReadonlyMap<string, number>;
  readonly facts: readonly Fact[];
  readonly truncated: boolean;
}

async function followFacts(run: Run, seeds: readonly string[], query: ExpandQuery, bounds: TimeBounds): Promise<Followed> {
  const distance = new Map(seeds.map((seed) => [seed, 0]));
  const facts = new Map<string, Fact>();
  const limit = rowLimit(query.limit);
  const fanOut = rowLimit(query.fanOut);
  let truncated = false;
  let frontier = seeds;
  for (let ring = 1; ring <= query.hops && frontier.length > 0; ring++) {
    const candidates = new Map<string, string>();
    // One more than wanted is asked for, which tells whether something is left out.
    for (const strongest of await strongestFacts(run, query.userId, frontier, fanOut + 1, bounds)) {
      truncated ||= strongest.length > fanOut;
      for (const { factId, rank } of strongest.slice(0, fanOut)) if (!facts.has(factId)) candidates.set(factId, rank);
    }
    const taken = [...candidates].sort(([, a], [, b]) => compare(a, b)).slice(0, limit - facts.size);
    truncated ||= taken.length < candidates.size;
    const read = await getFacts(
      run,
      query.userId,
      taken.map(([factId]) => factId),
    );
    for (const fact of read) facts.set(fact.id, fact);
    const reached = new Set(read.flatMap((fact) => fact.entityIds));
    frontier = [...reached].filter((entityId) => !distance.has(entityId));
    for (const entityId of frontier) distance.set(entityId, ring);
  }
  return { distance, facts: [...facts.values()], truncated };
}

interface RankedFact {
  readonly factId: string;
  readonly rank: string;
}

/** For each entity, its strongest facts in order. */
async function strongestFacts(run: Run, userId: string, entityIds: readonly string[], limit: number, bounds: TimeBounds): Promise<RankedFact[][]> {
  const { openOnly, ...times } = bounds;
  const parameters = { ...times, userId, entityIds, limit: toInteger(limit) };
  const rows = await run(STRONGEST, { ...parameters, ...OPEN_RANKS });
  // What the record has closed since may still have held at the moment that is asked for.
  if (!openOnly) rows.push(...(await run(STRONGEST, { ...parameters, ...EXPIRED_RANKS })));
  const byEntity = new Map(entityIds.map((id) => [id, [] as RankedFact[]]));
  for (const row of rows) byEntity.get(String(row['entityId']))?.push({ factId: String(row['factId']), rank: strength(String(row['rank'])) });
  return [...byEntity.values()].map((facts) => facts.sort((a, b) => compare(a.rank, b.rank)).slice(0, limit));
}

async function readNewestMentions(
  run: Run,
  entities: readonly EntityWithDegree[],
  query: ExpandQuery,
  { begunBy, recordedAt }: TimeBounds,
): Promise<{ mentions: Mention[]; truncated: boolean }> {
  const from = begunBy === null ? '' : mentionsUntil(Date.parse(begunBy));
  const fanOut = rowLimit(query.fanOut);
  const limit = rowLimit(query.limit);
  const mentions: Mention[] = [];
  let truncated = false;
  for (let start = 0; start < entities.length && !(truncated && mentions.length === limit); start += MENTION_BATCH) {
    const entityIds = entities.slice(start, start + MENTION_BATCH).map(({ entity }) => entity.id);
    const newest = new Map(entityIds.map((id) => [id, [] as { episodeId: string; rank: string }[]]));
    for (const row of await run(NEWEST_MENTIONS, { userId: query.userId, entityIds, from, recordedAt, limit: toInteger(fanOut + 1) })) {
      newest.get(String(row['entityId']))?.push({ episodeId: String(row['episodeId']), rank: String(row['rank']) });
    }
    for (const [entityId, found] of newest) {
      const taken = found.sort((a, b) => compare(a.rank, b.rank)).slice(0, Math.min(fanOut, limit - mentions.length));
      truncated ||= taken.length < found.length;
      for (const { episodeId } of taken) mentions.push({ episodeId, entityId });
    }
  }
  return { mentions, truncated };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
