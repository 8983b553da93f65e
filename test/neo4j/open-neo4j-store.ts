import { Neo4jGraphStore, type Neo4jGraphStoreOptions } from '@tandem-memory/graph';
import neo4j, { type Driver } from 'neo4j-driver';
import { inject } from 'vitest';
import type { Neo4jAddress } from '../services/neo4j/neo4j-service.ts';

/** Undefined in a run of the other tests alone. */
const provided = (inject('neo4j') as ReturnType<typeof inject<'neo4j'>> | undefined) ?? { missing: 'this run is not about Neo4j' };

/** For `describe.skipIf`: the reason has been printed when the tests began. */
export const neo4jMissing = 'missing' in provided;
const NOWHERE: Neo4jAddress = { url: 'bolt://127.0.0.1:1' };
/** That of this worker: tests empty it, so that no two may share it. */
export const neo4jServer: Neo4jAddress = 'missing' in provided ? NOWHERE : (provided[Number(process.env['VITEST_POOL_ID']) - 1] ?? NOWHERE);

/** A driver of the test's own, to look behind the store. */
export function openDriver(server: Neo4jAddress = neo4jServer): Driver {
  const { url, username, password } = server;
  return neo4j.driver(url, username === undefined || password === undefined ? undefined : neo4j.auth.basic(username, password));
}

export async function openStore(options: Partial<Neo4jGraphStoreOptions> = {}): Promise<Neo4jGraphStore> {
  const store = new Neo4jGraphStore({ server: neo4jServer, ...options });
  await store.open();
  return store;
}

/** Deletes all but the schema, in batches that fit into the memory of a small server. */
export async function emptyDatabase(driver: Driver): Promise<void> {
  const session = driver.session();
  try {
    await session.run('MATCH (n) WHERE NOT n:MemoryStore CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS');
  } finally {
    await session.close();
  }
}
