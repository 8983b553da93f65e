import type { StatementSync } from 'node:sqlite';
import { MemoryError, type RecordKind } from '@tandem-memory/core';
import type { ArrayStatement, SqliteDatabase } from '@tandem-memory/sqlite';

/** Records a user can ever have had; keys of rows are `user x KEY_SPAN + ordinal`, so that one user's rows lie side by side in the file. */
export const KEY_SPAN = 2 ** 30;

/** A user in the index. Records get ascending ordinals and never change; a replaced record gets a new one. */
export interface UserRow {
  readonly key: number;
  /** Rises with every change of the user's records. */
  revision: number;
  /** Records below this ordinal are in blocks, the others (fewer than a block's worth) are the tail. A multiple of the block's rows. */
  packed: number;
  /** Ordinal of the next record. */
  next: number;
  records: number;
}

/** A record without its payload: what a hit and the filters need, at half the price. */
export interface RecordHead {
  readonly ordinal: number;
  readonly id: string;
  readonly kind: RecordKind;
  readonly agentId: string | undefined;
  readonly sessionId: string | undefined;
  readonly sourceId: string | undefined;
  readonly at: string;
}

export interface StoredRecord extends RecordHead {
  /** What the index keeps of the record itself: its float32 vector, or its terms. */
  readonly payload: Uint8Array;
}

/** Statements on the tables that both embedded indexes have: users, records, and blocks of records packed for a quick load. */
export class RecordTable {
  /** Schema for `SqliteDatabase.migrate`. */
  readonly schema: string;
  readonly #database: SqliteDatabase;
  readonly #component: string;
  readonly #sql = new Map<string, string>();

  constructor(database: SqliteDatabase, component: 'vector' | 'keyword') {
    this.#database = database;
    this.#component = component;
    // AUTOINCREMENT: a user's key is never given to another user, so no cached state can be mistaken for theirs.
    this.schema = `
      CREATE TABLE ${component}_user(key INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL UNIQUE, revision INTEGER NOT NULL,
        packed INTEGER NOT NULL, next INTEGER NOT NULL, records INTEGER NOT NULL);
      CREATE TABLE ${component}_record(key INTEGER PRIMARY KEY, user INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, agent_id TEXT,
        session_id TEXT, source_id TEXT, at TEXT NOT NULL, payload BLOB NOT NULL);
      CREATE UNIQUE INDEX ${component}_record_id ON ${component}_record(user, id);
      CREATE TABLE ${component}_block(key INTEGER PRIMARY KEY, revision INTEGER NOT NULL, data BLOB NOT NULL);`;
  }

  user(userId: string): UserRow | undefined {
    const row = this.#prepare('SELECT key, revision, packed, next, records FROM #_user WHERE user_id = ?').get(userId);
    if (row === undefined) return undefined;
    return {
      key: Number(row['key']),
      revision: Number(row['revision']),
      packed: Number(row['packed']),
      next: Number(row['next']),
      records: Number(row['records']),
    };
  }

  insertUser(userId: string): UserRow {
    const { lastInsertRowid } = this.#prepare('INSERT INTO #_user(user_id, revision, packed, next, records) VALUES (?, 0, 0, 0, 0)').run(userId);
    return { key: Number(lastInsertRowid), revision: 0, packed: 0, next: 0, records: 0 };
  }

