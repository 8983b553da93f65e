import {
  type Compaction,
  type IndexHit,
  type IndexRebuild,
  type IndexRecord,
  type KeywordHits,
  type KeywordIndex,
  type KeywordQuery,
  MemoryError,
  type RecordContent,
  type VectorIndex,
  type VectorQuery,
  type VectorSpace,
  type WeightedTerm,
} from '@tandem-memory/core';
import { checkAborted, checkRecord, checkUser, wholeLimit } from '../input-checks.ts';
import { aliasTarget, createCollection, dropCollection, openCollection, pointAlias } from './collection.ts';
import { collectionName, readName } from './collection-name.ts';
import { QdrantConnection } from './connection.ts';
import { copyPoints } from './copy-points.ts';
import { refusedRecords } from './errors.ts';
import { idFilter, type QdrantFilter, recordFilter, userFilter } from './filter.ts';
import { DENSE, type QdrantPoint, TERMS, toPoint, unitVector } from './point.ts';
import { type QdrantOptions, type QdrantSettings, readOptions } from './qdrant-options.ts';
import { bestHits } from './ranked-search.ts';
import { type RatedQuery, rateQuery } from './term-statistics.ts';

const MAX_DIMENSIONS = 65_536;
/** Records in one request: some megabytes with the largest models, well below the server's 32. */
const UPSERT_BATCH = 200;
const DELETE_BATCH = 1_000;
const SCROLL_PAGE = 1_000;
/** Beyond this the number of records is asked for first, since the server makes room for what it is asked for. */
const LARGE_LIMIT = 1_000;
/** Float32 rounding and the normalisation on the server take a cosine of 1 a little off. */
const SCORE_TOLERANCE = 1e-5;

type Vector =
  | { readonly using: typeof DENSE; readonly query: number[]; readonly threshold?: number }
  | { readonly using: typeof TERMS; readonly query: { indices: number[]; values: number[] } };

/**
 * Vectors and keywords in one Qdrant collection: a point holds a dense vector (cosine) and a sparse one (BM25). Pass the object as both
 * indexes; it is then written once. Works on Qdrant 1.16 to 1.19. See docs/qdrant.md.
 */
export class QdrantIndex implements VectorIndex, KeywordIndex {
  readonly name = 'qdrant';
  readonly #settings: QdrantSettings;
  readonly #connection: QdrantConnection;
  readonly #rated = new WeakMap<readonly WeightedTerm[], { readonly userId: string; readonly rated: Promise<RatedQuery> }>();
  #space: VectorSpace | undefined;
  #opening: Promise<string> | undefined;
  /** Resolves when the points have moved to another collection. */
  #moving: Promise<void> | undefined;
  #closed = false;

  /** @throws CONFIG_INVALID */
  constructor(options: QdrantOptions) {
    this.#settings = readOptions(options);
    this.#connection = new QdrantConnection(this.#settings);
  }

  /** The vector space is needed as a keyword index too, by the first call at least: both live in one collection. */
  async open(space?: VectorSpace, confirm?: () => Promise<void>): Promise<void> {
    this.#checkClosed();
    if (space !== undefined) {
      checkSpace(space);
      const before = this.#space;
      if (before !== undefined && (before.modelId !== space.modelId || before.dimensions !== space.dimensions)) {
        // Refused, unless another process has rebuilt the index in this very space.
        const name = await openCollection(this.#connection, this.#settings, space, confirm);
        this.#opening = Promise.resolve(name);
      }
      this.#space = space;
    }
    await this.#collection(confirm);
  }

  async upsert(records: readonly IndexRecord[], signal?: AbortSignal): Promise<void> {
    const { dimensions } = this.#opened(signal);
    const name = records.length === 0 ? '' : await this.#collection();
    const points = new Map<string, QdrantPoint>();
    for (const record of records) {
      checkRecord(record);
      const point = toPoint(record, unitVector(record.vector, `The vector of record ${record.id}`, dimensions, name), this.#settings);
      points.set(point.id, point);
    }
    await this.#moving;
    for (const batch of batches([...points.values()], UPSERT_BATCH)) {
      await this.#onCollection((collection_name, connection) =>
        connection.write(collection_name, (api, init) => api.upsertPoints({ collection_name, wait: true, points: batch }, init), signal),
      ).catch((error: unknown) => Promise.reject(refusedRecords(error)));
    }
  }

  async delete(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<void> {
    this.#opened(signal);
    checkUser(userId);
    for (const batch of batches(ids, DELETE_BATCH)) await this.#deleteWhere(idFilter(userId, batch), signal);
  }

  search(query: VectorQuery, signal?: AbortSignal): Promise<IndexHit[]>;
  search(query: KeywordQuery, signal?: AbortSignal): Promise<KeywordHits>;
  async search(query: VectorQuery | KeywordQuery, signal?: AbortSignal): Promise<IndexHit[] | KeywordHits> {
    this.#opened(signal);
    checkUser(query.userId);
    return 'vector' in query ? this.#nearest(query, signal) : this.#matching(query, signal);
  }

  /** All of the user's ids are read for each page, since Qdrant orders by its own keys; ask for large pages. */
  async ids(userId: string, limit: number, after?: string): Promise<string[]> {
    this.#opened();
    checkUser(userId);
    const most = wholeLimit(limit);
    if (most === 0) return [];
    let smallest: string[] = [];
    let offset: string | undefined;
    do {
      const page = await this.#onCollection((collection_name, connection) =>
        connection.read(collection_name, (api, init) =>
          api.scrollPoints(
            { collection_name, limit: SCROLL_PAGE, filter: userFilter(userId), with_payload: ['id'], ...(offset === undefined ? {} : { offset }) },
            init,
          ),
        ),
      );
      const found = page.points.map((point) => String(point.payload?.['id'])).filter((id) => after === undefined || id > after);
      smallest = [...smallest, ...found].sort((a, b) => (a < b ? -1 : 1)).slice(0, most);
      offset = typeof page.next_page_offset === 'string' ? page.next_page_offset : undefined;
    } while (offset !== undefined);
    return smallest;
  }

  async count(userId?: string): Promise<number> {
    this.#opened();
    if (userId !== undefined) checkUser(userId);
    return this.#count(userId === undefined ? undefined : userFilter(userId));
  }

  /** What was kept of these records beside their vectors, in any order; nothing of those stored with `keepRecords: false`. */
  async contents(userId: string, ids: readonly string[], signal?: AbortSignal): Promise<RecordContent[]> {
    this.#opened(signal);
    checkUser(userId);
    const found: RecordContent[] = [];
    for (const batch of batches(ids, SCROLL_PAGE)) {
      const { points } = await this.#onCollection((collection_name, connection) =>
        connection.read(
          collection_name,
          (api, init) => api.scrollPoints({ collection_name, limit: SCROLL_PAGE, filter: idFilter(userId, batch), with_payload: ['content'] }, init),
          signal,
        ),
      );
      for (const { payload } of points) if (payload?.['content'] !== undefined) found.push(payload['content'] as RecordContent);
    }
    return found;
  }

