import type { Episode } from './episode.ts';
import type { Fact } from './fact.ts';
import type { RecordKind } from './record-kind.ts';
import type { Scope } from './scope.ts';
import type { Timestamp } from './time.ts';

/** A term of the keyword index with its weight in one record (its frequency, fields already weighted). */
export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

/** The record itself, as an index may keep it beside its vector to answer while the graph store is down. */
export type RecordContent = { readonly kind: 'episode'; readonly episode: Episode } | { readonly kind: 'fact'; readonly fact: Fact };

/** What the vector and the keyword index hold of one record; everything in it is derived from the graph store. */
export interface IndexRecord extends Scope {
  readonly id: string;
  readonly kind: RecordKind;
  readonly sourceId?: string;
  readonly at: Timestamp;
  /** Unit length, `dimensions` long. */
  readonly vector: Float32Array;
  /** Terms by the engine's own analyser, each once. */
  readonly terms: readonly WeightedTerm[];
  readonly content?: RecordContent;
}

/** Narrows a search inside one user's records. Every field given must match. */
export interface IndexFilter {
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  readonly kinds?: readonly RecordKind[];
  /** Inclusive. */
  readonly since?: Timestamp;
  /** Exclusive. */
  readonly until?: Timestamp;
  /** Only these records: those with metadata that are asked for, or those that another channel found. */
  readonly ids?: readonly string[];
}

export interface IndexHit {
  readonly id: string;
  readonly kind: RecordKind;
  /** Cosine similarity (vector) or BM25 (keyword). Higher is better. */
  readonly score: number;
}