  updateUser(user: UserRow): void {
    this.#prepare('UPDATE #_user SET revision = ?, packed = ?, next = ?, records = ? WHERE key = ?').run(
      user.revision,
      user.packed,
      user.next,
      user.records,
      user.key,
    );
  }

  /** Everything of a user, the user included. */
  deleteUser(user: number): void {
    this.#prepare('DELETE FROM #_record WHERE key >= ? AND key < ?').run(user * KEY_SPAN, (user + 1) * KEY_SPAN);
    this.#prepare('DELETE FROM #_block WHERE key >= ? AND key < ?').run(user * KEY_SPAN, (user + 1) * KEY_SPAN);
    this.#prepare('DELETE FROM #_user WHERE key = ?').run(user);
  }

  find(user: number, id: string): number | undefined {
    const row = this.#prepare('SELECT key FROM #_record WHERE user = ? AND id = ?').get(user, id);
    return row === undefined ? undefined : Number(row['key']) - user * KEY_SPAN;
  }

  record(user: number, ordinal: number): StoredRecord | undefined {
    const row = this.#arrays(`SELECT ${COLUMNS} FROM #_record record WHERE key = ?`).get(user * KEY_SPAN + ordinal);
    return row === undefined ? undefined : toRecord(row, user);
  }

  payload(user: number, ordinal: number): Uint8Array | undefined {
    return this.#arrays('SELECT payload FROM #_record WHERE key = ?').get(user * KEY_SPAN + ordinal)?.[0] as Uint8Array | undefined;
  }

  /** In no order; ordinals without a record are left out. */
  heads(user: number, ordinals: readonly number[]): RecordHead[] {
    const keys = JSON.stringify(ordinals.map((ordinal) => user * KEY_SPAN + ordinal));
    const rows = this.#arrays(`SELECT ${HEAD_COLUMNS} FROM json_each(?) wanted CROSS JOIN #_record record ON record.key = wanted.value`).all(keys);
    return rows.map((values) => toHead(values as unknown as HeadValues, user));
  }

  /** By id; ids that the user does not have are left out. Read from the index alone, at a third of the price of the record. */
  ordinalsOf(user: number, ids: readonly string[]): Map<string, number> {
    const statement = this.#arrays('SELECT key FROM #_record WHERE user = ? AND id = ?');
    const found = new Map<string, number>();
    for (const id of wellFormed(ids)) {
      const row = statement.get(user, id);
      if (row !== undefined) found.set(id, Number(row[0]) - user * KEY_SPAN);
    }
    return found;
  }

  /** Records of the ordinals `from` to before `to`. */
  range(user: number, from: number, to: number): StoredRecord[] {
    const rows = this.#arrays(`SELECT ${COLUMNS} FROM #_record record WHERE key >= ? AND key < ? ORDER BY key`).all(
      user * KEY_SPAN + from,
      user * KEY_SPAN + to,
    );
    return rows.map((row) => toRecord(row, user));
  }

  ordinals(user: number, from: number, to: number): number[] {
    const rows = this.#prepare('SELECT key FROM #_record WHERE key >= ? AND key < ? ORDER BY key').all(user * KEY_SPAN + from, user * KEY_SPAN + to);
    return rows.map((row) => Number(row['key']) - user * KEY_SPAN);
  }

  insert(user: number, record: StoredRecord): void {
    this.#prepare('INSERT INTO #_record(key, user, id, kind, agent_id, session_id, source_id, at, payload) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)').run(
      user * KEY_SPAN + record.ordinal,
      user,
      record.id,
      record.kind,
      record.agentId ?? null,
      record.sessionId ?? null,
      record.sourceId ?? null,
      record.at,
      record.payload,
    );
  }

  move(user: number, from: number, to: number): void {
    this.#prepare('UPDATE #_record SET key = ? WHERE key = ?').run(user * KEY_SPAN + to, user * KEY_SPAN + from);
  }

  delete(user: number, ordinal: number): void {
    this.#prepare('DELETE FROM #_record WHERE key = ?').run(user * KEY_SPAN + ordinal);
  }

  /** @throws CORRUPT_RECORD where the block is missing */
  block(user: number, number: number): Uint8Array {
    const row = this.#prepare('SELECT data FROM #_block WHERE key = ?').get(user * KEY_SPAN + number);
    if (row === undefined)
      throw new MemoryError(
        'CORRUPT_RECORD',
        `A block of the ${this.#component} index is missing in ${this.#database.path}; run \`tandem reindex\`.`,
      );
    return row['data'] as Uint8Array;
  }

  /** An empty block stays as a row without data, so that others learn of it. */
  writeBlock(user: number, number: number, revision: number, data: Uint8Array): void {
    this.#prepare(
      'INSERT INTO #_block(key, revision, data) VALUES (?, ?, ?) ON CONFLICT(key) DO UPDATE SET revision = excluded.revision, data = excluded.data',
    ).run(user * KEY_SPAN + number, revision, data);
  }

  *changedBlocks(user: number, since: number): Generator<{ readonly number: number; readonly data: Uint8Array }> {
    const statement = this.#prepare('SELECT key, data FROM #_block WHERE key >= ? AND key < ? AND revision > ?');
    for (const row of statement.iterate(user * KEY_SPAN, (user + 1) * KEY_SPAN, since)) {
      yield { number: Number(row['key']) - user * KEY_SPAN, data: row['data'] as Uint8Array };
    }
  }

  ids(userId: string, limit: number, after: string | undefined): string[] {
    const rows = this.#prepare(
      'SELECT id FROM #_record WHERE user = (SELECT key FROM #_user WHERE user_id = ?) AND (? IS NULL OR id > ?) ORDER BY id LIMIT ?',
    ).all(userId, after ?? null, after ?? null, limit);
    return rows.map((row) => String(row['id']));
  }

  count(userId: string | undefined): number {
    if (userId !== undefined) return this.user(userId)?.records ?? 0;
    return Number(this.#prepare('SELECT coalesce(sum(records), 0) AS n FROM #_user').get()?.['n'] ?? 0);
  }

  deleteAll(): void {
    for (const table of ['user', 'record', 'block']) this.#prepare(`DELETE FROM #_${table}`).run();
  }

  #prepare(template: string): StatementSync {
    return this.#database.prepare(this.#text(template));
  }

  #arrays(template: string): ArrayStatement {
    return this.#database.prepareArrays(this.#text(template));
  }

  #text(template: string): string {
    let sql = this.#sql.get(template);
    if (sql === undefined) {
      sql = template.replaceAll('#', this.#component);
      this.#sql.set(template, sql);
    }
    return sql;
  }
}

const HEAD_COLUMNS = 'record.key AS key, record.id AS id, kind, agent_id, session_id, source_id, at';
const COLUMNS = `${HEAD_COLUMNS}, payload`;

/** No stored id has half of a surrogate pair, and SQLite would find another id for it. */
function wellFormed(ids: readonly string[]): string[] {
  return [...new Set(ids)].filter((id) => id.isWellFormed());
}

type HeadValues = readonly [
  key: number,
  id: string,
  kind: RecordKind,
  agentId: string | null,
  sessionId: string | null,
  sourceId: string | null,
  at: string,
  ...rest: unknown[],
];

function toHead([key, id, kind, agentId, sessionId, sourceId, at]: HeadValues, user: number): RecordHead {
  return {
    ordinal: key - user * KEY_SPAN,
    id,
    kind,
    agentId: agentId ?? undefined,
    sessionId: sessionId ?? undefined,
    sourceId: sourceId ?? undefined,
    at,
  };
}

function toRecord(values: readonly unknown[], user: number): StoredRecord {
  return { ...toHead(values as unknown as HeadValues, user), payload: values[7] as Uint8Array };
}
