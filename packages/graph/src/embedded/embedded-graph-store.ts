import {
  type ChangeSet,
  type Clock,
  type CommitReceipt,
  type Compaction,
  type Entity,
  type EntityFilter,
  type Episode,
  type EpisodeFilter,
  type Erasure,
  type ErasureLog,
  type ErasureOptions,
  type ErasureResult,
  type ExpandQuery,
  type Fact,
  type FactFilter,
  type GraphCounts,
  type GraphStore,
  type LoggedUpdate,
  MemoryError,
  type Mention,
  type OutboxEntry,
  type Page,
  type Subgraph,
  type UpdateFilter,
} from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { applyChangeSet } from './commit.ts';
import { findEntities, getEntities } from './entity-reads.ts';
import { findEpisodes, getEpisodes, readLatest, readMentions, readNeighbours, readSources, readSpeakers } from './episode-reads.ts';
import { eraseRecords } from './erase.ts';
import { readErasures } from './erasure-log.ts';
import { expandSubgraph } from './expand.ts';
import { findFacts, getFacts } from './fact-reads.ts';
import { acknowledgeOutbox, readOutbox } from './outbox.ts';
import { MIGRATIONS } from './schema.ts';
import { readUpdates } from './update-log.ts';
import { countRecords, readUsers } from './users.ts';

export interface EmbeddedGraphStoreOptions {
  /** The open file, which the other embedded drivers of the process may share. */
  readonly database: SqliteDatabase;
  /** Whether `close()` of the store closes the database too. Default false: whoever opened it closes it. */
  readonly ownsDatabase?: boolean;
  /** What "ended" is measured against where `expand()` is given no `validAt`. Default: the system's clock. */
  readonly clock?: Pick<Clock, 'now'>;
}

/**
 * The graph store in one SQLite file. Every method works synchronously inside its promise: a read sees one snapshot, a commit is one write
 * transaction that is on the disk when the promise resolves. Text comes back as it went in, save that half of a surrogate pair, which
 * UTF-8 can't hold, comes back as U+FFFD (inside `metadata` and `properties` it is kept, as JSON escapes it).
 */
export class EmbeddedGraphStore implements GraphStore {
  readonly name = 'embedded';
  readonly #database: SqliteDatabase;
  readonly #ownsDatabase: boolean;
  readonly #clock: Pick<Clock, 'now'>;
  #state: 'new' | 'open' | 'closed' = 'new';

  constructor(options: EmbeddedGraphStoreOptions) {
    this.#database = options.database;
    this.#ownsDatabase = options.ownsDatabase ?? false;
    this.#clock = options.clock ?? { now: () => new Date() };
  }

  async open(): Promise<void> {
    if (this.#state === 'closed') throw closedError(this.#state);
    this.#database.migrate('graph', MIGRATIONS);
    this.#state = 'open';
  }

  async commit(changes: ChangeSet, signal?: AbortSignal): Promise<CommitReceipt> {
    const database = this.#ready(signal);
    return database.transaction(() => applyChangeSet(database, changes));
  }

  async getEpisodes(userId: string, ids: readonly string[]): Promise<Episode[]> {
    return this.#read((database) => getEpisodes(database, userId, ids));
  }

  async getFacts(userId: string, ids: readonly string[]): Promise<Fact[]> {
    return this.#read((database) => getFacts(database, userId, ids));
  }

  async getEntities(userId: string, ids: readonly string[]): Promise<Entity[]> {
    return this.#read((database) => getEntities(database, userId, ids));
  }

  async findEpisodes(filter: EpisodeFilter, page: Page): Promise<Episode[]> {
    return this.#read((database) => findEpisodes(database, filter, page));
  }

  async findFacts(filter: FactFilter, page: Page): Promise<Fact[]> {
    return this.#read((database) => findFacts(database, filter, page));
  }

  async findEntities(filter: EntityFilter, page: Page): Promise<Entity[]> {
    return this.#read((database) => findEntities(database, filter, page));
  }

  async neighbours(userId: string, episodeIds: readonly string[], count: number): Promise<Map<string, Episode[]>> {
    return this.#read((database) => readNeighbours(database, userId, episodeIds, count));
  }

  async latest(userId: string, threadId: string, count: number): Promise<Episode[]> {
    return this.#read((database) => readLatest(database, userId, threadId, count));
  }

  async speakers(userId: string): Promise<string[]> {
    return this.#read((database) => readSpeakers(database, userId));
  }

  async sources(userId: string, page: Page): Promise<string[]> {
    return this.#read((database) => readSources(database, userId, page));
  }

  async mentions(userId: string, episodeIds: readonly string[]): Promise<Mention[]> {
    return this.#read((database) => readMentions(database, userId, episodeIds));
  }

  async readUpdates(filter: UpdateFilter, page: Page): Promise<LoggedUpdate[]> {
    return this.#read((database) => readUpdates(database, filter, page));
  }

  async expand(query: ExpandQuery, signal?: AbortSignal): Promise<Subgraph> {
    return this.#read((database) => expandSubgraph(database, query, this.#clock.now().getTime()), signal);
  }

  async erase(erasure: Erasure, options: ErasureOptions): Promise<ErasureResult> {
    const database = this.#ready();
    const now = this.#clock.now().getTime();
    return database.transaction(() => eraseRecords(database, erasure, options, now));
  }

  async erasures(userId: string, since?: number): Promise<ErasureLog> {
    return this.#read((database) => readErasures(database, userId, since));
  }

  async compact(): Promise<Compaction> {
    this.#ready().compact();
    return { complete: true, left: [] };
  }

  async readOutbox(limit: number): Promise<OutboxEntry[]> {
    return this.#read((database) => readOutbox(database, limit));
  }

  async acknowledge(sequences: readonly number[]): Promise<void> {
    acknowledgeOutbox(this.#ready(), sequences);
  }

  async users(page: Page): Promise<string[]> {
    return this.#read((database) => readUsers(database, page));
  }

  async counts(userId?: string): Promise<GraphCounts> {
    return this.#read((database) => countRecords(database, userId));
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return;
    this.#state = 'closed';
    if (this.#ownsDatabase) this.#database.close();
  }

  #read<T>(read: (database: SqliteDatabase) => T, signal?: AbortSignal): T {
    const database = this.#ready(signal);
    return database.snapshot(() => read(database));
  }

  #ready(signal?: AbortSignal): SqliteDatabase {
    if (this.#state !== 'open') throw closedError(this.#state);
    if (signal?.aborted === true) throw new MemoryError('ABORTED', 'The call was aborted before the graph store began it.', { cause: signal.reason });
    return this.#database;
  }
}

function closedError(state: 'new' | 'closed'): MemoryError {
  return new MemoryError(
    'CLOSED',
    state === 'new' ? 'The graph store is not open yet; call open() first.' : 'The graph store is closed; open the memory again.',
  );
}
