import type { RecordKind } from './record-kind.ts';

/** Ways by which a record can come up. */
export type Channel = 'vector' | 'keyword' | 'entity' | 'graph' | 'neighbour' | 'time';

/** What one channel said of a record. */
export interface ChannelScore {
  readonly channel: Channel;
  /** 1 is the best. */
  readonly rank: number;
  /** In the channel's own unit: cosine, share of the reachable BM25, weight of the entity, score of the turn beside it, of the text match. Higher is better. */
  readonly score: number;
}

/** One step through the graph: the fact that was walked along, from one entity to another. */
export interface Hop {
  readonly from: string;
  readonly predicate: string;
  readonly to: string;
  readonly factId?: string;
  /** True where the fact was walked from its object to its subject. */
  readonly reversed: boolean;
  /** Episodes that state the fact. */
  readonly evidence: readonly string[];
  /** Name of the rule by which the step follows from others; no text states it. */
  readonly rule?: string;
  /** Ids of the facts that the rule was applied to, in the order of the chain. */
  readonly premises?: readonly string[];
}

/** What each consideration adds to a score (`cosine`, `keywords`, `locality`, `speaker`, ...); the parts sum up to it. */
export type ScoreParts = Readonly<Record<string, number>>;

/** A record under consideration, with everything that is known of why. Stages add to it and never take away. */
export interface Candidate {
  readonly kind: RecordKind;
  readonly id: string;
  readonly score: number;
  readonly channels: readonly ChannelScore[];
  readonly parts?: ScoreParts;
  /** How the graph led here; empty for a record found directly. */
  readonly path: readonly Hop[];
}
