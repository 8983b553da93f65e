import type { AttributeColumns } from './attribute-columns.ts';
import { HeadCache } from './head-cache.ts';
import type { RecordTable, UserRow } from './record-table.ts';
import { type RecordCodec, writeRow } from './record-writer.ts';
import { wordsOf } from './term-list.ts';

/** A block of records as the index scans it. */
export interface Chunk {
  readonly attributes: AttributeColumns;
}

export interface ChunkLoader<C extends Chunk> {
  /** Bytes a chunk takes in memory. */
  readonly chunkBytes: number;
  /** Whether `UserState.payloads` is wanted. */
  readonly keepsPayloads: boolean;
  load(block: Uint8Array): C;
  release(chunk: C): void;
}

/** One user's records in memory, as of one revision. */
export interface UserState<C extends Chunk> {
  readonly key: number;
  readonly revision: number;
  /** By block number; blocks without live records are left out. */
  readonly chunks: ReadonlyMap<number, C>;
  /** Payloads of the tail by ordinal, as words; empty unless the loader asks for them. */
  readonly payloads: ReadonlyMap<number, Uint32Array>;
  readonly heads: HeadCache;
}

interface MutableState<C extends Chunk> extends UserState<C> {
  revision: number;
  readonly chunks: Map<number, C>;
  readonly payloads: Map<number, Uint32Array>;
  /** The tail as a block, so that only what changed in it is read again. */
  tail: Uint8Array;
  tailNumber: number;
  /** Ordinals below this one have been read. */
  next: number;
  bytes: number;
}

const EMPTY = new Uint8Array(0);

/**
 * Users' records in memory: loaded when first asked for, brought up to date by what changed since (whoever changed it, this process or
 * another), and bounded: the users longest unused give way. A user larger than the bound is still served, and dropped with the next.
 */
export class UserCache<C extends Chunk> {
  readonly #table: RecordTable;
  readonly #codec: RecordCodec;
  readonly #loader: ChunkLoader<C>;
  readonly #capacityBytes: number;
  /** In order of use, the longest unused first. */
  readonly #states = new Map<string, MutableState<C>>();
  #bytes = 0;

  constructor(table: RecordTable, codec: RecordCodec, loader: ChunkLoader<C>, capacityBytes: number) {
    this.#table = table;
    this.#codec = codec;
    this.#loader = loader;
    this.#capacityBytes = capacityBytes;
  }

  /** Bytes held now. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Call inside a read snapshot, with the user as read in it. */
  get(userId: string, user: UserRow): UserState<C> {
    let state = this.#states.get(userId);
    if (state !== undefined) this.#states.delete(userId);
    if (state !== undefined && state.key !== user.key) {
      this.#drop(state);
      state = undefined;
    }
    state ??= {
      key: user.key,
      revision: 0,
      chunks: new Map(),
      payloads: new Map(),
      heads: new HeadCache(this.#table, user.key, this.#codec.layout.rows),
      tail: EMPTY,
      tailNumber: 0,
      next: 0,
      bytes: 0,
    };
    if (state.revision !== user.revision) {
      this.#makeRoom((Math.ceil(user.records / this.#codec.layout.rows) + 1 - state.chunks.size) * this.#loader.chunkBytes);
      try {
        this.#update(state, user);
      } catch (error) {
        this.#drop(state);
        throw error;
      }
      this.#makeRoom(0);
    }
    this.#states.set(userId, state);
    return state;
  }

  forget(userId: string): void {
    const state = this.#states.get(userId);
    if (state === undefined) return;
    this.#states.delete(userId);
    this.#drop(state);
  }

  clear(): void {
    for (const userId of [...this.#states.keys()]) this.forget(userId);
  }

  /** The user that is asked for is not among the states meanwhile, and stays. */
  #makeRoom(bytes: number): void {
    for (const userId of this.#states.keys()) {
      if (this.#bytes + bytes <= this.#capacityBytes) return;
      this.forget(userId);
    }
  }

  #update(state: MutableState<C>, user: UserRow): void {
    const tailNumber = user.packed / this.#codec.layout.rows;
    if (state.tailNumber !== tailNumber) {
      // The old tail is a block now, or its few records have moved on and there is no block to say so.
      this.#replace(state, state.tailNumber, EMPTY);
      state.tail = EMPTY;
      state.tailNumber = tailNumber;
      state.payloads.clear();
    }
    for (const { number, data } of this.#table.changedBlocks(user.key, state.revision)) this.#replace(state, number, data);
    this.#updateTail(state, user);
    state.revision = user.revision;
    let bytes = state.chunks.size * this.#loader.chunkBytes + state.tail.length;
    for (const payload of state.payloads.values()) bytes += payload.byteLength;
    this.#bytes += bytes - state.bytes;
    state.bytes = bytes;
  }

  /** A record never changes under its ordinal, so the tail differs by those that have gone and those that have come. */
  #updateTail(state: MutableState<C>, user: UserRow): void {
    const { layout } = this.#codec;
    if (state.tail.length === 0) state.tail = new Uint8Array(layout.bytes);
    const live = new Set(this.#table.ordinals(user.key, user.packed, user.next));
    for (const slot of layout.liveSlots(state.tail)) {
      if (live.has(user.packed + slot)) continue;
      layout.erase(state.tail, slot);
      state.payloads.delete(user.packed + slot);
    }
    for (const record of this.#table.range(user.key, Math.max(state.next, user.packed), user.next)) {
      writeRow(this.#codec, state.tail, record);
      if (this.#loader.keepsPayloads) state.payloads.set(record.ordinal, wordsOf(record.payload));
    }
    state.next = user.next;
    this.#replace(state, state.tailNumber, live.size === 0 ? EMPTY : state.tail);
  }

  #replace(state: MutableState<C>, number: number, block: Uint8Array): void {
    state.heads.forget(number);
    const old = state.chunks.get(number);
    if (old !== undefined) {
      state.chunks.delete(number);
      this.#loader.release(old);
    }
    if (block.length > 0) state.chunks.set(number, this.#loader.load(block));
  }

  #drop(state: MutableState<C>): void {
    for (const chunk of state.chunks.values()) this.#loader.release(chunk);
    this.#bytes -= state.bytes;
  }
}
