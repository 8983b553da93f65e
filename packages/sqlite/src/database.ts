import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { MemoryError } from '@tandem-memory/core';
import { type ArrayStatement, arraysOf } from './array-statement.ts';
import { isBusy, translateError } from './errors.ts';

/** 'TDMM': marks the file as ours in its header, so that another program's database is never migrated. */
const APPLICATION_ID = 0x54444d4d;
const DEFAULT_BUSY_TIMEOUT_MS = 10_000;
const WAL_RETRY_MS = 5;

export interface SqliteOptions {
  /** File path, or `:memory:`. */
  readonly path: string;
  /** How long a write waits for another process's write before STORAGE_BUSY. Default 10,000. */
  readonly busyTimeoutMs?: number;
}

export interface TransactionOptions {
  /**
   * False for data that can be rebuilt from what is already durable: the commit then does not wait for the disk. The order of commits
   * still holds, since they share one write-ahead log: a later durable commit makes the earlier ones durable with it.
   */
  readonly durable?: boolean;
}

/** One open SQLite file, shared by the embedded drivers of a process. All methods are synchronous and throw `MemoryError`. */
export class SqliteDatabase implements Disposable {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  readonly #arrayStatements = new Map<string, ArrayStatement>();
  #durable = true;
  #inTransaction = false;
  /** What had been written at the last compaction. */
  #compacted: string | undefined;
  #closed = false;

