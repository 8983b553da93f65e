import {
  type Compaction,
  type IndexHit,
  type IndexRebuild,
  type IndexRecord,
  MemoryError,
  type VectorIndex,
  type VectorQuery,
  type VectorSpace,
} from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { cacheSize, wholeLimit } from '../input-checks.ts';
import { givenRecords } from './given-records.ts';
import { RecordStore } from './record-store.ts';
import { RecordTable } from './record-table.ts';
import { RowFilter } from './row-filter.ts';
import { VECTOR_BLOCK_ROWS, type VectorChunk, VectorCodec } from './vector-codec.ts';
import { nearest, scoreGiven } from './vector-search.ts';

const DEFAULT_CACHE_BYTES = 512 * 2 ** 20;
const MAX_DIMENSIONS = 65_536;
/** How far float32 rounding takes a unit vector's length from 1. */
const UNIT_TOLERANCE = 1e-6;

export interface EmbeddedVectorIndexOptions {
  /** Shared with the other embedded drivers; it stays open when the index is closed. */
  readonly database: SqliteDatabase;
  /** Memory for the vectors of recent users. Default 512 MB. A user larger than that is still served, alone. */
  readonly cacheBytes?: number;
}

/**
 * Vectors in the SQLite file: a scan of all of the user's own in WebAssembly memory, by their signs and then in int8, the best of them (as
 * many as the query wants exact) scored again in float32. Meant for up to some 100,000 records a user.
 */
export class EmbeddedVectorIndex implements VectorIndex {
  readonly name = 'embedded-vector';
  readonly #database: SqliteDatabase;
  readonly #table: RecordTable;
  readonly #cacheBytes: number;
  #opened: Opened | undefined;
  #closed = false;

  constructor(options: EmbeddedVectorIndexOptions) {
    this.#database = options.database;
    this.#table = new RecordTable(options.database, 'vector');
    this.#cacheBytes = cacheSize(options.cacheBytes, DEFAULT_CACHE_BYTES);
  }

