import { graphStoreConformance } from '@tandem-memory/core/conformance';
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
});
