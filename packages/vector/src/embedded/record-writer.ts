import { MemoryError } from '@tandem-memory/core';
import type { BlockLayout } from './block-layout.ts';
import { KEY_SPAN, type RecordTable, type StoredRecord, type UserRow } from './record-table.ts';

/** What an index adds to the tables of records. */
export interface RecordCodec {
  readonly layout: BlockLayout;
  /** Writes a record's own columns into a block. */
  write(block: Uint8Array, slot: number, payload: Uint8Array): void;
  /** Records have gone from the tail into a block; ordinals ascend. */
  pack?(user: number, records: readonly StoredRecord[]): void;
  /** Records are about to leave their blocks. */
  unpack?(user: number, records: readonly StoredRecord[]): void;
  /** A user has gone with all records. */
  wipe?(user: number): void;
}

export type NewRecord = Omit<StoredRecord, 'ordinal'>;

/** Below this share of live rows a block's rest is appended again, so that space and memory stay in proportion to what lives. */
const SPARSE_SHARE = 1 / 4;

/**
 * Changes one user's records inside a transaction: full tails are packed, blocks of replaced and deleted records are rewritten. A user
 * whose last record goes is forgotten altogether, and comes back under a new key.
 */
export class RecordWriter {
  readonly #table: RecordTable;
  readonly #codec: RecordCodec;
  readonly #userId: string;
  readonly #dirty = new Map<number, Uint8Array>();
  #user: UserRow | undefined;

  constructor(table: RecordTable, codec: RecordCodec, userId: string) {
    this.#table = table;
    this.#codec = codec;
    this.#userId = userId;
    this.#user = table.user(userId);
  }

  upsert(records: readonly NewRecord[]): void {
    // Of an id given twice the last one counts.
    const latest = new Map(records.map((record) => [record.id, record]));
    if (this.#user !== undefined) this.#remove(this.#user, latest.keys());
    const user = this.#user ?? this.#table.insertUser(this.#userId);
    for (const record of latest.values()) this.#table.insert(user.key, { ...record, ordinal: take(user) });
    user.records += latest.size;
    this.#finish(user);
  }

  delete(ids: Iterable<string>): void {
    if (this.#user === undefined) return;
    const removed = this.#remove(this.#user, ids);
    if (removed > 0 && this.#user !== undefined) this.#finish(this.#user);
  }

  #remove(user: UserRow, ids: Iterable<string>): number {
    const ordinals = new Set<number>();
    for (const id of ids) {
      const ordinal = this.#table.find(user.key, id);
      if (ordinal !== undefined) ordinals.add(ordinal);
    }
    if (ordinals.size === user.records) {
      this.#codec.wipe?.(user.key);
      this.#table.deleteUser(user.key);
      this.#user = undefined;
      return ordinals.size;
    }
    this.#leaveBlocks(
      user,
      [...ordinals].filter((ordinal) => ordinal < user.packed),
    );
    for (const ordinal of ordinals) this.#table.delete(user.key, ordinal);
    user.records -= ordinals.size;
    return ordinals.size;
  }

  #leaveBlocks(user: UserRow, ordinals: readonly number[]): void {
    const { layout } = this.#codec;
    this.#unpack(user, ordinals);
    for (const ordinal of ordinals) layout.erase(this.#block(user, Math.floor(ordinal / layout.rows)), ordinal % layout.rows);
  }

  #unpack(user: UserRow, ordinals: readonly number[]): void {
    if (this.#codec.unpack === undefined || ordinals.length === 0) return;
    const records = ordinals.map((ordinal) => this.#table.record(user.key, ordinal)).filter((record) => record !== undefined);
    this.#codec.unpack(user.key, records);
  }

  #finish(user: UserRow): void {
    user.revision += 1;
    for (const number of this.#dirty.keys()) this.#moveSparse(user, number);
    while (user.next - user.packed >= this.#codec.layout.rows) this.#packTail(user);
    for (const [number, data] of this.#dirty) this.#table.writeBlock(user.key, number, user.revision, data);
    this.#table.updateUser(user);
  }

  #moveSparse(user: UserRow, number: number): void {
    const { layout } = this.#codec;
    const live = layout.liveSlots(this.#block(user, number)).map((slot) => number * layout.rows + slot);
    if (live.length > layout.rows * SPARSE_SHARE) return;
    this.#unpack(user, live);
    this.#append(user, live);
    this.#dirty.set(number, new Uint8Array(0));
  }

  #packTail(user: UserRow): void {
    const { layout } = this.#codec;
    const start = user.packed;
    user.packed += layout.rows;
    const records = this.#table.range(user.key, start, user.packed);
    if (records.length <= layout.rows * SPARSE_SHARE) {
      this.#append(
        user,
        records.map((record) => record.ordinal),
      );
      return;
    }
    const block = new Uint8Array(layout.bytes);
    for (const record of records) writeRow(this.#codec, block, record);
    this.#dirty.set(start / layout.rows, block);
    this.#codec.pack?.(user.key, records);
  }

  #append(user: UserRow, ordinals: readonly number[]): void {
    for (const ordinal of ordinals) this.#table.move(user.key, ordinal, take(user));
  }

  #block(user: UserRow, number: number): Uint8Array {
    let block = this.#dirty.get(number);
    if (block === undefined) {
      block = this.#table.block(user.key, number);
      this.#dirty.set(number, block);
    }
    return block;
  }
}

/** Writes a record into its slot of a block. */
export function writeRow(codec: RecordCodec, block: Uint8Array, record: StoredRecord): void {
  const slot = record.ordinal % codec.layout.rows;
  codec.write(block, slot, record.payload);
  codec.layout.attributes(block).write(slot, record);
}

function take(user: UserRow): number {
  if (user.next >= KEY_SPAN) throw new MemoryError('STORAGE_FAILED', 'A user of this index has used up its record numbers; run `tandem reindex`.');
  return user.next++;
}
