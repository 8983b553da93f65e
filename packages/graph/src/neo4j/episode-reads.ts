import { type Episode, type EpisodeFilter, hasMetadata, type Mention, type Page, piecesOfMetadata } from '@tandem-memory/core';
import type { Row, Run } from './connection.ts';
import { rowLimit, textKey } from './keys.ts';
import { toEpisode, toInteger } from './record-mapper.ts';

const BY_IDS = 'UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) RETURN episode';
const LATEST = `
  MATCH (episode:Episode) USING INDEX SEEK episode:Episode(threadKey, position)
  WHERE episode.threadKey = $threadKey AND episode.position >= 0 AND episode.userId = $userId
  RETURN episode ORDER BY episode.threadKey DESC, episode.position DESC LIMIT $limit`;
const PLACES =
  'UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) RETURN id, episode.threadKey AS threadKey, episode.position AS position';
const BEFORE = `
  UNWIND $places AS place
  CALL (place) {
    MATCH (episode:Episode) USING INDEX SEEK episode:Episode(threadKey, position)
    WHERE episode.threadKey = place.threadKey AND episode.position < place.position AND episode.userId = $userId
    RETURN episode ORDER BY episode.threadKey DESC, episode.position DESC LIMIT $limit
  }
  RETURN place.id AS id, collect(episode) AS episodes`;
const AFTER = `
  UNWIND $places AS place
  CALL (place) {
    MATCH (episode:Episode) USING INDEX SEEK episode:Episode(threadKey, position)
    WHERE episode.threadKey = place.threadKey AND episode.position > place.position AND episode.userId = $userId
    RETURN episode ORDER BY episode.threadKey, episode.position LIMIT $limit
  }
  RETURN place.id AS id, collect(episode) AS episodes`;

// One statement a filter, so that each is planned for its own index; what is left over is compared row by row.
const REST = `
  AND ($agentId IS NULL OR episode.agentId = $agentId) AND ($sessionKey IS NULL OR episode.sessionKey = $sessionKey)
  AND ($sourceKey IS NULL OR episode.sourceKey = $sourceKey) AND ($state IS NULL OR episode.state = $state)
  AND all(piece IN $pieces WHERE episode.metadata CONTAINS piece)
  RETURN episode ORDER BY episode.id LIMIT $limit`;
const FIND = `MATCH (episode:Episode) WHERE episode.userId = $userId AND episode.id > $after ${REST}`;
const FIND_BY_SOURCE = `MATCH (episode:Episode) USING INDEX SEEK episode:Episode(sourceKey, id)
  WHERE episode.sourceKey = $sourceKey AND episode.id > $after AND episode.userId = $userId ${REST}`;
const FIND_BY_SESSION = `MATCH (episode:Episode) USING INDEX SEEK episode:Episode(sessionKey, id)
  WHERE episode.sessionKey = $sessionKey AND episode.id > $after AND episode.userId = $userId ${REST}`;
const FIND_BY_STATE = `MATCH (episode:Episode) USING INDEX SEEK episode:Episode(userId, state, id)
  WHERE episode.userId = $userId AND episode.state = $state AND episode.id > $after ${REST}`;

const SPEAKERS = 'MATCH (user:User {userId: $userId}) RETURN user.speakers AS speakers';
const SOURCES = `
  MATCH (episode:Episode) WHERE episode.userId = $userId AND episode.sourceId > $after
  RETURN DISTINCT episode.sourceId AS source ORDER BY source LIMIT $limit`;
const MENTIONS = `
  UNWIND range(0, size($ids) - 1) AS place
  WITH place, $ids[place] AS id
  MATCH (episode:Episode {userId: $userId, id: id})-[mention:MENTIONS]->(entity:Entity)
  RETURN id, entity.id AS entityId, mention.spelling AS spelling ORDER BY place, entityId`;

