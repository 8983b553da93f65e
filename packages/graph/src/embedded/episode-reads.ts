import { type Episode, type EpisodeFilter, hasMetadata, type Mention, type Page, piecesOfMetadata } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { labelKey, userKey } from './keys.ts';
import { LIMIT, rowLimit } from './limit.ts';
import { EPISODE_COLUMNS, type EpisodeRow, toEpisode } from './record-mapper.ts';

const SELECT = `
  SELECT ${EPISODE_COLUMNS}
  FROM graph_episode episode
  LEFT JOIN graph_label agent ON agent.key = episode.agent
  LEFT JOIN graph_label session ON session.key = episode.session
  LEFT JOIN graph_label source ON source.key = episode.source
  LEFT JOIN graph_label thread ON thread.key = episode.thread`;
const BY_ID = `${SELECT} WHERE episode.user = ? AND episode.id = ?`;
const LATEST = `${SELECT} WHERE episode.thread = ? ORDER BY episode.position DESC ${LIMIT} ?`;
const BEFORE = `${SELECT} WHERE episode.thread = ? AND episode.position < ? ORDER BY episode.position DESC ${LIMIT} ?`;
const AFTER = `${SELECT} WHERE episode.thread = ? AND episode.position > ? ORDER BY episode.position ${LIMIT} ?`;

const MENTIONS = `
  SELECT entity.id, spelling FROM graph_episode episode CROSS JOIN graph_mention mention ON mention.episode = episode.key
  CROSS JOIN graph_entity entity ON entity.key = mention.entity WHERE episode.user = ? AND episode.id = ? ORDER BY entity.id`;

const MOST_SPEAKERS = 200;
// One index look-up for each distinct speaker: DISTINCT would walk all of the user's turns.
const SPEAKERS = `
  WITH RECURSIVE met(speaker) AS (
    SELECT min(speaker) FROM graph_episode WHERE user = :user AND speaker IS NOT NULL
    UNION ALL
    SELECT (SELECT min(speaker) FROM graph_episode WHERE user = :user AND speaker IS NOT NULL AND speaker > met.speaker)
    FROM met WHERE met.speaker IS NOT NULL
    LIMIT ${MOST_SPEAKERS}
  ) SELECT speaker FROM met WHERE speaker IS NOT NULL`;

const SOURCES = `
  SELECT text FROM graph_label label WHERE user = ? AND text > ?
    AND EXISTS (SELECT 1 FROM graph_episode episode WHERE episode.source = label.key) ORDER BY text ${LIMIT} ?`;

const PAGE = `
  AND (:agent IS NULL OR episode.agent = :agent) AND (:session IS NULL OR episode.session = :session)
  AND (:source IS NULL OR episode.source = :source) AND (:state IS NULL OR episode.state = :state)
  AND (:pieces = '[]' OR NOT EXISTS (SELECT 1 FROM json_each(:pieces) piece WHERE instr(episode.metadata, piece.value) = 0))
  AND episode.id > :after ORDER BY episode.id ${LIMIT} :limit`;
// The unary plus keeps SQLite from walking all of the user's episodes where a narrower index is at hand.
const FIND_BY_SOURCE = `${SELECT} WHERE +episode.user = :user AND episode.source = :source ${PAGE}`;
const FIND_BY_SESSION = `${SELECT} WHERE +episode.user = :user AND episode.session = :session ${PAGE}`;
const FIND_UNREAD = `${SELECT.replace('graph_episode episode', 'graph_episode episode INDEXED BY graph_episode_unread')}
  WHERE episode.user = :user AND episode.state IN ('pending', 'failed') ${PAGE}`;
const FIND = `${SELECT} WHERE episode.user = :user ${PAGE}`;

export function getEpisodes(database: SqliteDatabase, userId: string, ids: readonly string[]): Episode[] {
  const user = userKey(database, userId);
  if (user === undefined) return [];
  const statement = database.prepareArrays(BY_ID);
  return ids.flatMap((id) => {
    const row = statement.get(user, id);
    return row === undefined ? [] : [toEpisode(userId, row as unknown as EpisodeRow)];
  });
}

