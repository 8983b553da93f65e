import type { IndexHit } from '@tandem-memory/core';
import { byScore } from '../hit-order.ts';
import type { ChunkScores, VectorMemory } from './kernel/vector-memory.ts';
import type { RecordHead } from './record-table.ts';
import type { RowFilter } from './row-filter.ts';
import { bestRows, type ScoredBlock } from './top-rows.ts';
import { VECTOR_BLOCK_ROWS, type VectorChunk } from './vector-codec.ts';

const MIN_CANDIDATES = 64;
/** Float32 sums of a vector with itself may end just below 1. */
const ROUNDING = 1e-6;

export interface VectorSearch {
  /** With its query set. */
  readonly memory: VectorMemory;
  readonly filter: RowFilter;
  readonly limit: number;
  readonly threshold: number;
}

/** Reads by ordinal; a record that is not there is undefined, or left out. */
export interface VectorReader {
  vector(ordinal: number): Uint8Array | undefined;
  heads(ordinals: readonly number[]): RecordHead[];
}

type ScoredChunk = ScoredBlock & ChunkScores;

interface ScoredRow {
  readonly ordinal: number;
  readonly score: number;
}

/**
 * The nearest of a user's records: int8 scores pick candidates, float32 scores decide. A second look takes in every row whose int8 score
 * could hide a better float32 score than the last hit's; so equal vectors are all there when ids break the tie.
 */
export function nearest(chunks: ReadonlyMap<number, VectorChunk>, reader: VectorReader, search: VectorSearch): IndexHit[] {
  const scored = [...chunks].map(
    ([number, { address, attributes }]): ScoredChunk => ({ first: number * VECTOR_BLOCK_ROWS, attributes, ...search.memory.score(address) }),
  );
  for (let count = search.limit; ; count *= 2) {
    const candidates = bestRows(scored, search.filter, Math.max(MIN_CANDIDATES, count), Number.NEGATIVE_INFINITY);
    const rows = exactRows(candidates.rows, reader, search);
    if (candidates.isFull) {
      const floor = Math.max(search.threshold - ROUNDING, rows[count - 1]?.score ?? Number.NEGATIVE_INFINITY);
      rows.push(...exactRows(rowsReaching(floor, scored, search, new Set(candidates.rows)), reader, search));
      rows.sort((a, b) => b.score - a.score);
    }
    const { hits, rejected } = toHits(rows, reader, search);
    // Hashes of filtered texts collide very rarely; then more candidates are needed.
    if (hits.length >= search.limit || rejected === 0 || !candidates.isFull) return hits.sort(byScore).slice(0, search.limit);
  }
}

/** Float32 scores of given records that pass filter and threshold, best first. */
export function scoreGiven(heads: readonly RecordHead[], reader: VectorReader, search: VectorSearch): IndexHit[] {
  const kept = new Map(heads.filter((head) => search.filter.confirms(head)).map((head) => [head.ordinal, head]));
  const hits = exactRows([...kept.keys()], reader, search).flatMap(({ ordinal, score }) => {
    const head = kept.get(ordinal);
    return head === undefined ? [] : [{ id: head.id, kind: head.kind, score }];
  });
  return hits.sort(byScore).slice(0, search.limit);
}

/** Rows that reach the threshold in float32, best first. */
function exactRows(ordinals: readonly number[], reader: VectorReader, { memory, threshold }: VectorSearch): ScoredRow[] {
  const present: number[] = [];
  const vectors: Uint8Array[] = [];
  for (const ordinal of ordinals) {
    const vector = reader.vector(ordinal);
    if (vector === undefined) continue;
    present.push(ordinal);
    vectors.push(vector);
  }
  const scores = memory.exact(vectors);
  const rows = present.map((ordinal, row) => ({ ordinal, score: clamp(scores[row]) }));
  return rows.filter((row) => row.score >= threshold - ROUNDING).sort((a, b) => b.score - a.score);
}

/** Reads records, best first, until there are enough of them and none that ties with the last is left. */
function toHits(
  rows: readonly ScoredRow[],
  reader: VectorReader,
  { filter, limit }: VectorSearch,
): { readonly hits: IndexHit[]; readonly rejected: number } {
  const hits: IndexHit[] = [];
  let rejected = 0;
  const batchSize = Math.max(MIN_CANDIDATES, limit);
  for (let start = 0; start < rows.length; start += batchSize) {
    const batch = rows.slice(start, start + batchSize);
    const heads = new Map(reader.heads(batch.map((row) => row.ordinal)).map((head) => [head.ordinal, head]));
    for (const { ordinal, score } of batch) {
      if (hits.length >= limit && score < (hits.at(-1)?.score ?? 0)) return { hits, rejected };
      const head = heads.get(ordinal);
      if (head !== undefined && filter.confirms(head)) hits.push({ id: head.id, kind: head.kind, score });
      else rejected++;
    }
  }
  return { hits, rejected };
}

function clamp(score: number | undefined): number {
  return Math.min(1, Math.max(-1, score ?? 0));
}

/**
 * Rows outside `known` whose float32 score may be `floor` or more. Rounding to int8 shifts each component by an error that is uniform
 * within a scale's width, so the score's error has the variance (row scale^2 + query scale^2) / 12; six standard deviations are allowed.
 */
function rowsReaching(floor: number, chunks: readonly ScoredChunk[], { memory, filter }: VectorSearch, known: ReadonlySet<number>): number[] {
  const rows: number[] = [];
  const { queryScale } = memory;
  for (const { first, attributes, scores, scales } of chunks) {
    for (let slot = 0; slot < VECTOR_BLOCK_ROWS; slot++) {
      const gap = floor - (scores[slot] ?? 0) * queryScale;
      if (gap > 0 && gap ** 2 > (36 / 12) * ((scales[slot] ?? 0) ** 2 + queryScale ** 2)) continue;
      if (!known.has(first + slot) && filter.admits(attributes, slot)) rows.push(first + slot);
    }
  }
  return rows;
}
