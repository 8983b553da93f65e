import { type Erasure, type ErasureOptions, type ErasureResult, NOTHING_ERASED, type OutboxItem } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { selectRecords } from './erase-selection.ts';
import { eraseUpdates } from './erase-updates.ts';
import { logErasure } from './erasure-log.ts';
import { userKey } from './keys.ts';
import { LIMIT } from './limit.ts';
import { appendOutbox } from './outbox.ts';
import { rederiveFacts, releaseSpellings } from './rederive.ts';
import { forgetEmptyUser } from './users.ts';

const IN_LIST = 'IN (SELECT value FROM json_each(?))';

/** Deletes records and what rested on them alone; to be called inside a transaction. See `GraphStore.erase`. */
export function eraseRecords(database: SqliteDatabase, erasure: Erasure, options: ErasureOptions, now: number): ErasureResult {
  const user = userKey(database, erasure.userId);
  const names = user === undefined ? [] : namesOf(database, user, erasure.entityIds ?? []);
  const result = user === undefined ? NOTHING_ERASED : new Eraser(database, user, erasure.userId).erase(erasure, options.following);
  // Also where nothing was found: it may be on its way in.
  if (options.leaveTrace) logErasure(database, erasure, [...result.episodes, ...result.facts], names, now);
  return result;
}

function namesOf(database: SqliteDatabase, user: number, entityIds: readonly string[]): string[] {
  const statement = database.prepare(
    'SELECT normal_form FROM graph_entity_key WHERE entity = (SELECT key FROM graph_entity WHERE user = ? AND id = ?)',
  );
  return entityIds.flatMap((id) => statement.all(user, id).map((row) => String(row['normal_form'])));
}

interface Place {
  readonly thread: number;
  readonly position: number;
}

class Eraser {
  readonly #database: SqliteDatabase;
  readonly #user: number;
  readonly #userId: string;

  constructor(database: SqliteDatabase, user: number, userId: string) {
    this.#database = database;
    this.#user = user;
    this.#userId = userId;
  }

