import type { IndexHit } from '@tandem-memory/core';
import { byScore } from '../hit-order.ts';
import type { GivenRecord } from './given-records.ts';
import type { VectorMemory } from './kernel/vector-memory.ts';
import type { RecordHead } from './record-table.ts';
import type { RowFilter } from './row-filter.ts';
import { bestRows, type ScoredBlock, TopRows } from './top-rows.ts';
import { VECTOR_BLOCK_ROWS, type VectorChunk } from './vector-codec.ts';

const MIN_CANDIDATES = 64;
/** Rows with int8 scores for each that is wanted: the last of those wanted then lies near the last hit, and few others could be better. */
const OVERSAMPLING = 1.5;
/** Standard deviations that a coarse score may be off. At three, one in three thousand of the hundred nearest is missed (measured). */
const DEVIATIONS = 3;
/** Chunks of which rows are looked at to learn how far coarse scores are off, and every so manieth of their rows. */
const SAMPLE = 32;
const SAMPLED_SLOTS = 32;
/** Float32 sums of a vector with itself may end just below 1. */
const ROUNDING = 1e-6;

export interface VectorSearch {
  /** With its query set. */
  readonly memory: VectorMemory;
  readonly filter: RowFilter;
  readonly limit: number;
  readonly threshold: number;
  /** See `VectorQuery.exact`. */
  readonly exact: number;
}

/** Reads by ordinal; a record that is not there is undefined, or left out. */
export interface VectorReader {
  vector(ordinal: number): Uint8Array | undefined;
  heads(ordinals: readonly number[]): RecordHead[];
}

type ScoredChunk = ScoredBlock & VectorChunk;

interface ScoredRow {
  readonly ordinal: number;
  readonly score: number;
}

/**
 * The nearest of a user's records, in three steps, each on fewer rows: scores by the signs of the components, int8 scores, float32 scores,
 * which decide. Each step takes in every row whose score so far could hide a better one than the last hit's (see `errorOfSample` and
 * `largestError`); so equal vectors are all there when ids break the tie. Where not all need exact scores, the others keep those of int8:
 * reading a float32 vector costs as much as scanning thousands of signs.
 */
export function nearest(chunks: ReadonlyMap<number, VectorChunk>, reader: VectorReader, search: VectorSearch): IndexHit[] {
  const { memory, filter, threshold } = search;
  const coarse: ScoredChunk[] = [];
  for (const [number, chunk] of chunks) {
    const { scores, best } = memory.coarse(chunk.address);
    coarse.push({ ...chunk, first: number * VECTOR_BLOCK_ROWS, scores, best });
  }
  for (let count = search.limit; ; count *= 2) {
    const wanted = Math.max(MIN_CANDIDATES, count);
    const first = bestRows(coarse, filter, Math.ceil(OVERSAMPLING * wanted), Number.NEGATIVE_INFINITY);
    const rows: ScoredRow[] = [];
    let fine = int8Rows(first.rows, chunks, memory);
    if (first.isFull) {
      const others = rowsReaching(fine, wanted, coarse, search, errorOfSample(coarse, memory));
      fine = [...fine, ...others].sort((a, b) => b.score - a.score);
      rows.push(...bestExact(fine.slice(0, wanted), reader, search));
      if (search.exact >= wanted) {
        const floor = Math.max(threshold, rows[count - 1]?.score ?? Number.NEGATIVE_INFINITY) - ROUNDING;
        const rest = fine.slice(wanted).filter(({ score, error }) => score + error >= floor);
        rows.push(...exactRows(rest, reader, search));
      }
    } else {
      rows.push(...bestExact(fine, reader, search));
    }
    rows.sort((a, b) => b.score - a.score);
    const { hits, rejected } = toHits(rows, reader, search);
    // Hashes of filtered texts collide very rarely; then more candidates are needed.
    if (hits.length >= search.limit || rejected === 0 || !first.isFull) return hits.sort(byScore).slice(0, search.limit);
  }
}

interface FineRow extends ScoredRow {
  readonly error: number;
}

/** Cosines by int8 and their largest error, best first. */
function int8Rows(ordinals: readonly number[], chunks: ReadonlyMap<number, VectorChunk>, memory: VectorMemory): FineRow[] {
  const rows = ordinals.flatMap((ordinal): FineRow[] => {
    const slot = ordinal % VECTOR_BLOCK_ROWS;
    const chunk = chunks.get((ordinal - slot) / VECTOR_BLOCK_ROWS);
    if (chunk === undefined) return [];
    return [{ ordinal, score: memory.int8(chunk.address, slot) * memory.queryScale, error: largestError(chunk.largestScale, memory) }];
  });
  return rows.sort((a, b) => b.score - a.score);
}

