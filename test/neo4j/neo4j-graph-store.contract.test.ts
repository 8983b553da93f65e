import { chatMemoryStoreConformance, type DriverFactory, graphStoreConformance, lifecycleStoreConformance } from '@tandem-memory/core/conformance';
import type { Neo4jGraphStore } from '@tandem-memory/graph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observeDriver } from './observed-driver.ts';
import { emptyDatabase, neo4jMissing, openDriver, openStore } from './open-neo4j-store.ts';
import { turn } from './records.ts';

describe.skipIf(neo4jMissing)('Neo4j', () => {
  const driver = openDriver();
  const observed = observeDriver(driver);
  const open = () => openStore({ server: observed.driver });
  beforeAll(async () => {
    await emptyDatabase(driver);
    // So that the statements of the schema are among those that run.
    await driver.executeQuery('MATCH (store:MemoryStore) DELETE store');
  });
  afterAll(async () => {
    await emptyDatabase(driver);
    await driver.close();
  });

  graphStoreConformance(
    { describe, it },
    {
      create: open,
      reopen: async (store) => {
        await store.close();
        return open();
      },
      destroy: async (store) => {
        await store.close();
        await emptyDatabase(driver);
      },
    },
  );

  /** What lies beside the graph, over its connection. */
  function beside<Store extends object>(storeOf: (graph: Neo4jGraphStore) => Store): Required<DriverFactory<Store>> {
    const graphs = new Map<Store, Neo4jGraphStore>();
    const create = async () => {
      const graph = await open();
      graphs.set(storeOf(graph), graph);
      return storeOf(graph);
    };
    return {
      create,
      reopen: async (store) => {
        await graphs.get(store)?.close();
        return create();
      },
      destroy: async (store) => {
        await graphs.get(store)?.close();
        await emptyDatabase(driver);
      },
    };
  }

  describe('lifecycle', () => {
    lifecycleStoreConformance(
      { describe, it },
      beside((graph) => graph.lifecycle),
    );
  });
  describe('conversations', () => {
    chatMemoryStoreConformance(
      { describe, it },
      beside((graph) => graph.conversations),
    );
  });

  it('asked for nothing above that is deprecated, and would have been told', async () => {
    const store = await open();
    await store.commit(turn('user', 'They met.', 'Ada', 'Bo'));
    await store.erase({ userId: 'user' }, { following: 1, leaveTrace: true });
    await store.compact();
    await store.close();
    expect([...observed.deprecated]).toEqual([]);
    const session = observed.driver.session();
    await session.executeRead((tx) => tx.run('MATCH (n) RETURN id(n) LIMIT 1'));
    await session.close();
    expect(observed.deprecated.size).toBe(1);
  });
});
