import type { OutboxEntry, OutboxItem } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { LIMIT, rowLimit } from './limit.ts';
import { forgetEmptyUser } from './users.ts';

interface OutboxRow {
  readonly sequence: number;
  readonly user_id: string;
  readonly operation: OutboxEntry['operation'];
  readonly kind: OutboxEntry['kind'];
  readonly record_id: string;
}

/** To be called inside the transaction that writes the records. */
export function appendOutbox(database: SqliteDatabase, user: number, userId: string, items: readonly OutboxItem[]): OutboxEntry[] {
  const statement = database.prepare('INSERT INTO graph_outbox(user, operation, kind, record_id) VALUES (?, ?, ?, ?)');
  return items.map(({ operation, kind, recordId }) => {
    const { lastInsertRowid } = statement.run(user, operation, kind, recordId);
    return { sequence: Number(lastInsertRowid), userId, operation, kind, recordId };
  });
}

export function readOutbox(database: SqliteDatabase, limit: number): OutboxEntry[] {
  const rows = database
    .prepare(
      `SELECT sequence, user.id AS user_id, operation, kind, record_id FROM graph_outbox JOIN graph_user user ON user.key = graph_outbox.user
       ORDER BY sequence ${LIMIT} ?`,
    )
    .all(rowLimit(limit)) as unknown as OutboxRow[];
  return rows.map((row) => ({
    sequence: row.sequence,
    userId: row.user_id,
    operation: row.operation,
    kind: row.kind,
    recordId: row.record_id,
  }));
}

/** Not durable on its own: entries that come back after a power loss are only brought to the indexes once more. */
export function acknowledgeOutbox(database: SqliteDatabase, sequences: readonly number[]): void {
  if (sequences.length === 0) return;
  database.transaction(
    () => {
      const list = JSON.stringify(sequences);
      const users = database.prepare('SELECT DISTINCT user FROM graph_outbox WHERE sequence IN (SELECT value FROM json_each(?))').all(list);
      database.prepare('DELETE FROM graph_outbox WHERE sequence IN (SELECT value FROM json_each(?))').run(list);
      for (const { user } of users) forgetEmptyUser(database, Number(user));
    },
    { durable: false },
  );
}
