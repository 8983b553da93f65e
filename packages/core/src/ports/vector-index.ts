import type { Compaction } from '../domain/erasure.ts';
import type { IndexFilter, IndexHit, IndexRecord, RecordContent } from '../domain/index-record.ts';

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
  /**
   * So many of the best need exact cosines; those of the others may be off by the rounding of a quantised vector, some thousandths, and so may
   * their order. Default: all. A driver may be exact all the same.
   */
  readonly exact?: number;
}

/** An index under construction. It takes what it will hold; nobody sees it before `commit`, where the driver can keep two. */
export interface IndexRebuild<Index> {
  readonly index: Index;
  /** Puts the new contents in the place of the old ones, in one step. The object that began the rebuild then serves them. */
  commit(): Promise<void>;
  /** Gives the new contents up. */
  discard(): Promise<void>;
}

/** Nearest neighbours inside one user's records. Scores are cosines; ties are broken by id, ascending. */
export interface VectorIndex {
  readonly name: string;
  /**
   * Fixes the vector space on first use; later calls compare.
   * @param confirm called before a space is fixed, not where there is one; what it throws is thrown, and nothing was fixed
   * @throws DIMENSION_MISMATCH or EMBEDDING_MODEL_MISMATCH, before anything is written
   */
  open(space: VectorSpace, confirm?: () => Promise<void>): Promise<void>;
  /** The space that was fixed before, for erasure without the model that made it. Undefined where there is none, or the driver can't tell. */
  storedSpace?(): Promise<VectorSpace | undefined>;
  /** Idempotent: a record that is there is replaced. @throws DIMENSION_MISMATCH, INDEX_UNAVAILABLE */
  upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void>;
  /** Ids that are not there are ignored. */
  delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  search(query: VectorQuery, signal?: AbortSignal): Promise<IndexHit[]>;
  /** Ids of a user's records, ascending, after `after`; for `doctor`. */
  ids(userId: string, limit: number, after?: string): Promise<string[]>;
  count(userId?: string): Promise<number>;
  /** Begins anew, in any vector space. Undefined where the driver can't; then `reindex` is refused. */
  rebuild?(space: VectorSpace): Promise<IndexRebuild<VectorIndex>>;
  /** The records themselves, where the index keeps them beside their vectors. Undefined where it does not. */
  contents?(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<RecordContent[]>;
  /** As `GraphStore.compact`. Undefined where the graph store's covers the files of this index. */
  compact?(): Promise<Compaction>;
  close(): Promise<void>;
}
