import { setTimeout } from 'node:timers/promises';
import { MemoryError } from '@tandem-memory/core';
import type { Connection, Run } from './connection.ts';
import { startKeys } from './keys.ts';
import { toNumber } from './record-mapper.ts';

/**
 * `MIGRATIONS[n]` leads from version n to n + 1, and a published step is never edited. Each statement may be repeated, so that a process that
 * dies in between, or two that open at once, do no harm. Uniqueness constraints bring the index by which the records are found.
 */
const MIGRATIONS: readonly (readonly (string | DataStep)[])[] = [
  [
    'CREATE CONSTRAINT tandem_user IF NOT EXISTS FOR (n:User) REQUIRE n.userId IS UNIQUE',
    'CREATE CONSTRAINT tandem_session IF NOT EXISTS FOR (n:Session) REQUIRE n.sessionKey IS UNIQUE',
    'CREATE CONSTRAINT tandem_episode IF NOT EXISTS FOR (n:Episode) REQUIRE (n.userId, n.id) IS UNIQUE',
    'CREATE CONSTRAINT tandem_entity IF NOT EXISTS FOR (n:Entity) REQUIRE (n.userId, n.id) IS UNIQUE',
    'CREATE CONSTRAINT tandem_fact IF NOT EXISTS FOR (n:Fact) REQUIRE (n.userId, n.id) IS UNIQUE',
    'CREATE CONSTRAINT tandem_alias IF NOT EXISTS FOR (n:Alias) REQUIRE n.nameKey IS UNIQUE',
    'CREATE CONSTRAINT tandem_outbox IF NOT EXISTS FOR (n:OutboxEntry) REQUIRE n.sequence IS UNIQUE',
    'CREATE INDEX tandem_outbox_user IF NOT EXISTS FOR (n:OutboxEntry) ON (n.userId)',
    'CREATE INDEX tandem_episode_thread IF NOT EXISTS FOR (n:Episode) ON (n.threadKey, n.position)',
    'CREATE INDEX tandem_episode_session IF NOT EXISTS FOR (n:Episode) ON (n.sessionKey, n.id)',
    'CREATE INDEX tandem_episode_source IF NOT EXISTS FOR (n:Episode) ON (n.sourceKey, n.id)',
    'CREATE INDEX tandem_episode_state IF NOT EXISTS FOR (n:Episode) ON (n.userId, n.state, n.id)',
    'CREATE INDEX tandem_entity_name IF NOT EXISTS FOR (n:Entity) ON (n.nameKey)',
    'CREATE INDEX tandem_about_rank IF NOT EXISTS FOR ()-[r:ABOUT]-() ON (r.userId, r.entityId, r.rank)',
    'CREATE INDEX tandem_mentions_rank IF NOT EXISTS FOR ()-[r:MENTIONS]-() ON (r.userId, r.entityId, r.rank)',
    'CREATE INDEX tandem_relates_to_fact IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.userId, r.factId)',
  ],
  // `IS UNIQUE` on the sequence would make every reader of the log wait for the last writer.
  ['CREATE INDEX tandem_erasure IF NOT EXISTS FOR (n:ErasureTrace) ON (n.user, n.sequence)'],
  [
    'CREATE CONSTRAINT tandem_update IF NOT EXISTS FOR (n:UpdateEntry) REQUIRE (n.userId, n.id) IS UNIQUE',
    'CREATE INDEX tandem_update_sequence IF NOT EXISTS FOR (n:UpdateEntry) ON (n.userId, n.sequence)',
    'CREATE INDEX tandem_update_record IF NOT EXISTS FOR (n:UpdateEntry) ON (n.userId, n.recordId)',
    'CREATE INDEX tandem_update_related IF NOT EXISTS FOR (n:UpdateEntry) ON (n.userId, n.relatedId)',
    'CREATE INDEX tandem_fact_slot IF NOT EXISTS FOR (n:Fact) ON (n.slotKey, n.id)',
    'CREATE INDEX tandem_entity_start IF NOT EXISTS FOR (n:Entity) ON (n.userId, n.nameStart)',
    'CREATE INDEX tandem_alias_start IF NOT EXISTS FOR (n:Alias) ON (n.userId, n.nameStart)',
  ],
  // The pages of an index keep what was deleted, so that none may hold letters of a name.
  [
    'DROP INDEX tandem_entity_start IF EXISTS',
    'DROP INDEX tandem_alias_start IF EXISTS',
    hideNameStarts,
    'CREATE INDEX tandem_entity_start1 IF NOT EXISTS FOR (n:Entity) ON (n.startKey1)',
    'CREATE INDEX tandem_entity_start3 IF NOT EXISTS FOR (n:Entity) ON (n.startKey3)',
    'CREATE INDEX tandem_alias_start1 IF NOT EXISTS FOR (n:Alias) ON (n.startKey1)',
    'CREATE INDEX tandem_alias_start3 IF NOT EXISTS FOR (n:Alias) ON (n.startKey3)',
  ],
  [
    'CREATE CONSTRAINT tandem_life_mark IF NOT EXISTS FOR (n:LifeMark) REQUIRE (n.user, n.record) IS UNIQUE',
    'CREATE INDEX tandem_life_mark_expiry IF NOT EXISTS FOR (n:LifeMark) ON (n.user, n.expiresAt)',
    'CREATE INDEX tandem_life_mark_archived IF NOT EXISTS FOR (n:LifeMark) ON (n.user, n.archivedAt)',
    'CREATE INDEX tandem_consent IF NOT EXISTS FOR (n:Consent) ON (n.user)',
    'CREATE CONSTRAINT tandem_conversation IF NOT EXISTS FOR (n:Conversation) REQUIRE n.conversationKey IS UNIQUE',
    'CREATE INDEX tandem_conversation_user IF NOT EXISTS FOR (n:Conversation) ON (n.userId)',
    'CREATE INDEX tandem_conversation_entry IF NOT EXISTS FOR (n:ConversationEntry) ON (n.conversationKey, n.sequence)',
    'CREATE CONSTRAINT tandem_conversation_entry_id IF NOT EXISTS FOR (n:ConversationEntry) REQUIRE (n.userId, n.id) IS UNIQUE',
  ],
];
const NAMED = `
  MATCH (n) WHERE (n:Entity OR n:Alias) AND n.nameStart IS NOT NULL
  RETURN elementId(n) AS id, n.userId AS userId, n.normalForm AS form LIMIT 1000`;
