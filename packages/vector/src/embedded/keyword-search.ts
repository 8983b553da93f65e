import { type IndexHit, MemoryError, type WeightedTerm } from '@tandem-memory/core';
import { byScore } from '../hit-order.ts';
import type { GivenRecord } from './given-records.ts';
import { KEYWORD_BLOCK_ROWS, type KeywordChunk } from './keyword-codec.ts';
import { countPostings, forEachPosting, type PostingTable } from './posting-table.ts';
import type { RecordHead, UserRow } from './record-table.ts';
import type { RowFilter } from './row-filter.ts';
import { hashTerm, type TermHash } from './term-hash.ts';
import { WEIGHT_STEPS } from './term-list.ts';
import { bestRows, type ScoredBlock } from './top-rows.ts';
import type { UserState } from './user-cache.ts';

/** BM25's two constants: how soon a repeated term stops counting, and how much a long text is marked down. */
export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

export interface QueryTerm {
  readonly hash: TermHash;
  readonly weight: number;
}

/** Each term once, weights added up. @throws INPUT_INVALID where a weight is negative or not finite */
export function queryTerms(terms: readonly WeightedTerm[]): QueryTerm[] {
  const merged = new Map<number, QueryTerm>();
  for (const { term, weight } of terms) {
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new MemoryError('INPUT_INVALID', 'The weight of a query term is negative or not a finite number.');
    const hash = hashTerm(term);
    if (weight > 0) merged.set(hash.key, { hash, weight: weight + (merged.get(hash.key)?.weight ?? 0) });
  }
  return [...merged.values()];
}

/** Robertson and Zaragoza's BM25 with the idf of Lucene, which is never negative. */
export function inverseDocumentFrequency(records: number, recordsWithTerm: number): number {
  return Math.log(1 + (records - recordsWithTerm + 0.5) / (recordsWithTerm + 0.5));
}

export interface KeywordScores {
  /** Blocks that a query term occurs in; a record without any scores 0. */
  readonly blocks: readonly (ScoredBlock & { readonly scores: Float64Array })[];
  readonly ceiling: number;
}

/**
 * BM25 of all of a user's records. The ceiling counts every query term, also one that no record has: a query of which only one word is
 * known must not look like a full match.
 * @param spare scores of a question that nobody needs any more: their memory is used again
 */
export function scoreRecords(
  user: UserRow,
  state: UserState<KeywordChunk>,
  terms: readonly QueryTerm[],
  postings: PostingTable,
  { k1, b }: Bm25,
  spare: Float64Array[] = [],
): KeywordScores {
  let totalLength = 0;
  for (const chunk of state.chunks.values()) totalLength += chunk.totalLength;
  const lengthFactor = (k1 * b * user.records) / totalLength;
  const blocks = new Map<number, WritableBlock>();
  const tail = tailPostings(state.payloads, terms);
  let ceiling = 0;
  for (const [index, { hash, weight }] of terms.entries()) {
    const rows = postings.read(user.key, hash.key);
    const recent = tail[index] ?? [];
    const recordsWithTerm = rows.reduce((sum, { words }) => sum + countPostings(words), recent.length);
    const most = weight * inverseDocumentFrequency(user.records, recordsWithTerm) * (k1 + 1);
    ceiling += most;

    let block: WritableBlock | undefined;
    const add = (ordinal: number, steps: number): void => {
      const slot = ordinal % KEYWORD_BLOCK_ROWS;
      if (block?.first !== ordinal - slot) block = blockOf(blocks, state, ordinal - slot, spare);
      const frequency = steps / WEIGHT_STEPS;
      const norm = k1 * (1 - b) + lengthFactor * (block.lengths[slot] ?? 0);
      const score = (block.scores[slot] ?? 0) + (most * frequency) / (frequency + norm);
      block.scores[slot] = score;
      if (score > block.best) block.best = score;
    };
    for (const { firstOrdinal, words } of rows) forEachPosting(words, (place, steps) => add(firstOrdinal + place, steps));
    for (const { ordinal, steps } of recent) add(ordinal, steps);
  }
  return { blocks: [...blocks.values()], ceiling };
}

