import { type ChatMemoryStore, type ConversationEntry, type ConversationId, readConversationEntry } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';

export interface SqliteChatStoreOptions {
  /** May be the file of a memory: the tables have names of their own. Closed by its owner. */
  readonly database: SqliteDatabase;
}

const MIGRATIONS = [
  `CREATE TABLE conversation_entry(
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     user_id TEXT NOT NULL,
     session_id TEXT NOT NULL,
     entry TEXT NOT NULL
   ) STRICT;
   CREATE INDEX conversation_entry_by_session ON conversation_entry(user_id, session_id, id);`,
];

/** Conversations in a SQLite file, an entry a row. */
export class SqliteChatStore implements ChatMemoryStore {
  readonly #database: SqliteDatabase;

  /** @throws DATABASE_TOO_NEW, STORAGE_FAILED */
  constructor(options: SqliteChatStoreOptions) {
    this.#database = options.database;
    this.#database.migrate('conversation', MIGRATIONS);
  }

  async get(id: ConversationId): Promise<readonly ConversationEntry[]> {
    return this.#database.run(() => this.#read(id));
  }

  async update(id: ConversationId, entries: readonly ConversationEntry[]): Promise<void> {
    if (entries.length === 0) return;
    this.#database.transaction(() => this.#append(id, entries));
  }

  async rewrite(id: ConversationId, change: (entries: readonly ConversationEntry[]) => readonly ConversationEntry[] | undefined): Promise<void> {
    this.#database.transaction(() => {
      const entries = change(this.#read(id));
      if (entries === undefined) return;
      this.#remove(id);
      this.#append(id, entries);
    });
  }

  async delete(id: ConversationId): Promise<void> {
    this.#database.transaction(() => this.#remove(id));
  }

  #read(id: ConversationId): readonly ConversationEntry[] {
    return this.#database
      .prepare('SELECT id, entry FROM conversation_entry WHERE user_id = ? AND session_id = ? ORDER BY id')
      .all(id.userId, id.sessionId)
      .map((row) => readConversationEntry(String(row['entry']), `Row ${String(row['id'])} of ${this.#database.path}`));
  }

  #append(id: ConversationId, entries: readonly ConversationEntry[]): void {
    const insert = this.#database.prepare('INSERT INTO conversation_entry(user_id, session_id, entry) VALUES (?, ?, ?)');
    for (const entry of entries) insert.run(id.userId, id.sessionId, JSON.stringify(entry));
  }

  #remove(id: ConversationId): void {
    this.#database.prepare('DELETE FROM conversation_entry WHERE user_id = ? AND session_id = ?').run(id.userId, id.sessionId);
  }

  async list(userId: string): Promise<readonly string[]> {
    const rows = this.#database.run(() =>
      this.#database.prepare('SELECT DISTINCT session_id FROM conversation_entry WHERE user_id = ? ORDER BY session_id').all(userId),
    );
    return rows.map((row) => String(row['session_id'])).sort();
  }
}
