import type { GraphCounts, Page } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { userKey } from './keys.ts';
import { LIMIT, rowLimit } from './limit.ts';

// A user of whom only outbox entries are left (everything was erased) is none any more.
const HAS_RECORDS = `(EXISTS (SELECT 1 FROM graph_episode WHERE user = graph_user.key)
  OR EXISTS (SELECT 1 FROM graph_entity WHERE user = graph_user.key)
  OR EXISTS (SELECT 1 FROM graph_fact WHERE user = graph_user.key))`;
const COUNT_ALL = `
  SELECT (SELECT count(*) FROM graph_episode) AS episodes, (SELECT count(*) FROM graph_entity) AS entities,
    (SELECT count(*) FROM graph_fact) AS facts, (SELECT count(*) FROM graph_user WHERE ${HAS_RECORDS}) AS users, (SELECT count(*) FROM graph_outbox) AS outbox`;
const COUNT_USER = `
  SELECT (SELECT count(*) FROM graph_episode WHERE user = :user) AS episodes, (SELECT count(*) FROM graph_entity WHERE user = :user) AS entities,
    (SELECT count(*) FROM graph_fact WHERE user = :user) AS facts, (SELECT count(*) FROM graph_user WHERE key = :user AND ${HAS_RECORDS}) AS users,
    (SELECT count(*) FROM graph_outbox WHERE user = :user) AS outbox`;

/** Removes the row of a user of whom nothing is left, so that the id is not left either. */
export function forgetEmptyUser(database: SqliteDatabase, user: number): void {
  database
    .prepare(
      `DELETE FROM graph_user WHERE key = ? AND NOT ${HAS_RECORDS} AND NOT EXISTS (SELECT 1 FROM graph_outbox WHERE user = graph_user.key)
         AND NOT EXISTS (SELECT 1 FROM graph_label WHERE user = graph_user.key)`,
    )
    .run(user);
}

/** Ids of users who have records, ascending. */
export function readUsers(database: SqliteDatabase, page: Page): string[] {
  return database
    .prepare(`SELECT id FROM graph_user WHERE id > :after AND ${HAS_RECORDS} ORDER BY id ${LIMIT} :limit`)
    .all({ after: page.after ?? '', limit: rowLimit(page.limit) })
    .map((row) => String(row['id']));
}

export function countRecords(database: SqliteDatabase, userId: string | undefined): GraphCounts {
  const user = userId === undefined ? undefined : userKey(database, userId);
  if (userId !== undefined && user === undefined) return { episodes: 0, entities: 0, facts: 0, users: 0, outbox: 0 };
  const row = user === undefined ? database.prepare(COUNT_ALL).get() : database.prepare(COUNT_USER).get({ user });
  return { ...(row as unknown as GraphCounts) };
}
