import type { Compaction } from '../domain/erasure.ts';
import type { IndexFilter, IndexHit, IndexRecord, WeightedTerm } from '../domain/index-record.ts';
import type { IndexRebuild, VectorSpace } from './vector-index.ts';

export interface KeywordQuery {
  readonly userId: string;
  /** Terms by the same analyser as the records'. */
  readonly terms: readonly WeightedTerm[];
  readonly filter: IndexFilter;
  readonly limit: number;
}

export interface KeywordHits {
  readonly hits: readonly IndexHit[];
  /** The largest BM25 that any text could reach for this query: sum of weight x idf x (k1 + 1). Never less than a hit's score. */
  readonly ceiling: number;
}

/** BM25 inside one user's records: statistics of other users never move a score. Ties are broken by id, ascending. */
export interface KeywordIndex {
  readonly name: string;
  /** @param space for an index that keeps vectors too, with `confirm` as in `VectorIndex.open`; others need none */
  open(space?: VectorSpace, confirm?: () => Promise<void>): Promise<void>;
  /** Idempotent: a record that is there is replaced. @throws INDEX_UNAVAILABLE */
  upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void>;
  delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void>;
  search(query: KeywordQuery, signal?: AbortSignal): Promise<KeywordHits>;
  ids(userId: string, limit: number, after?: string): Promise<string[]>;
  count(userId?: string): Promise<number>;
  /** Begins anew. An object that is both indexes is asked once, as a vector index. */
  rebuild?(space: VectorSpace): Promise<IndexRebuild<KeywordIndex>>;
  /** As `GraphStore.compact`. Undefined where the graph store's covers the files of this index. */
  compact?(): Promise<Compaction>;
  close(): Promise<void>;
}