export async function getEpisodes(run: Run, userId: string, ids: readonly string[]): Promise<Episode[]> {
  if (ids.length === 0) return [];
  const rows = await run(BY_IDS, { userId, ids: [...new Set(ids)] });
  const found = new Map(rows.map((row) => toEpisode(userId, row['episode'])).map((episode) => [episode.id, episode]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function findEpisodes(run: Run, filter: EpisodeFilter, page: Page): Promise<Episode[]> {
  const { userId, agentId, sessionId, sourceId, state, metadata = {} } = filter;
  const limit = rowLimit(page.limit);
  const parameters = {
    userId,
    agentId: agentId ?? null,
    sessionKey: sessionId === undefined ? null : textKey(userId, 'session', sessionId),
    sourceKey: sourceId === undefined ? null : textKey(userId, 'source', sourceId),
    state: state ?? null,
    pieces: piecesOfMetadata(metadata),
    limit: toInteger(limit),
  };
  const found: Episode[] = [];
  for (let after = page.after ?? ''; ; ) {
    const rows = toEpisodes(userId, await run(findStatement(filter), { ...parameters, after }));
    found.push(...rows.filter((episode) => hasMetadata(episode.metadata, metadata)));
    const last = rows.at(-1);
    if (found.length >= limit || rows.length < limit || last === undefined) return found.slice(0, limit);
    after = last.id;
  }
}

function findStatement(filter: EpisodeFilter): string {
  if (filter.sourceId !== undefined) return FIND_BY_SOURCE;
  if (filter.sessionId !== undefined) return FIND_BY_SESSION;
  return filter.state === undefined ? FIND : FIND_BY_STATE;
}

export async function readNeighbours(run: Run, userId: string, episodeIds: readonly string[], count: number): Promise<Map<string, Episode[]>> {
  const limit = rowLimit(Math.abs(count));
  const places = await run(PLACES, { userId, ids: [...new Set(episodeIds)] });
  const known = new Set(places.map((place) => place['id']));
  const neighbours = new Map(episodeIds.filter((id) => known.has(id)).map((id) => [id, [] as Episode[]]));
  const threaded = places.filter((place) => place['threadKey'] !== null);
  if (limit === 0 || threaded.length === 0) return neighbours;
  for (const row of await run(count < 0 ? AFTER : BEFORE, { userId, places: threaded, limit: toInteger(limit) })) {
    neighbours.set(
      String(row['id']),
      (row['episodes'] as unknown[]).map((node) => toEpisode(userId, node)),
    );
  }
  return neighbours;
}

export async function readLatest(run: Run, userId: string, threadId: string, count: number): Promise<Episode[]> {
  return toEpisodes(userId, await run(LATEST, { userId, threadKey: textKey(userId, 'thread', threadId), limit: toInteger(rowLimit(count)) }));
}

/** Kept with the user, since every question asks for them. */
export async function readSpeakers(run: Run, userId: string): Promise<string[]> {
  const [row] = await run(SPEAKERS, { userId });
  return [...((row?.['speakers'] as string[] | null | undefined) ?? [])];
}

export async function readSources(run: Run, userId: string, page: Page): Promise<string[]> {
  const rows = await run(SOURCES, { userId, after: page.after ?? '', limit: toInteger(rowLimit(page.limit)) });
  return rows.map((row) => String(row['source']));
}

/** In the order of the episodes, then by entity id. */
export async function readMentions(run: Run, userId: string, episodeIds: readonly string[]): Promise<Mention[]> {
  if (episodeIds.length === 0) return [];
  const rows = await run(MENTIONS, { userId, ids: episodeIds });
  return rows.map((row) => ({
    episodeId: String(row['id']),
    entityId: String(row['entityId']),
    ...(row['spelling'] !== null && { spelling: String(row['spelling']) }),
  }));
}

function toEpisodes(userId: string, rows: readonly Row[]): Episode[] {
  return rows.map((row) => toEpisode(userId, row['episode']));
}
