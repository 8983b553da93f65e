import type { Fact, FactClosure, FactReopening, FactRevision } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { enterAdjacency, leaveAdjacency } from './adjacency.ts';
import { factKey } from './keys.ts';
import { type RecordKeys, unknownRecord } from './record-keys.ts';
import { optionalMilliseconds, toMilliseconds, writeMetadata } from './record-mapper.ts';

/** Writes the facts of one commit, with their links and their rows in the adjacency table. */
export class FactWriter {
  readonly #database: SqliteDatabase;
  readonly #user: number;
  readonly #keys: RecordKeys;
  readonly #onLink: (entity: number) => void;

  /** @param onLink told of each entity that a fact newly touches */
  constructor(database: SqliteDatabase, user: number, keys: RecordKeys, onLink: (entity: number) => void) {
    this.#database = database;
    this.#user = user;
    this.#keys = keys;
    this.#onLink = onLink;
  }

  /** @returns true where the fact did not exist before */
  write(fact: Fact): boolean {
    const known = factKey(this.#database, this.#user, fact.id);
    if (known !== undefined) {
      this.#merge(known, fact);
      return false;
    }
    const key = this.#insert(fact);
    this.#addEntities(key, this.#entities(fact), 0);
    this.#addEvidence(key, this.#episodes(fact), 0);
    enterAdjacency(this.#database, key);
    return true;
  }

  /** Closes a fact. The earliest end counts: a repeat, or a later end, changes nothing; when the record first learned of an end stays. */
  close(closure: FactClosure): void {
    const { factId } = closure;
    const key = factKey(this.#database, this.#user, factId);
    if (key === undefined) throw unknownRecord(`fact ${factId}`, 'closure');
    const invalidAt = toMilliseconds(closure.invalidAt, 'invalidAt', factId);
    const later = 'SELECT 1 FROM graph_fact WHERE key = ? AND expired_at IS NOT NULL AND invalid_at <= ?';
    if (this.#database.prepare(later).get(key, invalidAt) !== undefined) return;
    leaveAdjacency(this.#database, key);
    this.#database
      .prepare('UPDATE graph_fact SET invalid_at = ?, expired_at = coalesce(expired_at, ?), closed_because = ? WHERE key = ?')
      .run(invalidAt, toMilliseconds(closure.expiredAt, 'expiredAt', factId), closure.reason, key);
    enterAdjacency(this.#database, key);
  }

  reopen({ factId }: FactReopening): void {
    const key = factKey(this.#database, this.#user, factId);
    if (key === undefined) throw unknownRecord(`fact ${factId}`, 'reopening');
    reopenFact(this.#database, key);
  }

  revise(revision: FactRevision): void {
    const { factId, text, properties } = revision;
    const key = factKey(this.#database, this.#user, factId);
    if (key === undefined) throw unknownRecord(`fact ${factId}`, 'revision');
    if (text !== undefined) this.#database.prepare('UPDATE graph_fact SET text = ? WHERE key = ?').run(text, key);
    if (properties !== undefined) this.#database.prepare('UPDATE graph_fact SET properties = ? WHERE key = ?').run(writeMetadata(properties), key);
  }

  #insert(fact: Fact): number {
    const { id } = fact;
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO graph_fact(user, id, subject, object, predicate, created_at, expired_at, valid_at, invalid_at, confidence, importance,
           origin, said_by, properties, text, slot)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        this.#user,
        id,
        fact.subjectId === undefined ? null : this.#keys.entity(fact.subjectId, 'fact'),
        fact.objectId === undefined ? null : this.#keys.entity(fact.objectId, 'fact'),
        fact.predicate ?? null,
        toMilliseconds(fact.createdAt, 'createdAt', id),
        optionalMilliseconds(fact.expiredAt, 'expiredAt', id),
        optionalMilliseconds(fact.validAt, 'validAt', id),
        optionalMilliseconds(fact.invalidAt, 'invalidAt', id),
        fact.confidence,
        fact.importance,
        fact.origin,
        fact.saidBy,
        writeMetadata(fact.properties),
        fact.text,
        fact.slot ?? null,
      );
    return Number(lastInsertRowid);
  }

  #merge(key: number, fact: Fact): void {
    const episodes = this.#linked('SELECT episode AS key FROM graph_fact_evidence WHERE fact = ?', key);
    this.#addEvidence(key, lacking(episodes, this.#episodes(fact)), episodes.length);
    const entities = this.#linked('SELECT entity AS key FROM graph_fact_entity WHERE fact = ?', key);
    const gained = lacking(entities, this.#entities(fact));
    const validAt = optionalMilliseconds(fact.validAt, 'validAt', fact.id);
    const raised = this.#database
      .prepare('SELECT 1 FROM graph_fact WHERE key = ? AND (confidence < ? OR importance < ? OR valid_at > ?)')
      .get(key, fact.confidence, fact.importance, validAt);
    if (gained.length === 0 && raised === undefined) return;
    // The adjacency rows are found by the fact's old strength, so they leave before it changes.
    leaveAdjacency(this.#database, key);
    this.#addEntities(key, gained, entities.length);
    this.#database
      .prepare(
        'UPDATE graph_fact SET confidence = max(confidence, ?), importance = max(importance, ?), valid_at = min(valid_at, coalesce(?, valid_at)) WHERE key = ?',
      )
      .run(fact.confidence, fact.importance, validAt, key);
    enterAdjacency(this.#database, key);
  }

  #linked(sql: string, key: number): number[] {
    return this.#database
      .prepare(sql)
      .all(key)
      .map((row) => Number(row['key']));
  }

  /** Subject and object are among them even where the caller did not list them: expansion follows these links only. */
  #entities(fact: Fact): number[] {
    const ids = new Set(fact.entityIds);
    if (fact.subjectId !== undefined) ids.add(fact.subjectId);
    if (fact.objectId !== undefined) ids.add(fact.objectId);
    return [...ids].map((id) => this.#keys.entity(id, 'fact'));
  }

  #episodes(fact: Fact): number[] {
    return [...new Set(fact.evidence)].map((id) => this.#keys.episode(id, 'fact'));
  }

  #addEntities(key: number, entities: readonly number[], from: number): void {
    const statement = this.#database.prepare('INSERT INTO graph_fact_entity(fact, ordinal, entity) VALUES (?, ?, ?)');
    for (const [index, entity] of entities.entries()) {
      statement.run(key, from + index, entity);
      this.#onLink(entity);
    }
  }

  #addEvidence(key: number, episodes: readonly number[], from: number): void {
    const statement = this.#database.prepare('INSERT INTO graph_fact_evidence(fact, ordinal, episode) VALUES (?, ?, ?)');
    for (const [index, episode] of episodes.entries()) statement.run(key, from + index, episode);
  }
}

/** The fact holds as if it had not ended. */
export function reopenFact(database: SqliteDatabase, fact: number): void {
  leaveAdjacency(database, fact);
  database.prepare('UPDATE graph_fact SET invalid_at = NULL, expired_at = NULL, closed_because = NULL WHERE key = ?').run(fact);
  enterAdjacency(database, fact);
}

function lacking(known: readonly number[], wanted: readonly number[]): number[] {
  const seen = new Set(known);
  return wanted.filter((key) => !seen.has(key));
}