export function findEpisodes(database: SqliteDatabase, filter: EpisodeFilter, page: Page): Episode[] {
  const user = userKey(database, filter.userId);
  if (user === undefined) return [];
  const labels = { agent: filter.agentId, session: filter.sessionId, source: filter.sourceId };
  const keys = { agent: null as number | null, session: null as number | null, source: null as number | null };
  for (const name of ['agent', 'session', 'source'] as const) {
    const text = labels[name];
    if (text === undefined) continue;
    const key = labelKey(database, user, text);
    if (key === undefined) return [];
    keys[name] = key;
  }
  const statement = database.prepareArrays(findStatement(filter));
  const { metadata = {} } = filter;
  const pieces = JSON.stringify(piecesOfMetadata(metadata));
  const limit = rowLimit(page.limit);
  const found: Episode[] = [];
  for (let after = page.after ?? ''; ; ) {
    const rows = toEpisodes(filter.userId, statement.all({ user, ...keys, state: filter.state ?? null, pieces, after, limit }));
    found.push(...rows.filter((episode) => hasMetadata(episode.metadata, metadata)));
    const last = rows.at(-1);
    if (found.length >= limit || rows.length < limit || last === undefined) return found.slice(0, limit);
    after = last.id;
  }
}

function findStatement(filter: EpisodeFilter): string {
  if (filter.sourceId !== undefined) return FIND_BY_SOURCE;
  if (filter.sessionId !== undefined) return FIND_BY_SESSION;
  return filter.state === 'pending' || filter.state === 'failed' ? FIND_UNREAD : FIND;
}

export function readNeighbours(database: SqliteDatabase, userId: string, episodeIds: readonly string[], count: number): Map<string, Episode[]> {
  const neighbours = new Map<string, Episode[]>();
  const user = userKey(database, userId);
  if (user === undefined) return neighbours;
  const place = database.prepare('SELECT thread, position FROM graph_episode WHERE user = ? AND id = ?');
  const statement = database.prepareArrays(count < 0 ? AFTER : BEFORE);
  const limit = rowLimit(Math.abs(count));
  for (const id of episodeIds) {
    const row = place.get(user, id);
    if (row === undefined) continue;
    const thread = row['thread'] ?? null;
    neighbours.set(id, thread === null || limit === 0 ? [] : toEpisodes(userId, statement.all(thread, row['position'] ?? 0, limit)));
  }
  return neighbours;
}

export function readLatest(database: SqliteDatabase, userId: string, threadId: string, count: number): Episode[] {
  const user = userKey(database, userId);
  const thread = user === undefined ? undefined : labelKey(database, user, threadId);
  return thread === undefined ? [] : toEpisodes(userId, database.prepareArrays(LATEST).all(thread, rowLimit(count)));
}

export function readSpeakers(database: SqliteDatabase, userId: string): string[] {
  const user = userKey(database, userId);
  return user === undefined
    ? []
    : database
        .prepare(SPEAKERS)
        .all({ user })
        .map((row) => String(row['speaker']));
}

export function readSources(database: SqliteDatabase, userId: string, page: Page): string[] {
  const user = userKey(database, userId);
  if (user === undefined) return [];
  return database
    .prepare(SOURCES)
    .all(user, page.after ?? '', rowLimit(page.limit))
    .map((row) => String(row['text']));
}

/** In the order of the episodes, then by entity id. */
export function readMentions(database: SqliteDatabase, userId: string, episodeIds: readonly string[]): Mention[] {
  const user = userKey(database, userId);
  if (user === undefined) return [];
  const statement = database.prepare(MENTIONS);
  return episodeIds.flatMap((episodeId) =>
    statement.all(user, episodeId).map((row) => ({
      episodeId,
      entityId: String(row['id']),
      ...(row['spelling'] !== null && { spelling: String(row['spelling']) }),
    })),
  );
}

function toEpisodes(userId: string, rows: readonly unknown[]): Episode[] {
  return (rows as readonly EpisodeRow[]).map((row) => toEpisode(userId, row));
}
