import { type ConsentRecord, type LifecycleStore, type LifeMark, traceUser } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { toMilliseconds, toTimestamp } from './record-mapper.ts';

const MIGRATIONS = [
  `
  CREATE TABLE lifecycle_consent(
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    user TEXT NOT NULL,
    purpose TEXT NOT NULL,
    granted INTEGER NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT,
    note TEXT
  );
  CREATE INDEX lifecycle_consent_user ON lifecycle_consent(user);
  CREATE TABLE lifecycle_mark(
    user TEXT NOT NULL,
    record TEXT NOT NULL,
    accessed_at INTEGER,
    accesses INTEGER NOT NULL DEFAULT 0,
    expires_at INTEGER,
    archived_at INTEGER,
    PRIMARY KEY(user, record)
  ) WITHOUT ROWID;
  CREATE INDEX lifecycle_mark_ending ON lifecycle_mark(user, expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX lifecycle_mark_archived ON lifecycle_mark(user) WHERE archived_at IS NOT NULL;
  `,
];

interface MarkRow {
  readonly record: string;
  readonly accessed_at: number | null;
  readonly accesses: number;
  readonly expires_at: number | null;
  readonly archived_at: number | null;
}

/** The lifecycle store in the SQLite file of the other embedded drivers. */
export class EmbeddedLifecycleStore implements LifecycleStore {
  readonly #database: SqliteDatabase;

  /** @param options.database stays open; whoever opened it closes it */
  constructor(options: { readonly database: SqliteDatabase }) {
    this.#database = options.database;
  }

  async open(): Promise<void> {
    this.#database.migrate('lifecycle', MIGRATIONS);
  }

  async consents(userId: string): Promise<ConsentRecord[]> {
    const rows = this.#database
      .prepare('SELECT purpose, granted, at, actor, note FROM lifecycle_consent WHERE user = ? ORDER BY sequence')
      .all(traceUser(userId));
    return rows.map((row) => ({
      userId,
      purpose: String(row['purpose']),
      granted: row['granted'] === 1,
      at: toTimestamp(Number(row['at'])),
      ...(row['actor'] !== null && { actor: String(row['actor']) }),
      ...(row['note'] !== null && { note: String(row['note']) }),
    }));
  }

  async recordConsent(record: ConsentRecord): Promise<void> {
    const { userId, purpose, granted, at, actor, note } = record;
    const insert = this.#database.prepare('INSERT INTO lifecycle_consent(user, purpose, granted, at, actor, note) VALUES (?, ?, ?, ?, ?, ?)');
    this.#database.transaction(() =>
      insert.run(traceUser(userId), purpose, granted ? 1 : 0, toMilliseconds(at, 'at', 'consent'), actor ?? null, note ?? null),
    );
  }

  async recordAccess(userId: string, ids: readonly string[], at: string): Promise<void> {
    const user = traceUser(userId);
    const time = toMilliseconds(at, 'at', 'access');
    const upsert = this.#database.prepare(
      `INSERT INTO lifecycle_mark(user, record, accessed_at, accesses) VALUES (?, ?, ?, 1)
       ON CONFLICT(user, record) DO UPDATE SET accessed_at = max(coalesce(accessed_at, 0), excluded.accessed_at), accesses = accesses + 1`,
    );
    this.#database.transaction(() => ids.forEach((id) => void upsert.run(user, id, time)), { durable: false });
  }

  async setExpiry(userId: string, ids: readonly string[], expiresAt: string): Promise<void> {
    this.#set(userId, ids, 'expires_at', toMilliseconds(expiresAt, 'expiresAt', 'mark'));
  }

  async setArchived(userId: string, ids: readonly string[], at: string | undefined): Promise<void> {
    this.#set(userId, ids, 'archived_at', at === undefined ? null : toMilliseconds(at, 'at', 'mark'));
  }

  async putMarks(userId: string, marks: readonly LifeMark[]): Promise<void> {
    const user = traceUser(userId);
    const put = this.#database.prepare(
      'INSERT OR REPLACE INTO lifecycle_mark(user, record, accessed_at, accesses, expires_at, archived_at) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const time = (at: string | undefined, field: string) => (at === undefined ? null : toMilliseconds(at, field, 'mark'));
    this.#database.transaction(() => {
      for (const { id, accessedAt, accesses, expiresAt, archivedAt } of marks)
        put.run(user, id, time(accessedAt, 'accessedAt'), accesses, time(expiresAt, 'expiresAt'), time(archivedAt, 'archivedAt'));
    });
  }

  async marks(userId: string, ids: readonly string[]): Promise<Map<string, LifeMark>> {
    const user = traceUser(userId);
    const select = this.#database.prepare(
      'SELECT record, accessed_at, accesses, expires_at, archived_at FROM lifecycle_mark WHERE user = ? AND record = ?',
    );
    const rows = ids.flatMap((id) => (select.get(user, id) as unknown as MarkRow | undefined) ?? []);
    return new Map(rows.map((row) => [row.record, toMark(row)]));
  }

  async hidden(userId: string, at: string): Promise<LifeMark[]> {
    const columns = 'record, accessed_at, accesses, expires_at, archived_at';
    // Named, since SQLite takes the primary key and walks the marks of all that the user ever recalled.
    const rows = this.#database
      .prepare(
        `SELECT ${columns} FROM lifecycle_mark WHERE user = :user AND expires_at <= :at
         UNION SELECT ${columns} FROM lifecycle_mark INDEXED BY lifecycle_mark_archived WHERE user = :user AND archived_at IS NOT NULL
         ORDER BY record`,
      )
      .all({ user: traceUser(userId), at: toMilliseconds(at, 'at', 'mark') }) as unknown as MarkRow[];
    return rows.map(toMark);
  }

  async forget(userId: string, ids?: readonly string[]): Promise<void> {
    const user = traceUser(userId);
    const remove = this.#database.prepare('DELETE FROM lifecycle_mark WHERE user = ? AND record = ?');
    this.#database.transaction(() => {
      if (ids !== undefined) {
        for (const id of ids) remove.run(user, id);
        return;
      }
      this.#database.prepare('DELETE FROM lifecycle_mark WHERE user = ?').run(user);
      // Of each purpose the newest record counts; it stays where it is a withdrawal.
      this.#database
        .prepare(
          `DELETE FROM lifecycle_consent WHERE user = ? AND NOT (granted = 0
             AND sequence = (SELECT max(sequence) FROM lifecycle_consent newer WHERE newer.user = lifecycle_consent.user AND newer.purpose = lifecycle_consent.purpose))`,
        )
        .run(user);
      this.#database.prepare('UPDATE lifecycle_consent SET actor = NULL, note = NULL WHERE user = ?').run(user);
    });
  }

  #set(userId: string, ids: readonly string[], column: 'expires_at' | 'archived_at', value: number | null): void {
    const user = traceUser(userId);
    const upsert = this.#database.prepare(
      `INSERT INTO lifecycle_mark(user, record, ${column}) VALUES (?, ?, ?) ON CONFLICT(user, record) DO UPDATE SET ${column} = excluded.${column}`,
    );
    this.#database.transaction(() => ids.forEach((id) => void upsert.run(user, id, value)));
  }
}

function toMark(row: MarkRow): LifeMark {
  return {
    id: row.record,
    accesses: row.accesses,
    ...(row.accessed_at !== null && { accessedAt: toTimestamp(row.accessed_at) }),
    ...(row.expires_at !== null && { expiresAt: toTimestamp(row.expires_at) }),
    ...(row.archived_at !== null && { archivedAt: toTimestamp(row.archived_at) }),
  };
}
