import {
  type Compaction,
  type IndexRebuild,
  type IndexRecord,
  type KeywordHits,
  type KeywordIndex,
  type KeywordQuery,
  MemoryError,
} from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { cacheSize, wholeLimit } from '../input-checks.ts';
import { givenRecords } from './given-records.ts';
import { KEYWORD_BLOCK_ROWS, type KeywordChunk, KeywordCodec } from './keyword-codec.ts';
import {
  type Bm25,
  bestRecords,
  inverseDocumentFrequency,
  type KeywordScores,
  type QueryTerm,
  queryTerms,
  scoreGiven,
  scoreRecords,
} from './keyword-search.ts';
import { PostingTable } from './posting-table.ts';
import { RecordStore } from './record-store.ts';
import { RecordTable, type UserRow } from './record-table.ts';
import { RowFilter } from './row-filter.ts';
import { encodeTerms } from './term-list.ts';
import type { UserState } from './user-cache.ts';

const DEFAULT_CACHE_BYTES = 64 * 2 ** 20;
const DEFAULT_K1 = 1.2;
const DEFAULT_B = 0.75;

export interface EmbeddedKeywordIndexOptions extends Partial<Bm25> {
  /** Shared with the other embedded drivers; it stays open when the index is closed. */
  readonly database: SqliteDatabase;
  /** Memory for what a search needs of recent users' records, 28 bytes each. Default 64 MB. */
  readonly cacheBytes?: number;
}

/**
 * BM25 in the SQLite file, with posting lists and statistics of each user's own. Not FTS5, whose statistics are those of the whole file:
 * there another user's text moves scores.
 */
export class EmbeddedKeywordIndex implements KeywordIndex {
  readonly name = 'embedded-keyword';
  readonly #database: SqliteDatabase;
  readonly #bm25: Bm25;
  readonly #table: RecordTable;
  readonly #postings: PostingTable;
  readonly #store: RecordStore<KeywordChunk>;
  /** Scores of the last question: the engine asks it again, for the records that other channels found. */
  #last: { readonly question: string; readonly scores: KeywordScores } | undefined;
  #isOpen = false;
  #closed = false;

  /** @throws CONFIG_INVALID */
  constructor(options: EmbeddedKeywordIndexOptions) {
    const { database, k1 = DEFAULT_K1, b = DEFAULT_B } = options;
    if (!(k1 >= 0 && k1 < Number.POSITIVE_INFINITY))
      throw new MemoryError('CONFIG_INVALID', '`k1` of the keyword index must be a number, 0 or more.');
    if (!(b >= 0 && b <= 1)) throw new MemoryError('CONFIG_INVALID', '`b` of the keyword index must be a number from 0 to 1.');
    this.#database = database;
    this.#bm25 = { k1, b };
    this.#table = new RecordTable(database, 'keyword');
    this.#postings = new PostingTable(database);
    this.#store = new RecordStore(database, this.#table, new KeywordCodec(this.#postings), cacheSize(options.cacheBytes, DEFAULT_CACHE_BYTES));
  }

  async open(): Promise<void> {
    this.#checkClosed();
    this.#database.migrate('keyword', [`${this.#table.schema} ${PostingTable.schema}`]);
    this.#isOpen = true;
  }

  async upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void> {
    this.#opened().upsert(records, (record) => encodeTerms(record.terms), signal);
  }

  async delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void> {
    this.#opened().delete(userId, ids, signal);
  }

  async search(query: KeywordQuery, signal?: AbortSignal): Promise<KeywordHits> {
    const store = this.#opened();
    const terms = queryTerms(query.terms);
    const filter = new RowFilter(query.filter);
    const limit = wholeLimit(query.limit);
    const { ids } = query.filter;
    const nothing = { hits: [], ceiling: terms.reduce((sum, term) => sum + term.weight * inverseDocumentFrequency(0, 0), 0) * (this.#bm25.k1 + 1) };
    return store.read(
      query.userId,
      nothing,
      (user, load) => {
        const state = load();
        const scores = this.#scores(user, load, terms);
        if (limit === 0) return { hits: [], ceiling: scores.ceiling };
        const hits =
          ids === undefined
            ? bestRecords(scores, filter, Math.min(limit, user.records), (ordinals) => state.heads.at(ordinals))
            : scoreGiven(givenRecords(ids, state, KEYWORD_BLOCK_ROWS, filter), scores).slice(0, limit);
        return { hits, ceiling: scores.ceiling };
      },
      signal,
    );
  }

  async ids(userId: string, limit: number, after?: string): Promise<string[]> {
    return this.#opened().ids(userId, wholeLimit(limit), after);
  }

  async count(userId?: string): Promise<number> {
    return this.#opened().count(userId);
  }

  /** Removes every record of every user. For `tandem reindex`. */
  async reset(): Promise<void> {
    this.#opened();
    this.#database.transaction(() => {
      this.#table.deleteAll();
      this.#postings.deleteAll();
    });
  }

  /** In the file there is room for one index only: the old one goes now, and answers are incomplete until the new one is full. */
  async rebuild(): Promise<IndexRebuild<EmbeddedKeywordIndex>> {
    await this.open();
    await this.reset();
    return { index: this, commit: async () => undefined, discard: async () => undefined };
  }

  /** The graph may be on a server, and then nobody else writes this file anew. */
  async compact(): Promise<Compaction> {
    this.#database.compact();
    return { complete: true, left: [] };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#last = undefined;
    this.#store.close();
  }

  #scores(user: UserRow, load: () => UserState<KeywordChunk>, terms: readonly QueryTerm[]): KeywordScores {
    const question = [user.key, user.revision, ...terms.map(({ hash, weight }) => `${hash.key}*${weight}`)].join(' ');
    if (this.#last?.question !== question) {
      const spare = this.#last?.scores.blocks.map((block) => block.scores) ?? [];
      this.#last = undefined;
      this.#last = { question, scores: scoreRecords(user, load(), terms, this.#postings, this.#bm25, spare) };
    }
    return this.#last.scores;
  }

  #opened(): RecordStore<KeywordChunk> {
    this.#checkClosed();
    if (!this.#isOpen) throw new MemoryError('UNSUPPORTED', 'The keyword index is not open; call `open` before anything else.');
    return this.#store;
  }

  #checkClosed(): void {
    if (this.#closed) throw new MemoryError('CLOSED', `The keyword index in ${this.#database.path} is closed; open the memory again.`);
  }
}
