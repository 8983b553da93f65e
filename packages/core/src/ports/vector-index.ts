import type { IndexFilter, IndexHit, IndexRecord } from '../domain/index-record.ts';

export interface VectorSpace {
  readonly modelId: string;
  readonly dimensions: number;
}

export interface VectorQuery {
  readonly userId: string;
  readonly vector: Float32Array;
  readonly filter: IndexFilter;
  /** At most so many hits; 0 gives none. */
  readonly limit: number;
  /** Smallest cosine to return; 0 is a threshold like any other. Applied before the limit. */
  readonly threshold?: number;
}

/** Nearest neighbours inside one user's records. Scores are cosines; ties are broken by id, ascending. */
export interface VectorIndex {
  readonly name: string;
  /**
   * Fixes the vector space on first use; later calls compare.
   * @throws DIMENSION_MISMATCH or EMBEDDING_MODEL_MISMATCH, before anything is written
   */
  open(space: VectorSpace): Promise<void>;
  /** Idempotent: a record that is there is replaced. @throws DIMENSION_MISMATCH, INDEX_UNAVAILABLE */
  upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void>;
  /** Ids that are not there are ignored. */
  delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  search(query: VectorQuery, signal?: AbortSignal): Promise<IndexHit[]>;
  /** Ids of a user's records, ascending, after `after`; for `doctor`. */
  ids(userId: string, limit: number, after?: string): Promise<string[]>;
  count(userId?: string): Promise<number>;
  close(): Promise<void>;
}