  erase(erasure: Erasure, following: number): ErasureResult {
    const selected = selectRecords(this.#database, this.#user, erasure);
    const episodes = selected.episodes;
    const list = JSON.stringify(episodes);
    const touched = this.#keys(`SELECT DISTINCT fact AS key FROM graph_fact_evidence WHERE episode ${IN_LIST}`, list);
    const supported = new Set(
      this.#keys(
        `SELECT DISTINCT fact AS key FROM graph_fact_evidence WHERE fact ${IN_LIST} AND episode NOT ${IN_LIST}`,
        JSON.stringify(touched),
        list,
      ),
    );
    const facts = [...new Set([...selected.facts, ...touched.filter((fact) => !supported.has(fact))])];
    const gone = new Set(facts);
    const weakened = touched.filter((fact) => !gone.has(fact));
    const entities = this.#entitiesOf(episodes, facts, selected.entities);

    const result = { episodes: this.#ids('episode', episodes), facts: this.#ids('fact', facts) };
    const places = this.#places(list);
    const labels = this.#labels(list);
    this.#deleteFacts(facts);
    const mentions = this.#run(`DELETE FROM graph_mention WHERE episode ${IN_LIST}`, list);
    const firsts = this.#dropEvidence(weakened, list);
    this.#run(`DELETE FROM graph_episode WHERE key ${IN_LIST}`, list);
    const orphans = this.#orphans(entities);
    const erasedEntities = this.#ids('entity', orphans);
    this.#deleteEntities(orphans);
    const kept = entities.filter((entity) => !orphans.includes(entity));
    this.#countDegrees(kept);
    const released = releaseSpellings(this.#database, kept);
    rederiveFacts(this.#database, firsts);
    const { reopened, merges } = eraseUpdates(
      this.#database,
      { key: this.#user, id: this.#userId },
      { ...result, entities: erasedEntities, released },
    );
    const changed = [...new Set([...firsts, ...reopened])];

    const outboxEntries = this.#dropOutbox([...result.episodes, ...result.facts]);
    const steps: OutboxItem[] = [
      ...result.episodes.map((recordId): OutboxItem => ({ operation: 'delete', kind: 'episode', recordId })),
      ...result.facts.map((recordId): OutboxItem => ({ operation: 'delete', kind: 'fact', recordId })),
      ...this.#following(places, following).map((recordId): OutboxItem => ({ operation: 'upsert', kind: 'episode', recordId })),
      ...this.#indexed(changed).map((recordId): OutboxItem => ({ operation: 'upsert', kind: 'fact', recordId })),
    ];
    const outbox = appendOutbox(this.#database, this.#user, this.#userId, steps);
    const droppedLabels = this.#dropLabels(labels);
    forgetEmptyUser(this.#database, this.#user);
    return {
      ...result,
      entities: erasedEntities,
      mentions,
      labels: droppedLabels,
      outboxEntries,
      rederived: changed.length,
      reopened: this.#ids('fact', reopened),
      merges,
      outbox,
    };
  }

  #entitiesOf(episodes: readonly number[], facts: readonly number[], named: readonly number[]): number[] {
    const mentioned = this.#keys(`SELECT DISTINCT entity AS key FROM graph_mention WHERE episode ${IN_LIST}`, JSON.stringify(episodes));
    const told = this.#keys(`SELECT DISTINCT entity AS key FROM graph_fact_entity WHERE fact ${IN_LIST}`, JSON.stringify(facts));
    return [...new Set([...named, ...mentioned, ...told])];
  }

  #places(list: string): Place[] {
    return this.#database
      .prepare(`SELECT thread, position FROM graph_episode WHERE key ${IN_LIST} AND thread IS NOT NULL`)
      .all(list) as unknown as Place[];
  }

  #labels(list: string): number[] {
    return this.#keys(
      `SELECT agent AS key FROM graph_episode WHERE key ${IN_LIST} UNION SELECT session FROM graph_episode WHERE key ${IN_LIST}
       UNION SELECT source FROM graph_episode WHERE key ${IN_LIST} UNION SELECT thread FROM graph_episode WHERE key ${IN_LIST}`,
      list,
      list,
      list,
      list,
    ).filter((key) => key > 0);
  }

  #deleteFacts(facts: readonly number[]): void {
    const list = JSON.stringify(facts);
    this.#run(
      `DELETE FROM graph_adjacency WHERE (entity, expired, confidence, created_at, fact_id) IN (
         SELECT link.entity, fact.expired_at IS NOT NULL, fact.confidence, fact.created_at, fact.id
         FROM graph_fact fact JOIN graph_fact_entity link ON link.fact = fact.key WHERE fact.key ${IN_LIST})`,
      list,
    );
    this.#run(`DELETE FROM graph_fact_entity WHERE fact ${IN_LIST}`, list);
    this.#run(`DELETE FROM graph_fact_evidence WHERE fact ${IN_LIST}`, list);
    this.#run(`DELETE FROM graph_fact WHERE key ${IN_LIST}`, list);
  }