  /**
   * Begins an empty collection beside the one in use, which answers until `commit` moves the alias. What a crashed rebuild left behind goes.
   */
  async rebuild(space: VectorSpace): Promise<IndexRebuild<QdrantIndex>> {
    this.#checkClosed();
    checkSpace(space);
    const { collectionPrefix } = this.#settings;
    // Where there is nothing yet, opening says whether the name is free.
    const before = (await aliasTarget(this.#connection, this.#settings)) ?? (await openCollection(this.#connection, this.#settings, space));
    const name = collectionName(collectionPrefix, space, (readName(collectionPrefix, before)?.generation ?? 0) + 1);
    await dropCollection(this.#connection, name);
    await createCollection(this.#connection, this.#settings, name, space);
    const { apiKey, ...settings } = this.#settings;
    const index = new QdrantIndex({ ...settings, ...(apiKey === undefined ? {} : { apiKey }) });
    index.#space = space;
    index.#opening = Promise.resolve(name);
    return {
      index,
      commit: async () => {
        await pointAlias(this.#connection, this.#settings, name);
        this.#space = space;
        this.#opening = Promise.resolve(name);
        await dropCollection(this.#connection, before);
      },
      discard: () => dropCollection(this.#connection, name),
    };
  }

  /**
   * Qdrant keeps what was deleted in its segments and in its log, for as long as it likes. So the points are copied to a collection of its own,
   * which takes the place of this one, and that goes with its files. Writes of this process wait meanwhile; those of others are followed up to
   * the last moment.
   */
  async compact(): Promise<Compaction> {
    const space = this.#opened();
    await this.#moving;
    const moved = Promise.withResolvers<void>();
    this.#moving = moved.promise;
    try {
      const before = await this.#collection();
      const { index, commit, discard } = await this.rebuild(space);
      const name = await index.#collection();
      try {
        const copied = await copyPoints(this.#connection, before, name);
        await copyPoints(this.#connection, before, name, copied);
      } catch (error) {
        await discard().catch(() => undefined);
        throw error;
      }
      await commit();
      return { complete: true, left: [] };
    } finally {
      this.#moving = undefined;
      moved.resolve();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
  }

  async #nearest(query: VectorQuery, signal: AbortSignal | undefined): Promise<IndexHit[]> {
    const { dimensions } = this.#opened();
    const vector = unitVector(query.vector, 'The query vector', dimensions, await this.#collection());
    const { threshold } = query;
    if (Number.isNaN(threshold)) throw new MemoryError('INPUT_INVALID', '`threshold` is not a number.');
    const filter = recordFilter(query.userId, query.filter);
    const limit = wholeLimit(query.limit);
    if (filter === undefined || limit === 0) return [];
    const hits = await this.#best(
      { using: DENSE, query: Array.from(vector), ...(threshold === undefined ? {} : { threshold: threshold - SCORE_TOLERANCE }) },
      filter,
      limit,
      signal,
    );
    return hits.map((hit) => ({ ...hit, score: Math.max(-1, Math.min(1, hit.score)) }));
  }

  async #matching(query: KeywordQuery, signal: AbortSignal | undefined): Promise<KeywordHits> {
    const filter = recordFilter(query.userId, query.filter);
    const limit = wholeLimit(query.limit);
    const { ceiling, indices, values } = await this.#rate(query, signal);
    if (filter === undefined || limit === 0 || indices.length === 0) return { hits: [], ceiling };
    const hits = await this.#best({ using: TERMS, query: { indices, values } }, filter, limit, signal);
    // Rounding of the sums must not take a score above the ceiling.
    return { hits: hits.map((hit) => ({ ...hit, score: Math.min(hit.score, ceiling) })), ceiling };
  }

  /**
   * A question asks twice with the same terms: once for the best records, then for given ones. The second time the counts of the first are
   * used, so that both scores are shares of one ceiling.
   */
  #rate({ userId, terms, filter }: KeywordQuery, signal: AbortSignal | undefined): Promise<RatedQuery> {
    const known = this.#rated.get(terms);
    if (known?.userId === userId && filter.ids !== undefined) return known.rated;
    const rated = rateQuery(userId, terms, this.#settings.k1, (counted) => this.#count(counted, signal));
    this.#rated.set(terms, { userId, rated });
    rated.catch(() => this.#rated.delete(terms));
    return rated;
  }

  async #best(vector: Vector, filter: QdrantFilter, limit: number, signal: AbortSignal | undefined): Promise<IndexHit[]> {
    const most = limit < LARGE_LIMIT ? limit : Math.min(limit, await this.#count(filter, signal));
    if (most === 0) return [];
    const { exact, quantization } = this.#settings;
    const threshold = vector.using === DENSE ? vector.threshold : undefined;
    return bestHits(most, async (size) => {
      const { points } = await this.#onCollection((collection_name, connection) =>
        connection.read(
          collection_name,
          (api, init) =>
            api.queryPoints(
              {
                collection_name,
                query: vector.query,
                using: vector.using,
                filter,
                limit: size,
                with_payload: ['id', 'kind'],
                ...(threshold === undefined ? {} : { score_threshold: threshold }),
                ...(exact
                  ? { params: { exact } }
                  : quantization === 'int8' && vector.using === DENSE
                    ? { params: { quantization: { rescore: true, oversampling: 2 } } }
                    : {}),
              },
              init,
            ),
          signal,
        ),
      );
      return points.map(
        ({ payload, score }): IndexHit => ({ id: String(payload?.['id']), kind: payload?.['kind'] === 'fact' ? 'fact' : 'episode', score }),
      );
    });
  }

  async #count(filter: QdrantFilter | undefined, signal?: AbortSignal): Promise<number> {
    const { count } = await this.#onCollection((collection_name, connection) =>
      connection.read(
        collection_name,
        (api, init) => api.countPoints({ collection_name, exact: true, ...(filter === undefined ? {} : { filter }) }, init),
        signal,
      ),
    );
    return count;
  }

  async #deleteWhere(filter: QdrantFilter, signal: AbortSignal | undefined): Promise<void> {
    await this.#moving;
    await this.#onCollection((collection_name, connection) =>
      connection.write(collection_name, (api, init) => api.deletePoints({ collection_name, wait: true, filter }, init), signal),
    );
  }

  /** Another process may have rebuilt the index: where the collection is gone, the alias is asked again, and the vector space compared. */
  async #onCollection<Result>(send: (collection: string, connection: QdrantConnection) => Promise<Result>): Promise<Result> {
    const name = await this.#collection();
    try {
      return await send(name, this.#connection);
    } catch (error) {
      if (!MemoryError.isInstance(error) || error.details['status'] !== 404) throw error;
      this.#opening = undefined;
      if ((await this.#collection()) === name) throw error;
      return await send(await this.#collection(), this.#connection);
    }
  }

  /** The name found at the last opening. One that failed is tried anew by the next call, since the server may be back by then. */
  #collection(confirm?: () => Promise<void>): Promise<string> {
    const space = this.#opened();
    this.#opening ??= openCollection(this.#connection, this.#settings, space, confirm).catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  #opened(signal?: AbortSignal): VectorSpace {
    this.#checkClosed();
    if (this.#space === undefined)
      throw new MemoryError('UNSUPPORTED', 'The Qdrant index has no vector space yet; call `open` with one before anything else.');
    checkAborted(signal);
    return this.#space;
  }

  #checkClosed(): void {
    if (this.#closed) throw new MemoryError('CLOSED', `The index at ${this.#settings.url} is closed; open the memory again.`);
  }
}

function checkSpace(space: VectorSpace): void {
  if (Number.isInteger(space.dimensions) && space.dimensions >= 1 && space.dimensions <= MAX_DIMENSIONS) return;
  throw new MemoryError(
    'CONFIG_INVALID',
    `The embedding model ${space.modelId} has ${space.dimensions} dimensions; 1 to ${MAX_DIMENSIONS} are possible.`,
  );
}

function* batches<Item>(items: readonly Item[], size: number): Generator<Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
