import type { FactOrigin, LoggedUpdate, Page, RecordKind, Update, UpdateAction, UpdateFilter } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { userKey } from './keys.ts';
import { LIMIT, rowLimit } from './limit.ts';
import { toMilliseconds, toTimestamp } from './record-mapper.ts';

interface UpdateRow {
  readonly sequence: number;
  readonly id: string;
  readonly action: UpdateAction;
  readonly kind: RecordKind | 'entity';
  readonly record_id: string;
  readonly related_id: string | null;
  readonly actor: FactOrigin;
  readonly reason: string;
  readonly episode_id: string | null;
  readonly before: string | null;
  readonly after: string | null;
  readonly at: number;
}

const COLUMNS = 'sequence, id, action, kind, record_id, related_id, actor, reason, episode_id, before, after, at';
const PAGE = `AND (:actions IS NULL OR action IN (SELECT value FROM json_each(:actions))) AND sequence > :after ORDER BY sequence ${LIMIT} :limit`;
const ALL = `SELECT ${COLUMNS} FROM graph_update WHERE user = :user ${PAGE}`;
const OF_RECORDS = `
  SELECT ${COLUMNS} FROM graph_update WHERE user = :user AND sequence IN (
    SELECT sequence FROM json_each(:records) wanted CROSS JOIN graph_update entry ON entry.user = :user AND entry.record_id = wanted.value
    UNION SELECT sequence FROM json_each(:records) wanted CROSS JOIN graph_update entry ON entry.user = :user AND entry.related_id = wanted.value
  ) ${PAGE}`;

const MERGES = `SELECT ${COLUMNS} FROM graph_update WHERE user = ? AND action = 'merge' AND episode_id IN (SELECT value FROM json_each(?)) ORDER BY sequence`;

/** Those that one of the turns told of. */
export function mergesOf(database: SqliteDatabase, user: number, userId: string, episodeIds: readonly string[]): Update[] {
  const rows = database.prepare(MERGES).all(user, JSON.stringify(episodeIds));
  return (rows as unknown as UpdateRow[]).map((row) => toUpdate(userId, row));
}

export function appendUpdates(database: SqliteDatabase, user: number, updates: readonly Update[]): void {
  const statement = database.prepare(
    `INSERT OR IGNORE INTO graph_update(user, id, action, kind, record_id, related_id, actor, reason, episode_id, before, after, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (const update of updates) {
    const { id, action, kind, recordId, relatedId, actor, reason, episodeId, before, after, at } = update;
    statement.run(
      user,
      id,
      action,
      kind,
      recordId,
      relatedId ?? null,
      actor,
      reason,
      episodeId ?? null,
      before ?? null,
      after ?? null,
      toMilliseconds(at, 'at', id),
    );
  }
}

export function readUpdates(database: SqliteDatabase, filter: UpdateFilter, page: Page): LoggedUpdate[] {
  const user = userKey(database, filter.userId);
  if (user === undefined) return [];
  const parameters = {
    user,
    actions: filter.actions === undefined ? null : JSON.stringify(filter.actions),
    after: page.after === undefined ? 0 : Number(page.after) || 0,
    limit: rowLimit(page.limit),
  };
  const rows =
    filter.recordIds === undefined
      ? database.prepare(ALL).all(parameters)
      : database.prepare(OF_RECORDS).all({ ...parameters, records: JSON.stringify(filter.recordIds) });
  return (rows as unknown as UpdateRow[]).map((row) => toUpdate(filter.userId, row));
}

function toUpdate(userId: string, row: UpdateRow): LoggedUpdate {
  return {
    sequence: row.sequence,
    id: row.id,
    userId,
    action: row.action,
    kind: row.kind,
    recordId: row.record_id,
    ...(row.related_id !== null && { relatedId: row.related_id }),
    actor: row.actor,
    reason: row.reason,
    ...(row.episode_id !== null && { episodeId: row.episode_id }),
    ...(row.before !== null && { before: row.before }),
    ...(row.after !== null && { after: row.after }),
    at: toTimestamp(row.at),
  };
}
