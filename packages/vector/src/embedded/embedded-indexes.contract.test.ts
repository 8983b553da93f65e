import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CONFORMANCE_SPACE, type IndexDriverFactory, keywordIndexConformance, vectorIndexConformance } from '@tandem-memory/core/conformance';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { describe, it } from 'vitest';
import { EmbeddedKeywordIndex } from './embedded-keyword-index.ts';
import { EmbeddedVectorIndex } from './embedded-vector-index.ts';

const runner = { describe, it };

async function openVectorIndex(database: SqliteDatabase): Promise<EmbeddedVectorIndex> {
  const index = new EmbeddedVectorIndex({ database });
  await index.open(CONFORMANCE_SPACE);
  return index;
}

async function openKeywordIndex(database: SqliteDatabase): Promise<EmbeddedKeywordIndex> {
  const index = new EmbeddedKeywordIndex({ database });
  await index.open();
  return index;
}

/** Handles share one database, as two drivers of a process do. */
function inMemory<Index extends { close(): Promise<void> }>(open: (database: SqliteDatabase) => Promise<Index>): IndexDriverFactory<Index> {
  const databases = new Map<Index, SqliteDatabase>();
  const register = async (database: SqliteDatabase) => {
    const index = await open(database);
    databases.set(index, database);
    return index;
  };
  return {
    create: () => register(new SqliteDatabase({ path: ':memory:' })),
    async reopen(index) {
      await index.close();
      return register(databases.get(index) ?? new SqliteDatabase({ path: ':memory:' }));
    },
    another: (index) => register(databases.get(index) ?? new SqliteDatabase({ path: ':memory:' })),
    async destroy(index) {
      await index.close();
    },
  };
}

/** Every handle opens the file for itself, as two processes do. */
function inFile<Index extends { close(): Promise<void> }>(open: (database: SqliteDatabase) => Promise<Index>): IndexDriverFactory<Index> {
  const databases = new Map<Index, SqliteDatabase>();
  const folders = new Map<Index, string>();
  const openFile = async (path: string) => {
    const database = new SqliteDatabase({ path });
    const index = await open(database);
    databases.set(index, database);
    return index;
  };
  const pathOf = (index: Index) => databases.get(index)?.path ?? '';
  return {
    async create() {
      const folder = mkdtempSync(join(tmpdir(), 'tandem-index-'));
      const index = await openFile(join(folder, 'memory.db'));
      folders.set(index, folder);
      return index;
    },
    async reopen(index) {
      await index.close();
      databases.get(index)?.close();
      const reopened = await openFile(pathOf(index));
      folders.set(reopened, folders.get(index) ?? '');
      return reopened;
    },
    another: (index) => openFile(pathOf(index)),
    async destroy(index) {
      await index.close();
      databases.get(index)?.close();
      const folder = folders.get(index);
      if (folder !== undefined) rmSync(folder, { recursive: true });
    },
  };
}

describe('embedded, in memory', () => {
  vectorIndexConformance(runner, inMemory(openVectorIndex));
  keywordIndexConformance(runner, inMemory(openKeywordIndex));
});

describe('embedded, in a file', () => {
  vectorIndexConformance(runner, inFile(openVectorIndex));
  keywordIndexConformance(runner, inFile(openKeywordIndex));
});