  /** Takes the episodes out of the facts' evidence. @returns the facts that lost the evidence they were first told by */
  #dropEvidence(facts: readonly number[], episodes: string): number[] {
    const first = this.#database.prepare('SELECT episode FROM graph_fact_evidence WHERE fact = ? ORDER BY ordinal LIMIT 1');
    const read = this.#database.prepare('SELECT episode FROM graph_fact_evidence WHERE fact = ? ORDER BY ordinal');
    const insert = this.#database.prepare('INSERT INTO graph_fact_evidence(fact, ordinal, episode) VALUES (?, ?, ?)');
    const before = new Map(facts.map((fact) => [fact, first.get(fact)?.['episode']]));
    this.#run(`DELETE FROM graph_fact_evidence WHERE episode ${IN_LIST}`, episodes);
    const changed: number[] = [];
    for (const fact of facts) {
      const left = read.all(fact).map((row) => Number(row['episode']));
      // Numbered anew: what a fact gains later is numbered by how many there are.
      this.#run('DELETE FROM graph_fact_evidence WHERE fact = ?', fact);
      for (const [ordinal, episode] of left.entries()) insert.run(fact, ordinal, episode);
      if (left[0] !== before.get(fact)) changed.push(fact);
    }
    return changed;
  }

  #orphans(entities: readonly number[]): number[] {
    return this.#keys(
      `SELECT key FROM graph_entity WHERE key ${IN_LIST} AND NOT EXISTS (SELECT 1 FROM graph_adjacency WHERE entity = graph_entity.key)
         AND NOT EXISTS (SELECT 1 FROM graph_mention WHERE entity = graph_entity.key)`,
      JSON.stringify(entities),
    );
  }

  #deleteEntities(entities: readonly number[]): void {
    const list = JSON.stringify(entities);
    this.#run(`DELETE FROM graph_entity_key WHERE entity ${IN_LIST}`, list);
    this.#run(`DELETE FROM graph_entity WHERE key ${IN_LIST}`, list);
  }

  #countDegrees(entities: readonly number[]): void {
    this.#run(
      `UPDATE graph_entity SET degree = (SELECT count(*) FROM graph_adjacency WHERE entity = graph_entity.key)
         + (SELECT count(*) FROM graph_mention WHERE entity = graph_entity.key) WHERE key ${IN_LIST}`,
      JSON.stringify(entities),
    );
  }

  #dropOutbox(ids: readonly string[]): number {
    const statement = this.#database.prepare('DELETE FROM graph_outbox WHERE user = ? AND record_id = ?');
    const waiting = new Set(
      this.#database
        .prepare('SELECT DISTINCT record_id FROM graph_outbox WHERE user = ?')
        .all(this.#user)
        .map((row) => row['record_id']),
    );
    return ids.reduce((sum, id) => (waiting.has(id) ? sum + Number(statement.run(this.#user, id).changes) : sum), 0);
  }

  /** Ids of the messages that now stand behind the gaps. */
  #following(places: readonly Place[], count: number): string[] {
    const statement = this.#database.prepare(`SELECT id, kind FROM graph_episode WHERE thread = ? AND position > ? ORDER BY position ${LIMIT} ?`);
    const rows = places.flatMap(({ thread, position }) => statement.all(thread, position, count));
    return [...new Set(rows.filter((row) => row['kind'] === 'message').map((row) => String(row['id'])))];
  }

  /** What the rules read is an edge of the graph only. */
  #indexed(facts: readonly number[]): string[] {
    const rows = this.#database.prepare(`SELECT id FROM graph_fact WHERE key ${IN_LIST} AND origin <> 'rules'`).all(JSON.stringify(facts));
    return rows.map((row) => String(row['id']));
  }

  #dropLabels(labels: readonly number[]): number {
    const used = (column: string) => `AND NOT EXISTS (SELECT 1 FROM graph_episode WHERE user = graph_label.user AND ${column} = graph_label.key)`;
    return this.#run(
      `DELETE FROM graph_label WHERE key ${IN_LIST} ${['session', 'source', 'thread', 'agent'].map(used).join(' ')}`,
      JSON.stringify(labels),
    );
  }

  #ids(kind: 'episode' | 'fact' | 'entity', keys: readonly number[]): string[] {
    const rows = this.#database.prepare(`SELECT id FROM graph_${kind} WHERE key ${IN_LIST} ORDER BY id`).all(JSON.stringify(keys));
    return rows.map((row) => String(row['id']));
  }

  #keys(sql: string, ...parameters: string[]): number[] {
    return this.#database
      .prepare(sql)
      .all(...parameters)
      .map((row) => Number(row['key'] ?? 0));
  }

  #run(sql: string, parameter: string | number): number {
    return Number(this.#database.prepare(sql).run(parameter).changes);
  }
}
