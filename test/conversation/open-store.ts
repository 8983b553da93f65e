import { JsonlChatStore, SqliteChatStore } from '@tandem-memory/conversation';
import type { ChatMemoryStore } from '@tandem-memory/core';
import { SqliteDatabase } from '@tandem-memory/sqlite';

export function openStore(kind: string, path: string): { readonly store: ChatMemoryStore; close(): void } {
  if (kind === 'jsonl') return { store: new JsonlChatStore({ folder: path }), close: () => undefined };
  const database = new SqliteDatabase({ path });
  return { store: new SqliteChatStore({ database }), close: () => database.close() };
}