/** Scores of given records that reach the threshold, best first. */
export function scoreGiven(
  records: readonly GivenRecord[],
  chunks: ReadonlyMap<number, VectorChunk>,
  reader: VectorReader,
  search: VectorSearch,
): IndexHit[] {
  const given = new Map(records.map((record) => [record.ordinal, record]));
  const rows = int8Rows([...given.keys()], chunks, search.memory);
  const hits = bestExact(rows, reader, search).flatMap(({ ordinal, score }) => {
    const record = given.get(ordinal);
    return record === undefined ? [] : [{ id: record.id, kind: record.kind, score }];
  });
  return hits.sort(byScore).slice(0, search.limit);
}

/** Of rows with int8 scores, best first, those that reach the threshold: as many as are wanted in float32, the others as they are. */
function bestExact(rows: readonly ScoredRow[], reader: VectorReader, search: VectorSearch): ScoredRow[] {
  const rest = rows.slice(search.exact).map(({ ordinal, score }) => ({ ordinal, score: clamp(score) }));
  return [...exactRows(rows.slice(0, search.exact), reader, search), ...rest.filter(({ score }) => score >= search.threshold - ROUNDING)];
}

/** Rows that reach the threshold in float32, best first. */
function exactRows(records: readonly { readonly ordinal: number }[], reader: VectorReader, { memory, threshold }: VectorSearch): ScoredRow[] {
  const present: number[] = [];
  const vectors: Uint8Array[] = [];
  for (const { ordinal } of records) {
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

/** How coarse scores differ from those by int8. */
interface CoarseError {
  /** By which they are too low. */
  readonly shift: number;
  readonly deviation: number;
}

/**
 * Measured on rows from all over, at most one a chunk: a coarse score is right on average only where vectors point in all directions. What a
 * model puts into every text, most of all into few components, counts for less by its sign than by its size, and all scores are too low.
 */
function errorOfSample(chunks: readonly ScoredChunk[], memory: VectorMemory): CoarseError {
  const step = Math.max(1, Math.floor(chunks.length / SAMPLE));
  let [count, sum, squares] = [0, 0, 0];
  for (let n = 0; n < chunks.length; n += step) {
    const chunk = chunks[n];
    if (chunk === undefined) continue;
    for (let slot = n % step; slot < VECTOR_BLOCK_ROWS; slot += SAMPLED_SLOTS) {
      if (!chunk.attributes.isLive(slot)) continue;
      const difference = memory.int8(chunk.address, slot) * memory.queryScale - (chunk.scores[slot] ?? 0);
      count++;
      sum += difference;
      squares += difference ** 2;
    }
  }
  const shift = sum / Math.max(1, count);
  return { shift: Math.max(0, shift), deviation: Math.sqrt(Math.max(0, squares / Math.max(1, count) - shift ** 2)) };
}

/**
 * Rows other than the known ones that pass the filter and may be among the `wanted` best, first by their coarse scores and then by int8. What
 * is found on the way raises the bar for the rest.
 */
function rowsReaching(
  known: readonly FineRow[],
  wanted: number,
  chunks: readonly ScoredChunk[],
  { memory, filter, threshold }: VectorSearch,
  { shift, deviation }: CoarseError,
): FineRow[] {
  const rows: FineRow[] = [];
  const ordinals = new Set(known.map(({ ordinal }) => ordinal));
  const sure = new TopRows(wanted, threshold - ROUNDING);
  for (const { ordinal, score, error } of known) sure.offer(ordinal, score - error);
  for (const { first, address, attributes, scores, best, leastSum, largestScale } of chunks) {
    const least = sure.floor - shift - DEVIATIONS * Math.max(deviation, memory.coarseDeviation(leastSum));
    if (best < least) continue;
    const error = largestError(largestScale, memory);
    for (let slot = 0; slot < VECTOR_BLOCK_ROWS; slot++) {
      if ((scores[slot] ?? 0) < least || !filter.admits(attributes, slot) || ordinals.has(first + slot)) continue;
      const score = memory.int8(address, slot) * memory.queryScale;
      if (score + error < sure.floor) continue;
      rows.push({ ordinal: first + slot, score, error });
      sure.offer(first + slot, score - error);
    }
  }
  return rows;
}

/**
 * What rounding may do to a cosine. It shifts each component by an error that is uniform within a step, so the cosine's error has the
 * variance (row step^2 + query step^2) / 12; six standard deviations are allowed.
 */
function largestError(rowStep: number, { queryScale }: VectorMemory): number {
  return 6 * Math.sqrt((rowStep ** 2 + queryScale ** 2) / 12);
}
