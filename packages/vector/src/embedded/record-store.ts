import { type IndexRecord, MemoryError } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { checkAborted, checkRecord, checkUser } from '../input-checks.ts';
import type { RecordTable, UserRow } from './record-table.ts';
import { type NewRecord, type RecordCodec, RecordWriter } from './record-writer.ts';
import { type Chunk, type ChunkLoader, UserCache, type UserState } from './user-cache.ts';

/** What both embedded indexes do alike: writing records, reading them in one snapshot, listing and counting. */
export class RecordStore<C extends Chunk> {
  readonly #database: SqliteDatabase;
  readonly #table: RecordTable;
  readonly #codec: RecordCodec;
  readonly #cache: UserCache<C>;
  readonly #guard: () => void;
  #closed = false;

  /** @param guard called at the start of every transaction and snapshot; throws where another process has changed what the index is */
  constructor(database: SqliteDatabase, table: RecordTable, codec: RecordCodec & ChunkLoader<C>, cacheBytes: number, guard: () => void = () => {}) {
    this.#database = database;
    this.#table = table;
    this.#codec = codec;
    this.#cache = new UserCache(table, codec, codec, cacheBytes);
    this.#guard = guard;
  }

  /** @param encode payload of a record; throws where the record is unfit, before anything is written */
  upsert(records: readonly IndexRecord[], encode: (record: IndexRecord) => Uint8Array, signal: AbortSignal | undefined): void {
    this.#check(signal);
    const byUser = new Map<string, NewRecord[]>();
    for (const record of records) {
      checkRecord(record);
      const { id, kind, agentId, sessionId, sourceId, at } = record;
      const row = { id, kind, agentId, sessionId, sourceId, at, payload: encode(record) };
      const rows = byUser.get(record.userId);
      if (rows === undefined) byUser.set(record.userId, [row]);
      else rows.push(row);
    }
    if (byUser.size === 0) return;
    this.#write(() => {
      for (const [userId, rows] of byUser) new RecordWriter(this.#table, this.#codec, userId).upsert(rows);
    });
  }

  delete(userId: string, ids: readonly string[], signal: AbortSignal | undefined): void {
    this.#check(signal);
    checkUser(userId);
    const possible = ids.filter((id) => id.isWellFormed());
    if (possible.length === 0) return;
    this.#write(() => new RecordWriter(this.#table, this.#codec, userId).delete(possible));
  }

  /** Runs `work` on one snapshot of the file; `load` gives the user's records in memory as of it. `absent` where the user has none. */
  read<T>(userId: string, absent: T, work: (user: UserRow, load: () => UserState<C>) => T, signal: AbortSignal | undefined): T {
    this.#check(signal);
    checkUser(userId);
    return this.#database.run(() => {
      this.#database.prepare('BEGIN').run();
      try {
        this.#guard();
        const user = this.#table.user(userId);
        if (user === undefined) {
          this.#cache.forget(userId);
          return absent;
        }
        return work(user, () => this.#cache.get(userId, user));
      } finally {
        this.#database.prepare('COMMIT').run();
      }
    });
  }

  ids(userId: string, limit: number, after: string | undefined): string[] {
    this.#check();
    checkUser(userId);
    return this.#database.run(() => this.#table.ids(userId, limit, after));
  }

  count(userId: string | undefined): number {
    this.#check();
    if (userId !== undefined) checkUser(userId);
    return this.#database.run(() => this.#table.count(userId));
  }

  close(): void {
    this.#closed = true;
    this.#cache.clear();
  }

  /** The indexes can be rebuilt from the graph, so a commit does not wait for the disk: the durable one that acknowledges it does. */
  #write(work: () => void): void {
    this.#database.transaction(
      () => {
        this.#guard();
        work();
      },
      { durable: false },
    );
  }

  #check(signal?: AbortSignal): void {
    if (this.#closed) throw new MemoryError('CLOSED', `The index in ${this.#database.path} is closed; open the memory again.`);
    checkAborted(signal);
  }
}