  constructor(options: SqliteOptions) {
    this.path = options.path;
    const busyTimeoutMs = options.busyTimeoutMs ?? DEFAULT_BUSY_TIMEOUT_MS;
    check(options.path, busyTimeoutMs);
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(options.path);
      // By pragma: the constructor's own option is younger than the oldest Node that we run on, which ignores it silently.
      database.exec(`PRAGMA busy_timeout=${busyTimeoutMs}`);
      claim(database, options.path);
      useWriteAheadLog(database, busyTimeoutMs);
      // secure_delete: what was forgotten is overwritten, not just unlinked from the tree.
      database.exec('PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON; PRAGMA secure_delete=ON; PRAGMA cache_size=-65536;');
    } catch (error) {
      database?.close();
      throw translateError(error, options.path);
    }
    this.#database = database;
  }

  /** Prepared once and kept; ask for it again by the same text. */
  prepare(sql: string): StatementSync {
    this.#mustBeOpen();
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.run(() => this.#database.prepare(sql));
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** As `prepare`, with rows as arrays of their columns: for the many small rows of a search, of which an object each is half the price. */
  prepareArrays(sql: string): ArrayStatement {
    this.#mustBeOpen();
    let statement = this.#arrayStatements.get(sql);
    if (statement === undefined) {
      statement = arraysOf(this.run(() => this.#database.prepare(sql)));
      this.#arrayStatements.set(sql, statement);
    }
    return statement;
  }

  /** Runs `work` with native errors translated. */
  run<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translateError(error, this.path);
    }
  }

  /** Runs `work` in one write transaction; its exception rolls everything back. Transactions do not nest. */
  transaction<T>(work: () => T, options: TransactionOptions = {}): T {
    this.#mustBeOpen();
    if (this.#inTransaction) throw new MemoryError('UNSUPPORTED', 'A transaction was begun inside another; transactions do not nest.');
    const durable = options.durable ?? true;
    return this.run(() => {
      if (durable !== this.#durable) {
        this.#database.exec(`PRAGMA synchronous=${durable ? 'FULL' : 'NORMAL'}`);
        this.#durable = durable;
      }
      this.#database.exec('BEGIN IMMEDIATE');
      this.#inTransaction = true;
      try {
        const result = work();
        this.#database.exec('COMMIT');
        return result;
      } catch (error) {
        this.#rollback();
        throw error;
      } finally {
        this.#inTransaction = false;
      }
    });
  }

  /** Runs `read` on one snapshot: its statements all see the same commits, whatever other processes write meanwhile. */
  snapshot<T>(read: () => T): T {
    this.#mustBeOpen();
    if (this.#inTransaction) return read();
    return this.run(() => {
      this.#database.exec('BEGIN');
      this.#inTransaction = true;
      try {
        return read();
      } finally {
        this.#rollback();
        this.#inTransaction = false;
      }
    });
  }

  /**
   * Brings one component's tables to the newest version: `migrations[n]` leads from version n to n + 1. Components of one file
   * (graph, vector, keyword) have versions of their own.
   * @throws DATABASE_TOO_NEW when the file was written by a newer program
   */
  migrate(component: string, migrations: readonly string[]): void {
    const known = this.#version(component);
    if (known === migrations.length) return;
    if (known > migrations.length) {
      throw new MemoryError(
        'DATABASE_TOO_NEW',
        `${this.path} was written by a newer version of Tandem Memory (${component} schema ${known}, this program knows ${migrations.length}). Upgrade tandem-memory, or choose another file with --db.`,
        { details: { component, found: known, supported: migrations.length } },
      );
    }
    this.transaction(() => {
      // Read again under the lock: another process may have migrated meanwhile.
      for (let version = this.#version(component); version < migrations.length; version++) {
        this.#database.exec(migrations[version] ?? '');
        this.prepare(
          'INSERT INTO schema_version(component, version) VALUES (?, ?) ON CONFLICT(component) DO UPDATE SET version = excluded.version',
        ).run(component, version + 1);
      }
    });
  }

  /**
   * Writes the file anew and empties the write-ahead log. `secure_delete` overwrites deleted rows, but a row that SQLite has moved from one
   * page to another leaves a copy behind, which only a new file is free of.
   * Several drivers share a file, and each may ask for it: where nothing was written since the last time, nothing is done.
   * @throws STORAGE_BUSY where another process keeps reading what was before
   */
  compact(): void {
    this.#mustBeOpen();
    const written = () => `${this.dataVersion()} ${Number(this.prepare('SELECT total_changes() AS changes').get()?.['changes'])}`;
    if (this.#compacted === written()) return;
    this.run(() => {
      this.#database.exec('VACUUM');
      const result = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
      if (result?.['busy'] === 1) {
        throw new MemoryError(
          'STORAGE_BUSY',
          `${this.path} could not be written anew, since another process is reading it. Close it there and try again.`,
        );
      }
    });
    this.#compacted = written();
  }

  /** Changes whenever another connection commits. Cheap (microseconds). */
  dataVersion(): number {
    return this.run(() => Number(this.prepare('PRAGMA data_version').get()?.['data_version'] ?? 0));
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    this.#arrayStatements.clear();
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #version(component: string): number {
    return this.run(() => Number(this.prepare('SELECT version FROM schema_version WHERE component = ?').get(component)?.['version'] ?? 0));
  }

  #mustBeOpen(): void {
    if (this.#closed) throw new MemoryError('CLOSED', `The database ${this.path} is closed; open the memory again.`);
  }

  /** SQLite has rolled back by itself after some errors (a full disk); then there is nothing left to do. */
  #rollback(): void {
    try {
      this.#database.exec('ROLLBACK');
    } catch {
      // The error that led here is the one to report.
    }
  }
}

function check(path: string, busyTimeoutMs: number): void {
  // SQLite takes an empty name for a private database that vanishes on close.
  if (path === '')
    throw new MemoryError('CONFIG_INVALID', 'The path of the database is empty. Name a file with --db (option `path`), or `:memory:`.');
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new MemoryError('CONFIG_INVALID', `\`busyTimeoutMs\` is ${busyTimeoutMs}; it must be a whole number of milliseconds, 0 or more.`);
  }
}

function claim(database: DatabaseSync, path: string): void {
  // One statement, so one snapshot: read apart, another process's claim could fall between the two numbers.
  const found = database
    .prepare(
      "SELECT application_id AS id, (SELECT count(*) FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\') AS tables FROM pragma_application_id",
    )
    .get();
  if (found?.['id'] === APPLICATION_ID) return;
  if (found?.['id'] !== 0 || found['tables'] !== 0) {
    throw new MemoryError('NOT_A_DATABASE', `${path} is a SQLite database of another program. Choose another file with --db (option \`path\`).`);
  }
  database.exec(
    `BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS schema_version(component TEXT PRIMARY KEY, version INTEGER NOT NULL); PRAGMA application_id=${APPLICATION_ID}; COMMIT;`,
  );
}

/** Switching to WAL needs the file alone, and SQLite does not wait for that as it waits for a lock; so we do. The setting stays in the file. */
function useWriteAheadLog(database: DatabaseSync, busyTimeoutMs: number): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode=WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAL_RETRY_MS);
    }
  }
}
