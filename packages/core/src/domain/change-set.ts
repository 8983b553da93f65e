import type { Entity } from './entity.ts';
import type { EpisodeState, NewEpisode } from './episode.ts';
import type { Fact } from './fact.ts';
import type { Timestamp } from './time.ts';

export interface Mention {
  readonly episodeId: string;
  readonly entityId: string;
}

export interface EpisodeStateChange {
  readonly episodeId: string;
  readonly state: EpisodeState;
  readonly failure?: string;
}

/** What became of an extracted item, and why. */
export interface Decision {
  readonly action: 'add' | 'merge' | 'invalidate' | 'skip';
  readonly factId: string;
  readonly reason: string;
}

/** Closing of a fact that no longer holds; the fact itself stays. */
export interface FactClosure {
  readonly factId: string;
  readonly invalidAt: Timestamp;
  readonly expiredAt: Timestamp;
  readonly reason: string;
}

export type RecordKind = 'episode' | 'fact';

/** One step that the indexes still have to make. Written in the same transaction as the record it is about. */
export interface OutboxItem {
  readonly operation: 'upsert' | 'delete';
  readonly kind: RecordKind;
  readonly recordId: string;
}

export interface OutboxEntry extends OutboxItem {
  /** Increases with every commit; the order in which the relay works. */
  readonly sequence: number;
  readonly userId: string;
}

/**
 * Everything one `store()` wants to change, applied in one transaction or not at all. Applying it twice changes nothing more:
 * - an episode that exists is left as it is (its state changes only through `states`);
 * - an entity that exists gains the aliases it lacks;
 * - a fact that exists gains the evidence and the entities it lacks, and keeps the larger confidence and importance.
 */
export interface ChangeSet {
  readonly userId: string;
  readonly episodes: readonly NewEpisode[];
  readonly states: readonly EpisodeStateChange[];
  readonly entities: readonly Entity[];
  readonly facts: readonly Fact[];
  readonly mentions: readonly Mention[];
  readonly closures: readonly FactClosure[];
  readonly outbox: readonly OutboxItem[];
  /** The erasure log's epoch when the work on this change set began. A commit behind a later erasure of this user is refused with FORGOTTEN. */
  readonly epoch?: number;
}

export function emptyChangeSet(userId: string): ChangeSet {
  return { userId, episodes: [], states: [], entities: [], facts: [], mentions: [], closures: [], outbox: [] };
}
