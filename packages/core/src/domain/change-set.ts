import type { Entity } from './entity.ts';
import type { EpisodeState, NewEpisode, Outdated } from './episode.ts';
import type { Fact } from './fact.ts';
import type { Metadata } from './json.ts';
import type { RecordKind } from './record-kind.ts';
import type { Timestamp } from './time.ts';
import type { Update } from './update-log.ts';

export interface Mention {
  readonly episodeId: string;
  readonly entityId: string;
  /** The name as it stands in the episode; absent where it is the entity's own name. */
  readonly spelling?: string;
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

/** Closing of a fact that no longer holds; the fact itself stays. Of several ends the earliest counts; the record time of the first stays. */
export interface FactClosure {
  readonly factId: string;
  readonly invalidAt: Timestamp;
  readonly expiredAt: Timestamp;
  readonly reason: string;
}

/** Undoes the end of a fact: what told of it is no longer said. One that has not ended stays as it is. */
export interface FactReopening {
  readonly factId: string;
}

/** A change of a record that is there. What is absent stays as it is. */
export interface EpisodeRevision {
  readonly episodeId: string;
  /** With a new text the episode's mentions go; those of the new text come with the change set. */
  readonly content?: string;
  readonly metadata?: Metadata;
  readonly updatedAt?: Timestamp;
  /** Null: it is outdated no more. */
  readonly outdated?: Outdated | null;
}

export interface FactRevision {
  readonly factId: string;
  readonly text?: string;
  readonly properties?: Metadata;
}

/** Takes spellings away from an entity, and its mentions in the named episodes: they belong to another. */
export interface EntitySplit {
  readonly entityId: string;
  readonly spellings: readonly string[];
  readonly episodeIds: readonly string[];
}

/** The second entity takes the place of the first in all facts and mentions, whose spelling stays, and the first is gone; where it is gone already, nothing is done. */
export interface EntityTransfer {
  readonly fromId: string;
  readonly toId: string;
}

/** Says anew what a known fact is about and what it rests on. All of it takes the place of what was; without an end or a time the fact has none. */
export type FactPlacement = { readonly factId: string } & Pick<Fact, 'subjectId' | 'objectId' | 'entityIds' | 'evidence' | 'validAt'>;

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
 * - an entity that exists gains the aliases it lacks, and a type where its own is `other`;
 * - a fact that exists gains the evidence and the entities it lacks, and keeps the larger confidence and importance and the earlier `validAt`
 *   (one without `validAt` stays without).
 * Splits, revisions and reopenings come before entities, facts and mentions are written; placements, transfers, closures, states and updates after.
 */
export interface ChangeSet {
  readonly userId: string;
  readonly episodes: readonly NewEpisode[];
  readonly states: readonly EpisodeStateChange[];
  readonly entities: readonly Entity[];
  readonly facts: readonly Fact[];
  readonly mentions: readonly Mention[];
  readonly reopenings: readonly FactReopening[];
  readonly closures: readonly FactClosure[];
  readonly revisions: readonly EpisodeRevision[];
  readonly factRevisions: readonly FactRevision[];
  readonly splits: readonly EntitySplit[];
  readonly placements: readonly FactPlacement[];
  readonly transfers: readonly EntityTransfer[];
  /** For the update log; one that is there already is left as it is. */
  readonly updates: readonly Update[];
  readonly outbox: readonly OutboxItem[];
  /** The erasure log's epoch when the work on this change set began. A commit behind a later erasure of this user is refused with FORGOTTEN. */
  readonly epoch?: number;
}

export function emptyChangeSet(userId: string): ChangeSet {
  return {
    userId,
    episodes: [],
    states: [],
    entities: [],
    facts: [],
    mentions: [],
    reopenings: [],
    closures: [],
    revisions: [],
    factRevisions: [],
    splits: [],
    placements: [],
    transfers: [],
    updates: [],
    outbox: [],
  };
}
