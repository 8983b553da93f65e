import { type ChatMemoryStore, type ConversationEntry, type ConversationId, readConversationEntry } from '@tandem-memory/core';
import type { Connection, Run } from './connection.ts';
import { checkUser, textKey } from './keys.ts';
import { STORE } from './migrations.ts';
import { noteFreed, weigh } from './overwrite.ts';
import { toInteger, toNumber } from './record-mapper.ts';

// The write lock on the conversation's node gives its entries one order.
const TAKE_SEQUENCES = 'MATCH (talk:Conversation {conversationKey: $key}) SET talk.entries = talk.entries + $count RETURN talk.entries AS last';
// Two that MERGE what is not there block each other, so that who begins a conversation takes the store's node first.
const CREATE = `
  MATCH ${STORE} SET store.conversations = coalesce(store.conversations, 0) + 1
  MERGE (talk:Conversation {conversationKey: $key})
  ON CREATE SET talk.sessionId = $sessionId, talk.userId = $userId, talk.entries = 0`;
const APPEND = `
  UNWIND $rows AS row
  CREATE (:ConversationEntry {userId: $userId, id: row.id, conversationKey: $key, sequence: row.sequence, entry: row.entry})`;
const READ = 'MATCH (entry:ConversationEntry {conversationKey: $key}) RETURN entry.id AS id, entry.entry AS text ORDER BY entry.sequence';
const LOCK = 'MATCH (talk:Conversation {conversationKey: $key}) SET talk.entries = talk.entries RETURN talk.entries AS last';
const DELETE_ENTRIES = 'MATCH (entry:ConversationEntry {conversationKey: $key}) DELETE entry';
const DELETE = 'MATCH (talk:Conversation {conversationKey: $key}) DELETE talk';
const LIST = 'MATCH (talk:Conversation {userId: $userId}) RETURN talk.sessionId AS sessionId';

/** Conversations beside the graph in Neo4j, an entry a node, over the connection of the graph store: `graph.conversations`. */
export class Neo4jChatStore implements ChatMemoryStore {
  readonly #connection: () => Promise<Connection>;

  /** @param connection that of the graph store, which is opened where it is not */
  constructor(connection: () => Promise<Connection>) {
    this.#connection = connection;
  }

  async get(id: ConversationId): Promise<readonly ConversationEntry[]> {
    const key = keyOf(id);
    return (await this.#connection()).read(async (run) => (await readRows(run, key)).map(({ entry }) => entry));
  }

  async update(id: ConversationId, entries: readonly ConversationEntry[]): Promise<void> {
    const key = keyOf(id);
    if (entries.length > 0) await (await this.#connection()).write((run) => append(run, id, key, entries));
  }

  async rewrite(id: ConversationId, change: (entries: readonly ConversationEntry[]) => readonly ConversationEntry[] | undefined): Promise<void> {
    const key = keyOf(id);
    await (await this.#connection()).write(async (run) => {
      await run(LOCK, { key });
      const rows = await readRows(run, key);
      const entries = change(rows.map(({ entry }) => entry));
      if (entries === undefined) return;
      await remove(run, id, key, rows);
      if (entries.length === 0) await run(DELETE, { key });
      else await append(run, id, key, entries);
    });
  }

  async delete(id: ConversationId): Promise<void> {
    const key = keyOf(id);
    await (await this.#connection()).write(async (run) => {
      await run(LOCK, { key });
      await remove(run, id, key, await readRows(run, key));
      await run(DELETE, { key });
    });
  }

  async list(userId: string): Promise<readonly string[]> {
    checkUser(userId);
    const rows = await (await this.#connection()).read((run) => run(LIST, { userId }));
    return rows.map((row) => String(row['sessionId'])).sort();
  }
}

interface EntryRow {
  readonly id: string;
  readonly entry: ConversationEntry;
}

/** Session ids may be of any length. */
function keyOf({ userId, sessionId }: ConversationId): string {
  checkUser(userId);
  return textKey(userId, 'conversation', sessionId);
}

async function readRows(run: Run, key: string): Promise<EntryRow[]> {
  const rows = await run(READ, { key });
  return rows.map((row) => ({ id: String(row['id']), entry: readConversationEntry(String(row['text']), `Entry ${String(row['id'])} in Neo4j`) }));
}

async function append(run: Run, { userId, sessionId }: ConversationId, key: string, entries: readonly ConversationEntry[]): Promise<void> {
  const take = () => run(TAKE_SEQUENCES, { key, count: toInteger(entries.length) });
  let [row] = await take();
  if (row === undefined) {
    await run(CREATE, { key, sessionId, userId });
    [row] = await take();
  }
  const first = (toNumber(row?.['last']) ?? 0) - entries.length + 1;
  const rows = entries.map((entry, index) => ({
    id: `${key}-${first + index}`,
    sequence: toInteger(first + index),
    entry: JSON.stringify(entry),
  }));
  await run(APPEND, { userId, key, rows });
}

async function remove(run: Run, { userId }: ConversationId, key: string, rows: readonly EntryRow[]): Promise<void> {
  const weighed = await weigh(run, userId, { ConversationEntry: rows.map(({ id }) => id) });
  await run(DELETE_ENTRIES, { key });
  await noteFreed(run, userId, weighed, []);
}
