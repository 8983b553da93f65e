import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { GraphStore } from '@tandem-memory/core';
import { graphStoreConformance } from '@tandem-memory/core/conformance';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { describe, it } from 'vitest';
import { EmbeddedGraphStore } from './embedded-graph-store.ts';

async function openStore(path: string): Promise<GraphStore> {
  const store = new EmbeddedGraphStore({ database: new SqliteDatabase({ path }), ownsDatabase: true });
  await store.open();
  return store;
}

describe('in memory', () => {
  graphStoreConformance({ describe, it }, { create: () => openStore(':memory:'), destroy: (store) => store.close() });
});

describe('in a file', () => {
  const paths = new Map<GraphStore, string>();
  const open = async (path: string) => {
    const store = await openStore(path);
    paths.set(store, path);
    return store;
  };
  const pathOf = (store: GraphStore) => paths.get(store) ?? '';
  graphStoreConformance(
    { describe, it },
    {
      create: () => open(join(mkdtempSync(join(tmpdir(), 'tandem-graph-')), 'memory.db')),
      reopen: async (store) => {
        await store.close();
        return open(pathOf(store));
      },
      destroy: async (store) => {
        await store.close();
        rmSync(dirname(pathOf(store)), { recursive: true, force: true });
      },
    },
  );
});