  async open(space: VectorSpace, confirm?: () => Promise<void>): Promise<void> {
    if (!Number.isInteger(space.dimensions) || space.dimensions < 1 || space.dimensions > MAX_DIMENSIONS) {
      throw new MemoryError(
        'CONFIG_INVALID',
        `The embedding model ${space.modelId} has ${space.dimensions} dimensions; 1 to ${MAX_DIMENSIONS} are possible.`,
      );
    }
    this.#migrate();
    if (this.#storedSpace() === undefined) {
      await confirm?.();
      this.#database.transaction(() => {
        // Another process may have been first.
        this.#database.prepare('INSERT OR IGNORE INTO vector_space(id, model_id, dimensions) VALUES (1, ?, ?)').run(space.modelId, space.dimensions);
      });
    }
    this.#compareSpace(space);
    if (this.#opened !== undefined) return;
    const codec = new VectorCodec(space.dimensions);
    const store = new RecordStore(this.#database, this.#table, codec, this.#cacheBytes, () => this.#compareSpace(space));
    this.#opened = { space, codec, store };
  }

  async storedSpace(): Promise<VectorSpace | undefined> {
    this.#migrate();
    return this.#storedSpace();
  }

  async upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void> {
    const { store } = this.#open();
    store.upsert(records, (record) => bytesOf(this.#unit(record.vector, `The vector of record ${record.id}`)), signal);
  }

  async delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void> {
    this.#open().store.delete(userId, ids, signal);
  }

  async search(query: VectorQuery, signal?: AbortSignal): Promise<IndexHit[]> {
    const { store, codec } = this.#open();
    const vector = this.#unit(query.vector, 'The query vector');
    const { memory } = codec;
    const { ids } = query.filter;
    const filter = new RowFilter(query.filter);
    const limit = wholeLimit(query.limit);
    const exact = query.exact === undefined ? Number.POSITIVE_INFINITY : wholeLimit(query.exact);
    const threshold = query.threshold ?? Number.NEGATIVE_INFINITY;
    if (Number.isNaN(threshold)) throw new MemoryError('INPUT_INVALID', '`threshold` is not a number.');
    if (limit === 0) return [];
    return store.read(
      query.userId,
      [],
      (user, load) => {
        memory.setQuery(vector);
        const search = { memory, filter, threshold, limit: Math.min(limit, user.records), exact };
        const state = load();
        const { chunks, heads } = state;
        const reader = {
          vector: (ordinal: number) => this.#table.payload(user.key, ordinal),
          heads: (ordinals: readonly number[]) => heads.at(ordinals),
        };
        return ids === undefined
          ? nearest(chunks, reader, search)
          : scoreGiven(givenRecords(ids, state, VECTOR_BLOCK_ROWS, filter), chunks, reader, search);
      },
      signal,
    );
  }

  async ids(userId: string, limit: number, after?: string): Promise<string[]> {
    return this.#open().store.ids(userId, wholeLimit(limit), after);
  }

  async count(userId?: string): Promise<number> {
    return this.#open().store.count(userId);
  }

  /** Removes every record of every user and the vector space with them, so that `open` can fix another. For `tandem reindex`. */
  async reset(): Promise<void> {
    this.#migrate();
    this.#database.transaction(() => {
      this.#table.deleteAll();
      this.#database.prepare('DELETE FROM vector_space').run();
    });
    this.#opened?.store.close();
    this.#opened = undefined;
  }

  /** In the file there is room for one index only: the old one goes now, and answers are incomplete until the new one is full. */
  async rebuild(space: VectorSpace): Promise<IndexRebuild<EmbeddedVectorIndex>> {
    await this.reset();
    await this.open(space);
    return { index: this, commit: async () => undefined, discard: async () => undefined };
  }

  /** The graph may be on a server, and then nobody else writes this file anew. */
  async compact(): Promise<Compaction> {
    this.#database.compact();
    return { complete: true, left: [] };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#opened?.store.close();
    this.#opened = undefined;
  }

  #open(): Opened {
    if (this.#closed) throw new MemoryError('CLOSED', `The vector index in ${this.#database.path} is closed; open the memory again.`);
    if (this.#opened === undefined)
      throw new MemoryError('UNSUPPORTED', 'The vector index has no vector space yet; call `open` before anything else.');
    return this.#opened;
  }

  #migrate(): void {
    if (this.#closed) throw new MemoryError('CLOSED', `The vector index in ${this.#database.path} is closed; open the memory again.`);
    this.#database.migrate('vector', [
      `${this.#table.schema}
      CREATE TABLE vector_space(id INTEGER PRIMARY KEY CHECK (id = 1), model_id TEXT NOT NULL, dimensions INTEGER NOT NULL);`,
    ]);
  }

  #storedSpace(): VectorSpace | undefined {
    const row = this.#database.prepare('SELECT model_id, dimensions FROM vector_space').get();
    return row === undefined ? undefined : { modelId: String(row['model_id']), dimensions: Number(row['dimensions']) };
  }

  #compareSpace(space: VectorSpace): void {
    const stored = this.#storedSpace();
    const { path } = this.#database;
    if (stored?.dimensions !== space.dimensions) {
      throw new MemoryError(
        'DIMENSION_MISMATCH',
        `The vectors in ${path} have ${stored?.dimensions ?? 'no'} dimensions (model ${stored?.modelId ?? 'none: the index was reset'}), the embedding model ${space.modelId} gives ${space.dimensions}. Run \`tandem reindex\` to embed everything again, or use the model that the file was made with.`,
        { details: { stored: stored?.dimensions, configured: space.dimensions } },
      );
    }
    if (stored.modelId !== space.modelId) {
      throw new MemoryError(
        'EMBEDDING_MODEL_MISMATCH',
        `The vectors in ${path} were made by the embedding model ${stored.modelId}, not by ${space.modelId}; their vectors can't be compared. Run \`tandem reindex\` to embed everything again, or use ${stored.modelId}.`,
        { details: { stored: stored.modelId, configured: space.modelId } },
      );
    }
  }

  /** The vector with length 1. @throws DIMENSION_MISMATCH, INPUT_INVALID */
  #unit(vector: Float32Array, what: string): Float32Array {
    const { space } = this.#open();
    if (vector.length !== space.dimensions) {
      throw new MemoryError(
        'DIMENSION_MISMATCH',
        `${what} has ${vector.length} dimensions, the index in ${this.#database.path} has ${space.dimensions}. Use one embedding model for both, or run \`tandem reindex\`.`,
        { details: { stored: space.dimensions, configured: vector.length } },
      );
    }
    let squares = 0;
    for (const component of vector) squares += component * component;
    const norm = Math.sqrt(squares);
    if (!(norm > 0 && norm < Number.POSITIVE_INFINITY)) {
      throw new MemoryError('INPUT_INVALID', `${what} has no direction: it is all zeros, or holds NaN or Infinity. Check the embedding model.`);
    }
    return Math.abs(norm - 1) < UNIT_TOLERANCE ? vector : vector.map((component) => component / norm);
  }
}

interface Opened {
  readonly space: VectorSpace;
  readonly codec: VectorCodec;
  readonly store: RecordStore<VectorChunk>;
}

function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
