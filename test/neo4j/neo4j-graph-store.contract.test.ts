import type { LifecycleStore } from '@tandem-memory/core';
import { graphStoreConformance, lifecycleStoreConformance } from '@tandem-memory/core/conformance';
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

  describe('lifecycle', () => {
    const graphs = new Map<LifecycleStore, Neo4jGraphStore>();
    const open = async () => {
      const graph = await openStore();
      graphs.set(graph.lifecycle, graph);
      await graph.lifecycle.open();
      return graph.lifecycle;
    };
    lifecycleStoreConformance(
      { describe, it },
      {
        create: open,
        reopen: async (store) => {
          await graphs.get(store)?.close();
          return open();
        },
        destroy: async (store) => {
          await graphs.get(store)?.close();
          await emptyDatabase(driver);
        },
      },
    );
  });
});
