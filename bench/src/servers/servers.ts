import { Neo4jGraphStore } from '@tandem-memory/graph';
import { QdrantIndex } from '@tandem-memory/vector';
import neo4j, { type Driver } from 'neo4j-driver';
import { configFromEnvironment } from 'tandem-memory';

/** Where the graph, or vectors and keywords, are kept in place of the SQLite file. */
export interface Servers {
  readonly graph?: { readonly url: string; readonly username?: string; readonly password?: string; readonly database?: string };
  readonly vector?: { readonly url: string; readonly apiKey?: string };
}

/** URLs by option, all else by the environment, as for the command: a password has no business on a command line. */
export function serversFrom(options: { readonly graph?: string; readonly vector?: string }): Servers {
  const { graph, vectors } = configFromEnvironment({ ...process.env, NEO4J_URI: options.graph, QDRANT_URL: options.vector });
  return { ...(graph === undefined ? {} : { graph }), ...(vectors === undefined ? {} : { vector: vectors }) };
}

export function nameOf({ graph, vector }: Servers): string {
  return `${graph === undefined ? 'embedded' : 'neo4j'} + ${vector === undefined ? 'embedded' : 'qdrant'}`;
}

export function neo4jDriver({ url, username, password }: NonNullable<Servers['graph']>): Driver {
  return neo4j.driver(url, username === undefined || password === undefined ? undefined : neo4j.auth.basic(username, password));
}

export function neo4jStore(graph: NonNullable<Servers['graph']>, driver?: Driver): Neo4jGraphStore {
  const { database, ...server } = graph;
  return new Neo4jGraphStore({ server: driver ?? server, ...(database === undefined ? {} : { database }) });
}

export function qdrantIndex({ url, apiKey }: NonNullable<Servers['vector']>, collectionPrefix: string): QdrantIndex {
  return new QdrantIndex({ url, collectionPrefix, ...(apiKey === undefined ? {} : { apiKey }) });
}

/** Refuses a database with anything in it: a benchmark brings what waits in the outbox to its own indexes, and deletes everything at the end. */
export async function requireEmpty({ graph }: Servers): Promise<void> {
  if (graph === undefined) return;
  await using driver = neo4jDriver(graph);
  const { records } = await driver.executeQuery('MATCH (n) WHERE NOT n:MemoryStore RETURN n LIMIT 1', {}, databaseOf(graph));
  if (records.length > 0) throw new Error('A benchmark needs a Neo4j database of its own, and this one is not empty.');
}

/** Removes what the benchmark made. */
export async function clearServers({ graph, vector }: Servers, collectionPrefix: string): Promise<void> {
  if (graph !== undefined) {
    await using driver = neo4jDriver(graph);
    const session = driver.session(databaseOf(graph));
    await session.run('MATCH (n) WHERE NOT n:MemoryStore CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS');
    await session.close();
  }
  if (vector === undefined) return;
  const { url, apiKey } = vector;
  const headers = apiKey === undefined ? {} : { 'api-key': apiKey };
  const response = await fetch(new URL('/collections', url), { headers });
  const { result } = (await response.json()) as { result: { collections: { name: string }[] } };
  for (const { name } of result.collections)
    if (name.startsWith(collectionPrefix)) await fetch(new URL(`/collections/${name}`, url), { method: 'DELETE', headers });
}

function databaseOf({ database }: NonNullable<Servers['graph']>): { readonly database?: string } {
  return database === undefined ? {} : { database };
}
