import { createMemory, type Memory } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore, EmbeddedLifecycleStore } from '@tandem-memory/graph';
import { CharacterCounter, rulesExtractor } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { neo4jDriver, neo4jStore, qdrantIndex, type Servers } from '../servers/servers.ts';
import { betweenCalls, betweenQueries, betweenStatements, type FaultPoint } from './fault-points.ts';

/** The stores of one run; plain data, since a process of its own opens them. */
export interface Backend extends Servers {
  /** The SQLite file of what is on no server. */
  readonly path: string;
  readonly collectionPrefix: string;
}

/** The whole engine without weights, so that a process is up in a moment. @param point called between any two writes */
export function openBackend({ path, collectionPrefix, graph, vector }: Backend, point: FaultPoint = () => undefined): Memory {
  const file = new SqliteDatabase({ path: graph === undefined || vector === undefined ? path : ':memory:' });
  const database = betweenStatements(file, point);
  const driver = graph === undefined ? undefined : neo4jDriver(graph);
  const neo4j = graph === undefined || driver === undefined ? undefined : neo4jStore(graph, betweenQueries(driver, point));
  const qdrant = vector === undefined ? undefined : betweenCalls(qdrantIndex(vector, collectionPrefix), 'index', point);
  return createMemory({
    graph: betweenCalls(neo4j ?? new EmbeddedGraphStore({ database }), 'graph', point),
    lifecycle: betweenCalls(neo4j?.lifecycle ?? new EmbeddedLifecycleStore({ database }), 'lifecycle', point),
    vectors: qdrant ?? betweenCalls(new EmbeddedVectorIndex({ database }), 'vectors', point),
    keywords: qdrant ?? betweenCalls(new EmbeddedKeywordIndex({ database }), 'keywords', point),
    embedding: new HashEmbeddingModel(),
    extractor: rulesExtractor(),
    counter: new CharacterCounter(4),
    resources: [...(driver === undefined ? [] : [driver]), file],
  });
}
