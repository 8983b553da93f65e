import {
  type ChangeSet,
  type ChatMemoryStore,
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
  type LifecycleStore,
  type LoggedUpdate,
  MemoryError,
  type Mention,
  type OutboxEntry,
  type Page,
  type Subgraph,
  type UpdateFilter,
} from '@tandem-memory/core';
import type { Driver } from 'neo4j-driver';
import { applyChangeSet, checkChanges, isEmpty } from './commit.ts';
import { checkServer, connect, isDriver, type Neo4jGraphStoreOptions } from './config.ts';
import { abortedError, Connection, isGone, type Run } from './connection.ts';
import { findEntities, getEntities } from './entity-reads.ts';
import { findEpisodes, getEpisodes, readLatest, readMentions, readNeighbours, readSources, readSpeakers } from './episode-reads.ts';
import { eraseRecords } from './erase.ts';
import { readErasures } from './erasure-log.ts';
import { expandSubgraph } from './expand.ts';
import { findFacts, getFacts } from './fact-reads.ts';
import { checkUser } from './keys.ts';
import { migrate } from './migrations.ts';
import { Neo4jChatStore } from './neo4j-chat-store.ts';
import { Neo4jLifecycleStore } from './neo4j-lifecycle-store.ts';
import { acknowledgeOutbox, readOutbox } from './outbox.ts';
import { overwriteFreed } from './overwrite.ts';
import { SharedReads } from './shared-reads.ts';
import { SharedRun } from './shared-run.ts';
import { readUpdates } from './update-log.ts';
import { countRecords, readUsers } from './users.ts';

const TRANSACTION_TIMEOUT_MS = 60_000;

/**
 * The graph store in Neo4j 5.26 or newer, in plain Cypher. A commit is one write transaction, which the driver runs again where it failed for
 * a passing reason; commits of one user follow each other. Text comes back as it went in, save that half of a surrogate pair comes back as
 * U+FFFD (inside `metadata` and `properties` it is kept). Ids and user ids may have 512 characters.
 */
export class Neo4jGraphStore implements GraphStore {
  readonly name = 'neo4j';
  /** Consents, expiry, last access and archive, in the same database. Opened and closed with this store. */
  readonly lifecycle: LifecycleStore = new Neo4jLifecycleStore(() => this.#ready(undefined, undefined));
  /** Conversations, in the same database. The first call opens this store where it is not. */
  readonly conversations: ChatMemoryStore = new Neo4jChatStore(async () => {
    await this.open();
    return this.#ready(undefined, undefined);
  });
  readonly #options: Neo4jGraphStoreOptions;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #compaction = new SharedRun<Compaction>();
  #opened: { readonly driver: Driver; readonly connection: Connection; readonly reads: SharedReads } | undefined;
  #opening: Promise<void> | undefined;
  #closed = false;

  /** @throws CONFIG_INVALID */
  constructor(options: Neo4jGraphStoreOptions) {
    if (!isDriver(options.server)) checkServer(options.server);
    this.#options = options;
    this.#clock = options.clock ?? { now: () => new Date() };
  }

  async open(): Promise<void> {
    if (this.#closed) throw this.#closedError();
    // A failed attempt may be repeated: the server may be up by then.
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  commit(changes: ChangeSet, signal?: AbortSignal): Promise<CommitReceipt> {
    return this.#write(
      changes.userId,
      async (connection) => {
        checkChanges(changes);
        if (isEmpty(changes)) return { created: new Set<string>(), outbox: [] };
        return connection.write((run) => applyChangeSet(run, changes), signal);
      },
      signal,
    );
  }

  getEpisodes(userId: string, ids: readonly string[]): Promise<Episode[]> {
    return this.#read(userId, (run) => getEpisodes(run, userId, ids));
  }

  getFacts(userId: string, ids: readonly string[]): Promise<Fact[]> {
    return this.#read(userId, (run) => getFacts(run, userId, ids));
  }

  getEntities(userId: string, ids: readonly string[]): Promise<Entity[]> {
    return this.#read(userId, (run) => getEntities(run, userId, ids));
  }

  findEpisodes(filter: EpisodeFilter, page: Page): Promise<Episode[]> {
    return this.#read(filter.userId, (run) => findEpisodes(run, filter, page));
  }

  findFacts(filter: FactFilter, page: Page): Promise<Fact[]> {
    return this.#read(filter.userId, (run) => findFacts(run, filter, page));
  }

  findEntities(filter: EntityFilter, page: Page): Promise<Entity[]> {
    return this.#read(filter.userId, (run) => findEntities(run, filter, page));
  }

  neighbours(userId: string, episodeIds: readonly string[], count: number): Promise<Map<string, Episode[]>> {
    return this.#read(userId, (run) => readNeighbours(run, userId, episodeIds, count));
  }

  latest(userId: string, threadId: string, count: number): Promise<Episode[]> {
    return this.#read(userId, (run) => readLatest(run, userId, threadId, count));
  }

  speakers(userId: string): Promise<string[]> {
    return this.#read(userId, (run) => readSpeakers(run, userId));
  }

  sources(userId: string, page: Page): Promise<string[]> {
    return this.#read(userId, (run) => readSources(run, userId, page));
  }

  mentions(userId: string, episodeIds: readonly string[]): Promise<Mention[]> {
    return this.#read(userId, (run) => readMentions(run, userId, episodeIds));
  }

  readUpdates(filter: UpdateFilter, page: Page): Promise<LoggedUpdate[]> {
    return this.#read(filter.userId, (run) => readUpdates(run, filter, page));
  }

  expand(query: ExpandQuery, signal?: AbortSignal): Promise<Subgraph> {
    return this.#read(query.userId, (run) => expandSubgraph(run, query, this.#clock.now()), signal);
  }

  erase(erasure: Erasure, options: ErasureOptions): Promise<ErasureResult> {
    return this.#write(erasure.userId, (connection) => connection.write((run) => eraseRecords(run, erasure, options, this.#clock.now().getTime())));
  }

  erasures(userId: string, since?: number): Promise<ErasureLog> {
    return this.#read(userId, (run) => readErasures(run, userId, since));
  }

  /** Overwrites what was erased. What only the server's settings can remove is named in the answer. */
  async compact(): Promise<Compaction> {
    const connection = this.#ready(undefined, undefined);
    return this.#compaction.run(() => overwriteFreed(connection));
  }

  readOutbox(limit: number): Promise<OutboxEntry[]> {
    return this.#read(undefined, (run) => readOutbox(run, limit));
  }

  acknowledge(sequences: readonly number[]): Promise<void> {
    return this.#write(undefined, async (connection) => {
      if (sequences.length === 0) return;
      const acknowledge = () => connection.write((run) => acknowledgeOutbox(run, sequences));
      // Two relays that acknowledge the same entry: the second finds it again or gone, and either is what was asked for.
      await acknowledge().catch((error: unknown) => (isGone(error) ? acknowledge() : Promise.reject(error)));
    });
  }

