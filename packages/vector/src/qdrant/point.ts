import { createHash } from 'node:crypto';
import { deriveId, type IndexRecord, MemoryError, type RecordKind, type WeightedTerm } from '@tandem-memory/core';
import type { QdrantSettings } from './qdrant-options.ts';

export const DENSE = 'dense';
export const TERMS = 'terms';
/** How far float32 rounding takes a unit vector's length from 1. */
const UNIT_TOLERANCE = 1e-6;

/** What is stored beside the vectors. `userId` is part of the key of the point as well. */
interface PointPayload extends Record<string, unknown> {
  readonly id: string;
  readonly userId: string;
  readonly kind: RecordKind;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Dimensions of the sparse vector, to count the records that have a term. */
  readonly terms: readonly number[];
}

export interface QdrantPoint {
  readonly id: string;
  readonly vector: { readonly [DENSE]: number[]; readonly [TERMS]?: SparseVector };
  readonly payload: PointPayload;
}

interface SparseVector {
  indices: number[];
  values: number[];
}

/** Any text is an id for us, while Qdrant takes UUIDs and whole numbers. Derived, so that a repeat meets the same point; the id itself is kept in the payload. */
export function pointId(userId: string, id: string): string {
  return deriveId('qdrant-point', userId, id);
}

/**
 * Dimension of a term: the first 32 bits of SHA-256 over the user and the term, little endian. With the user in it a posting list holds one
 * user's records alone. Two terms of one user share a dimension with a chance of 1 in 4 billion; they are then one term.
 */
export function termIndex(userId: string, term: string): number {
  return createHash('sha256').update(`${userId.length}:${userId}${term}`).digest().readUInt32LE(0);
}

/** Weights by dimension, added up where a term comes twice. @throws INPUT_INVALID where a weight is negative or not finite */
export function weightsByIndex(userId: string, terms: readonly WeightedTerm[]): Map<number, number> {
  const weights = new Map<number, number>();
  for (const { term, weight } of terms) {
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new MemoryError('INPUT_INVALID', 'The weight of a term is negative or not a finite number.');
    if (weight === 0) continue;
    const index = termIndex(userId, term);
    weights.set(index, (weights.get(index) ?? 0) + weight);
  }
  return weights;
}

/**
 * The part of BM25 that belongs to the record: `tf (k1 + 1) / (tf + k1 (1 - b + b length / averageLength))`. Times the query's `weight x idf`,
 * summed by Qdrant as a dot product, it is the whole of it.
 */
export function termSaturation(weights: ReadonlyMap<number, number>, { k1, b, averageLength }: QdrantSettings): SparseVector {
  let length = 0;
  for (const weight of weights.values()) length += weight;
  const norm = k1 * (1 - b + (b * length) / averageLength);
  return { indices: [...weights.keys()], values: [...weights.values()].map((weight) => (weight * (k1 + 1)) / (weight + norm)) };
}

export function toPoint(record: IndexRecord, vector: Float32Array, settings: QdrantSettings): QdrantPoint {
  const { id, userId, kind, agentId, sessionId, sourceId, at, content } = record;
  const weights = weightsByIndex(userId, record.terms);
  return {
    id: pointId(userId, id),
    vector: { [DENSE]: Array.from(vector), ...(weights.size === 0 ? {} : { [TERMS]: termSaturation(weights, settings) }) },
    payload: {
      id,
      userId,
      kind,
      ...(agentId === undefined ? {} : { agentId }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(sourceId === undefined ? {} : { sourceId }),
      at: Date.parse(at),
      terms: [...weights.keys()],
      ...(content === undefined || !settings.keepRecords ? {} : { content }),
    },
  };
}

/** The vector with length 1. @throws DIMENSION_MISMATCH, INPUT_INVALID */
export function unitVector(vector: Float32Array, what: string, dimensions: number, collection: string): Float32Array {
  if (vector.length !== dimensions) {
    throw new MemoryError(
      'DIMENSION_MISMATCH',
      `${what} has ${vector.length} dimensions, the collection ${collection} has ${dimensions}. Use one embedding model for both, or run \`tandem reindex\`.`,
      { details: { stored: dimensions, configured: vector.length, collection } },
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