/** The best `limit` records that pass the filter, best first. */
export function bestRecords(
  scores: KeywordScores,
  filter: RowFilter,
  limit: number,
  fetch: (ordinals: readonly number[]) => RecordHead[],
): IndexHit[] {
  for (let count = limit; ; count *= 2) {
    const top = bestRows(scores.blocks, filter, count, 0);
    // With the last one come all that score alike, since ids break the tie.
    const ordinals = top.isFull ? rowsReaching(top.floor, scores.blocks, filter) : top.rows;
    const confirmed = fetch(ordinals).filter((head) => filter.confirms(head));
    const hits = scoreGiven(confirmed, scores);
    // Hashes of filtered texts collide very rarely; then more candidates are needed.
    if (hits.length >= limit || !top.isFull) return hits.slice(0, limit);
  }
}

/** Given records that score at all, best first. */
export function scoreGiven(records: readonly GivenRecord[], { blocks, ceiling }: KeywordScores): IndexHit[] {
  const byFirst = new Map(blocks.map((block) => [block.first, block]));
  const hits: IndexHit[] = [];
  for (const record of records) {
    const slot = record.ordinal % KEYWORD_BLOCK_ROWS;
    const score = byFirst.get(record.ordinal - slot)?.scores[slot] ?? 0;
    // Rounding of the sums must not take a score above the ceiling.
    if (score > 0) hits.push({ id: record.id, kind: record.kind, score: Math.min(score, ceiling) });
  }
  return hits.sort(byScore);
}

interface WritableBlock extends ScoredBlock {
  readonly scores: Float64Array;
  readonly lengths: Float32Array;
  best: number;
}

function blockOf(blocks: Map<number, WritableBlock>, state: UserState<KeywordChunk>, first: number, spare: Float64Array[]): WritableBlock {
  const known = blocks.get(first);
  if (known !== undefined) return known;
  const chunk = state.chunks.get(first / KEYWORD_BLOCK_ROWS);
  if (chunk === undefined) throw new MemoryError('CORRUPT_RECORD', 'The keyword index names a record that it does not hold; run `tandem reindex`.');
  const block = {
    first,
    attributes: chunk.attributes,
    lengths: chunk.lengths,
    scores: spare.pop()?.fill(0) ?? new Float64Array(KEYWORD_BLOCK_ROWS),
    best: 0,
  };
  blocks.set(first, block);
  return block;
}

function rowsReaching(floor: number, blocks: readonly ScoredBlock[], filter: RowFilter): number[] {
  const rows: number[] = [];
  for (const { first, attributes, scores, best } of blocks) {
    if (best < floor) continue;
    for (let slot = 0; slot < scores.length; slot++) {
      if ((scores[slot] ?? 0) >= floor && filter.admits(attributes, slot)) rows.push(first + slot);
    }
  }
  return rows;
}

/** Postings of the tail, whose records are not in the lists yet: one list for each query term. */
function tailPostings(
  payloads: ReadonlyMap<number, Uint32Array>,
  terms: readonly QueryTerm[],
): { readonly ordinal: number; readonly steps: number }[][] {
  const postings: { readonly ordinal: number; readonly steps: number }[][] = terms.map(() => []);
  // Nearly every term of a record is none of the query's, which twelve bits of its hash tell.
  const wanted = new Uint8Array(2 ** 12);
  for (const { hash } of terms) wanted[hash.low & 0xfff] = 1;
  for (const [ordinal, words] of payloads) {
    for (let i = 0; i < words.length; i += 2) {
      const low = words[i] ?? 0;
      if (wanted[low & 0xfff] === 0) continue;
      const high = words[i + 1] ?? 0;
      postings[placeOf(terms, low, high & 0xffff)]?.push({ ordinal, steps: high >>> 16 });
    }
  }
  return postings;
}

/** A function of its own: a closure inside the loop above would have it make objects for every term that it passes by. */
function placeOf(terms: readonly QueryTerm[], low: number, high: number): number {
  return terms.findIndex(({ hash }) => hash.low === low && hash.high === high);
}
