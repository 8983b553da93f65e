import type { ChangeSet, Mention, OutboxEntry } from '../domain/change-set.ts';
import type { Entity, EntityType } from '../domain/entity.ts';
import type { Episode, EpisodeState } from '../domain/episode.ts';
import type { Compaction, Erasure, ErasureLog, ErasureOptions, ErasureResult } from '../domain/erasure.ts';
import type { Fact } from '../domain/fact.ts';
import type { MetadataFilter } from '../domain/metadata-filter.ts';
import type { Subgraph } from '../domain/subgraph.ts';
import type { Timestamp } from '../domain/time.ts';
import type { LoggedUpdate, UpdateAction } from '../domain/update-log.ts';

export interface Page {
  readonly limit: number;
  /** The last id of the page before; pages are in ascending order of the query's own order. */
  readonly after?: string;
}

export interface EpisodeFilter {
  readonly userId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  readonly state?: EpisodeState;
  readonly metadata?: MetadataFilter;
}

export interface FactFilter {
  readonly userId: string;
  readonly entityId?: string;
  readonly episodeId?: string;
  readonly subjectId?: string;
  readonly objectId?: string;
  readonly slot?: string;
  /** Leaves out facts that the record has closed (`expiredAt`). */
  readonly currentOnly?: boolean;
}

export interface EntityFilter {
  readonly userId: string;
  /** Normal forms; an entity matches by its own key or by an alias's. */
  readonly keys?: readonly string[];
  /** Beginnings of normal forms, none of them empty; an entity matches by its own key or by an alias's. Not together with `keys`. */
  readonly prefixes?: readonly string[];
  readonly type?: EntityType;
}

export interface UpdateFilter {
  readonly userId: string;
  /** Only updates of these records, or that name one of them as the related one. */
  readonly recordIds?: readonly string[];
  readonly actions?: readonly UpdateAction[];
}

export interface ExpandQuery {
  readonly userId: string;
  readonly seedIds: readonly string[];
  readonly hops: 0 | 1 | 2;
  /** At most so many facts followed from one entity, strongest first: confidence, then newest, then id. */
  readonly fanOut: number;
  /** At most so many facts, and so many mentions, in all. */
  readonly limit: number;
  /** Facts that held at this moment in the world, and mentions told by then; default: facts not ended, and all mentions. */
  readonly validAt?: Timestamp;
  /** As the record was at this moment: facts and mentions that it knew then, and of ends those that it knew then. Default: now. */
  readonly recordedAt?: Timestamp;
  /** Also read `Subgraph.comentions`. Default: not, and they are empty. */
  readonly comentions?: boolean;
}

export interface CommitReceipt {
  /** Ids of records of the change set that did not exist before. */
  readonly created: ReadonlySet<string>;
  /** Outbox entries written by this commit. */
  readonly outbox: readonly OutboxEntry[];
}

export interface GraphCounts {
  readonly episodes: number;
  readonly entities: number;
  readonly facts: number;
  readonly users: number;
  readonly outbox: number;
}

/**
 * The record of truth: episodes, entities, facts, mentions and the outbox. Every method is scoped by `userId`;
 * a record of another user is never returned, whatever id is asked for. Order is deterministic.
 */
export interface GraphStore {
  readonly name: string;
  /** Creates or migrates the schema. @throws DATABASE_TOO_NEW, NOT_A_DATABASE, GRAPH_UNAVAILABLE */
  open(): Promise<void>;
  /** All of the change set in one transaction, or nothing. Idempotent. @throws FORGOTTEN, GRAPH_UNAVAILABLE, STORAGE_BUSY, STORAGE_FAILED */
  commit(changes: ChangeSet, signal?: AbortSignal): Promise<CommitReceipt>;

  /** In the order of `ids`; ids that do not exist are left out. */
  getEpisodes(userId: string, ids: readonly string[]): Promise<Episode[]>;
  getFacts(userId: string, ids: readonly string[]): Promise<Fact[]>;
  getEntities(userId: string, ids: readonly string[]): Promise<Entity[]>;
  /** By id, ascending. */
  findEpisodes(filter: EpisodeFilter, page: Page): Promise<Episode[]>;
  findFacts(filter: FactFilter, page: Page): Promise<Fact[]>;
  findEntities(filter: EntityFilter, page: Page): Promise<Entity[]>;
  /** For each of the episodes, up to `count` episodes of the same thread before it (or after it, with a negative count), nearest first. */
  neighbours(userId: string, episodeIds: readonly string[], count: number): Promise<Map<string, Episode[]>>;
  /** The newest episodes of a thread, newest first. */
  latest(userId: string, threadId: string, count: number): Promise<Episode[]>;
  /** Distinct speakers of a user's episodes, ascending; at most 200. */
  speakers(userId: string): Promise<string[]>;
  /** Distinct source ids of a user's episodes, ascending. `after` is the last one of the page before. */
  sources(userId: string, page: Page): Promise<string[]>;
  mentions(userId: string, episodeIds: readonly string[]): Promise<Mention[]>;
  /** The update log, in the order of the commits. `after` is the sequence of the last one read, as text. */
  readUpdates(filter: UpdateFilter, page: Page): Promise<LoggedUpdate[]>;
  /** The bounded neighbourhood of the seeds. The store reads a bounded number of rows, however large a hub is. */
  expand(query: ExpandQuery, signal?: AbortSignal): Promise<Subgraph>;

  /**
   * Deletes, in one transaction, the episodes that match, and all that rested on them alone: facts without other evidence, entities without
   * other facts and mentions, spellings, names of threads, waiting outbox entries. Facts with other evidence are told anew from it: speaker,
   * time, wording and properties. Names that an erased turn had joined stay one; `ErasureResult.merges` says which. With `ids` also the facts named; with `entityIds` the entities, what mentions them and what is about them.
   */
  erase(erasure: Erasure, options: ErasureOptions): Promise<ErasureResult>;
  /** The number of the last erasure of anybody, and the traces that concern the user after `since` (none without it). */
  erasures(userId: string, since?: number): Promise<ErasureLog>;
  /**
   * Makes what was deleted unreadable in the files behind the store. Takes time in proportion to all that is stored.
   * What is not in the driver's hands is named in the answer.
   */
  compact(): Promise<Compaction>;

  /** Oldest first. */
  readOutbox(limit: number): Promise<OutboxEntry[]>;
  /** Forgets entries that the indexes have taken. Sequences that are gone already are ignored. */
  acknowledge(sequences: readonly number[]): Promise<void>;

  users(page: Page): Promise<string[]>;
  counts(userId?: string): Promise<GraphCounts>;
  close(): Promise<void>;
}
