import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChatMemoryStore, InMemoryChatStore } from '@tandem-memory/core';
import { chatMemoryStoreConformance } from '@tandem-memory/core/conformance';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { describe, it } from 'vitest';
import { JsonlChatStore } from './jsonl/jsonl-chat-store.ts';
import { SqliteChatStore } from './sqlite/sqlite-chat-store.ts';

const runner = { describe, it };
const folders = new Map<ChatMemoryStore, string>();
const databases = new Map<ChatMemoryStore, SqliteDatabase>();

function onSqlite(path: string, folder: string): ChatMemoryStore {
  const database = new SqliteDatabase({ path });
  const store = new SqliteChatStore({ database });
  databases.set(store, database);
  folders.set(store, folder);
  return store;
}

function onFiles(folder: string): ChatMemoryStore {
  const store = new JsonlChatStore({ folder: join(folder, 'chats') });
  folders.set(store, folder);
  return store;
}

async function destroy(store: ChatMemoryStore): Promise<void> {
  databases.get(store)?.close();
  rmSync(folders.get(store) ?? '', { recursive: true, force: true });
}

const temporary = () => mkdtempSync(join(tmpdir(), 'tandem-chat-'));

describe('in memory', () => {
  chatMemoryStoreConformance(runner, { create: async () => new InMemoryChatStore(), destroy: async () => {} });
});

describe('JSONL files', () => {
  chatMemoryStoreConformance(runner, {
    create: async () => onFiles(temporary()),
    reopen: async (store) => onFiles(folders.get(store) ?? ''),
    destroy,
  });
});

describe('SQLite', () => {
  chatMemoryStoreConformance(runner, {
    create: async () => {
      const folder = temporary();
      return onSqlite(join(folder, 'chat.db'), folder);
    },
    reopen: async (store) => {
      databases.get(store)?.close();
      const folder = folders.get(store) ?? '';
      return onSqlite(join(folder, 'chat.db'), folder);
    },
    destroy,
  });
});
