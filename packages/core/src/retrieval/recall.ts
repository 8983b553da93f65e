import type { Entity } from '../domain/entity.ts';
import type { IndexHit } from '../domain/index-record.ts';
import type { Query } from '../domain/query.ts';
import { MemoryError } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { KeywordHits, KeywordIndex } from '../ports/keyword-index.ts';
import type { VectorIndex } from '../ports/vector-index.ts';

export interface RecallDependencies {
  readonly graph: GraphStore;
  readonly vectors: VectorIndex;
  readonly keywords: KeywordIndex;
  readonly embedding: EmbeddingModel;
}

export interface Recalled {
  readonly vector: readonly IndexHit[];
  readonly keyword: KeywordHits;
  /** Entities that the question names, the longest name first. */
  readonly entities: readonly Entity[];
  /** The embedded question; undefined where it could not be embedded. */
  readonly queryVector: Float32Array | undefined;
  /** Which channels could not answer, in words. */
  readonly degraded: readonly string[];
}

/**
 * Asks all channels at once. A channel that is down is named in `degraded` and the others answer; only when none can answer is it an error.
 * @throws the first channel's error when every channel failed, and errors that no retry would mend (wrong input, a defect)
 */
export async function recall(query: Query, dependencies: RecallDependencies, candidates: number, signal?: AbortSignal): Promise<Recalled> {
  const degraded: string[] = [];
  const failures: unknown[] = [];
  const orElse = async <T>(channel: string, work: Promise<T>, fallback: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (!MemoryError.isInstance(error) || !error.retryable) throw error;
      degraded.push(`${channel} unavailable (${error.code})`);
      failures.push(error);
      return fallback;
    }
  };
  const vectorSearch = async () => {
    const [queryVector] = await dependencies.embedding.embed([query.denseText], 'query', signal);
    if (queryVector === undefined) return { queryVector, hits: [] };
    return {
      queryVector,
      hits: await dependencies.vectors.search({ userId: query.userId, vector: queryVector, filter: query.filter, limit: candidates }, signal),
    };
  };
  const none: { queryVector: Float32Array | undefined; hits: IndexHit[] } = { queryVector: undefined, hits: [] };
  const [vector, keyword, entities] = await Promise.all([
    orElse('vector search', vectorSearch(), none),
    orElse(
      'keyword search',
      dependencies.keywords.search({ userId: query.userId, terms: query.terms, filter: query.filter, limit: candidates }, signal),
      { hits: [], ceiling: 0 },
    ),
    orElse('graph', namedEntities(query, dependencies.graph), []),
  ]);
  if (failures.length === 3) throw failures[0];
  return { vector: vector.hits, keyword, entities, queryVector: vector.queryVector, degraded };
}

async function namedEntities(query: Query, graph: GraphStore): Promise<Entity[]> {
  if (query.nameKeys.length === 0) return [];
  const found = await graph.findEntities({ userId: query.userId, keys: query.nameKeys }, { limit: 64 });
  const longestFirst = found.sort((a, b) => b.key.length - a.key.length || (a.id < b.id ? -1 : 1));
  // Who asks for "New York" asks neither for York nor for what is new.
  return longestFirst.filter((entity) => !longestFirst.some((longer) => longer.key.length > entity.key.length && holds(longer.key, entity.key)));
}

function holds(longer: string, key: string): boolean {
  return ` ${longer} `.includes(` ${key} `);
}
