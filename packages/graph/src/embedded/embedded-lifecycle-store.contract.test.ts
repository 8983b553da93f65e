import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { LifecycleStore } from '@tandem-memory/core';
import { lifecycleStoreConformance } from '@tandem-memory/core/conformance';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { describe, it } from 'vitest';
import { EmbeddedLifecycleStore } from './embedded-lifecycle-store.ts';

const databases = new Map<LifecycleStore, SqliteDatabase>();

async function open(path: string): Promise<LifecycleStore> {
  const database = new SqliteDatabase({ path });
  const store = new EmbeddedLifecycleStore({ database });
  databases.set(store, database);
  await store.open();
  return store;
}

describe('the lifecycle store in a file', () => {
  const close = (store: LifecycleStore) => {
    const database = databases.get(store);
    database?.close();
    return database?.path ?? '';
  };
  lifecycleStoreConformance(
    { describe, it },
    {
      create: () => open(join(mkdtempSync(join(tmpdir(), 'tandem-lifecycle-')), 'memory.db')),
      reopen: (store) => open(close(store)),
      destroy: async (store) => rmSync(dirname(close(store)), { recursive: true, force: true }),
    },
  );
});