  users(page: Page): Promise<string[]> {
    return this.#read(undefined, (run) => readUsers(run, page));
  }

  counts(userId?: string): Promise<GraphCounts> {
    return this.#read(userId, (run) => countRecords(run, userId));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#opening?.catch(() => undefined);
    if (!isDriver(this.#options.server)) await this.#opened?.driver.close();
    this.#opened = undefined;
  }

  async #open(): Promise<void> {
    const { server, database, transactionTimeoutMs = TRANSACTION_TIMEOUT_MS } = this.#options;
    if (this.#opened !== undefined) return migrate(this.#opened.connection);
    const driver = isDriver(server) ? server : await connect(server);
    try {
      const { default: neo4j } = await import('neo4j-driver');
      const connection = new Connection({ driver, database, transactionTimeoutMs, bookmarks: neo4j.bookmarkManager() });
      await connection.verify();
      await migrate(connection);
      this.#opened = { driver, connection, reads: new SharedReads(connection) };
    } catch (error) {
      if (!isDriver(server)) await driver.close();
      throw error;
    }
  }

  async #read<T>(userId: string | undefined, read: (run: Run) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const { connection, reads } = this.#usable(userId, signal);
    // What may be aborted has a transaction of its own.
    return signal === undefined ? reads.read(read) : connection.read(read, signal);
  }

  async #write<T>(userId: string | undefined, write: (connection: Connection) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return write(this.#ready(userId, signal));
  }

  #ready(userId: string | undefined, signal: AbortSignal | undefined): Connection {
    return this.#usable(userId, signal).connection;
  }

  #usable(userId: string | undefined, signal: AbortSignal | undefined) {
    if (this.#closed || this.#opened === undefined) throw this.#closedError();
    if (signal?.aborted === true) throw abortedError(signal);
    if (userId !== undefined) checkUser(userId);
    return this.#opened;
  }

  #closedError(): MemoryError {
    return new MemoryError(
      'CLOSED',
      this.#closed ? 'The graph store is closed; open the memory again.' : 'The graph store is not open yet; call open() first.',
    );
  }
}