const HIDE =
  'UNWIND $rows AS row MATCH (n) WHERE elementId(n) = row.id SET n.startKey1 = row.startKey1, n.startKey3 = row.startKey3, n.nameStart = null';

type DataStep = (run: Run) => Promise<boolean>;

/** @returns whether something is left to do */
async function hideNameStarts(run: Run): Promise<boolean> {
  const rows = await run(NAMED, {});
  await run(HIDE, { rows: rows.map((row) => ({ id: row['id'], ...startKeys(String(row['userId']), String(row['form'])) })) });
  return rows.length > 0;
}

/** The one node that belongs to no user: the version of the schema, and the last numbers that the outbox and the update log have given. */
export const STORE = "(store:MemoryStore {name: 'tandem-memory'})";
const STORE_CONSTRAINT = 'CREATE CONSTRAINT tandem_store IF NOT EXISTS FOR (n:MemoryStore) REQUIRE n.name IS UNIQUE';
const READ_VERSION = `
  MERGE ${STORE} ON CREATE SET store.schemaVersion = 0, store.outboxSequence = 0
  RETURN store.schemaVersion AS version`;
const WRITE_VERSION = `
  MATCH ${STORE} SET store.schemaVersion = CASE WHEN store.schemaVersion < $version THEN $version ELSE store.schemaVersion END`;
const FIND_VERSION = `MATCH ${STORE} RETURN store.schemaVersion AS version`;
const POPULATING = "SHOW INDEXES YIELD name, state WHERE name STARTS WITH 'tandem_' AND state = 'POPULATING' RETURN name";
const INDEX_WAIT_MS = 300_000;
const SCHEMA_ATTEMPTS = 10;
const SCHEMA_WAIT_MS = 200;

/** Creates or updates the constraints and indexes. @throws DATABASE_TOO_NEW, UNSUPPORTED, GRAPH_UNAVAILABLE, CONFIG_INVALID */
export async function migrate(connection: Connection): Promise<void> {
  // An up-to-date database is only read, so that an account that may not change the schema can open it.
  if ((await readVersion(connection, FIND_VERSION)) === MIGRATIONS.length) return;
  await changeSchema(connection, STORE_CONSTRAINT);
  const version = (await readVersion(connection, READ_VERSION)) ?? 0;
  for (let step = version; step < MIGRATIONS.length; step++) {
    // Neo4j takes changes of the schema and of data in transactions of their own only.
    for (const part of MIGRATIONS[step] ?? []) {
      if (typeof part === 'string') await changeSchema(connection, part);
      else while (await connection.write(part));
    }
    await awaitIndexes(connection);
    await connection.write((run) => run(WRITE_VERSION, { version: BigInt(step + 1) }));
  }
}

/** Asked again and again: `db.awaitIndexes` does not end where another process, which migrates too, drops an index meanwhile. */
async function awaitIndexes(connection: Connection): Promise<void> {
  const deadline = performance.now() + INDEX_WAIT_MS;
  while ((await connection.read((run) => run(POPULATING, {}))).length > 0) {
    if (performance.now() > deadline)
      throw new MemoryError('TIMEOUT', 'Neo4j is still building the indexes of the memory. Open it again in a while; it goes on from there.');
    await setTimeout(SCHEMA_WAIT_MS);
  }
}

/** Of two processes that create the same constraint at once Neo4j refuses one, `IF NOT EXISTS` or not; a moment later it finds it there. */
async function changeSchema(connection: Connection, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await connection.write((run) => run(statement, {}));
      return;
    } catch (error) {
      if (attempt === SCHEMA_ATTEMPTS || !isSchemaConflict(error)) throw error;
      await setTimeout(SCHEMA_WAIT_MS);
    }
  }
}

function isSchemaConflict(error: unknown): boolean {
  return MemoryError.isInstance(error) && String(error.details['neo4jCode']).startsWith('Neo.ClientError.Schema.');
}

async function readVersion(connection: Connection, statement: string): Promise<number | undefined> {
  const rows = await (statement === FIND_VERSION ? connection.read((run) => run(statement, {})) : connection.write((run) => run(statement, {})));
  const version = toNumber(rows[0]?.['version']);
  if (version !== undefined && version > MIGRATIONS.length) {
    throw new MemoryError(
      'DATABASE_TOO_NEW',
      `The Neo4j database was written by a newer version of Tandem Memory (schema ${version}, this one knows ${MIGRATIONS.length}). Update Tandem Memory.`,
      { details: { version, known: MIGRATIONS.length } },
    );
  }
  return version;
}
