import { chatMemoryStoreConformance, type DriverFactory, graphStoreConformance, lifecycleStoreConformance } from '@tandem-memory/core/conformance';
import type { Neo4jGraphStore } from '@tandem-memory/graph';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { emptyDatabase, neo4jMissing, openDriver, openStore } from './open-neo4j-store.ts';

describe.skipIf(neo4jMissing)('Neo4j', () => {
  const driver = openDriver();
  beforeAll(() => emptyDatabase(driver));
  afterAll(async () => {
    await emptyDatabase(driver);
    await driver.close();
  });

  graphStoreConformance(
    { describe, it },
    {
      create: () => openStore(),
      reopen: async (store) => {
        await store.close();
        return openStore();
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
      const graph = await openStore();
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
});
