import {
  type ChangeSet,
  type CommitReceipt,
  DEFAULT_ENTITY_TYPE,
  type Entity,
  type EntitySplit,
  type EntityTransfer,
  type EpisodeRevision,
  type EpisodeStateChange,
  type FactPlacement,
  MemoryError,
  type Mention,
  type NewEpisode,
  normalForm,
} from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { mustNotBeForgotten } from './erasure-log.ts';
import { FactWriter } from './fact-writer.ts';
import { entityKey, episodeKey, factKey, labelKey, userKey } from './keys.ts';
import { appendOutbox } from './outbox.ts';
import { RecordKeys, unknownRecord } from './record-keys.ts';
import { optionalMilliseconds, readList, toMilliseconds, writeAliases, writeMetadata } from './record-mapper.ts';
import { place, transfer } from './transfer.ts';
import { appendUpdates } from './update-log.ts';

/**
 * Writes a change set; to be called inside a transaction, whose end makes it all or nothing.
 * @throws CORRUPT_RECORD where a record belongs to another user, names one that does not exist, or has a time that is none
 */
export function applyChangeSet(database: SqliteDatabase, changes: ChangeSet): CommitReceipt {
  if (changes.epoch !== undefined) mustNotBeForgotten(database, changes.userId, changes.epoch);
  if (isEmpty(changes)) return { created: new Set(), outbox: [] };
  return new ChangeSetWriter(database, changes.userId).write(changes);
}

function isEmpty(changes: ChangeSet): boolean {
  const { userId: _, epoch: __, ...parts } = changes;
  return Object.values(parts).every((part: readonly unknown[]) => part.length === 0);
}

class ChangeSetWriter {
  readonly #database: SqliteDatabase;
  readonly #userId: string;
  readonly #user: number;
  readonly #keys: RecordKeys;
  readonly #created = new Set<string>();
  /** Label texts met in this commit, with their keys. */
  readonly #labels = new Map<string, number>();
  /** Next free position, by thread. */
  readonly #positions = new Map<number, number>();
  /** New facts and mentions, by entity: written at the end, once for each entity. */
  readonly #degrees = new Map<number, number>();

  constructor(database: SqliteDatabase, userId: string) {
    this.#database = database;
    this.#userId = userId;
    this.#user = userKey(database, userId) ?? Number(database.prepare('INSERT INTO graph_user(id) VALUES (?)').run(userId).lastInsertRowid);
    this.#keys = new RecordKeys(database, this.#user);
  }

  write(changes: ChangeSet): CommitReceipt {
    for (const record of [...changes.episodes, ...changes.entities, ...changes.facts]) this.#mustBeOwn(record);
    for (const episode of changes.episodes) this.#writeEpisode(episode);
    const facts = new FactWriter(this.#database, this.#user, this.#keys, (entity) => this.#touch(entity));
    for (const revision of changes.revisions) this.#revise(revision);
    for (const revision of changes.factRevisions) facts.revise(revision);
    for (const reopening of changes.reopenings) facts.reopen(reopening);
    for (const split of changes.splits) this.#split(split);
    for (const entity of changes.entities) this.#writeEntity(entity);
    for (const fact of changes.facts) {
      if (facts.write(fact)) this.#created.add(fact.id);
    }
    for (const mention of changes.mentions) this.#writeMention(mention);
    for (const change of changes.states) this.#changeState(change);
    for (const closure of changes.closures) facts.close(closure);
    appendUpdates(this.#database, this.#user, changes.updates);
    for (const [entity, added] of this.#degrees)
      this.#database.prepare('UPDATE graph_entity SET degree = degree + ? WHERE key = ?').run(added, entity);
    for (const each of changes.placements) this.#place(each);
    for (const each of changes.transfers) this.#transfer(each);
    return { created: this.#created, outbox: appendOutbox(this.#database, this.#user, this.#userId, changes.outbox) };
  }

  #writeEpisode(episode: NewEpisode): void {
    const { id } = episode;
    const known = episodeKey(this.#database, this.#user, id);
    if (known !== undefined) {
      this.#keys.addEpisode(id, known);
      return;
    }
    const thread = this.#label(episode.threadId);
    const { lastInsertRowid } = this.#database
      .prepare(
        `INSERT INTO graph_episode(user, id, kind, role, state, at, utc_offset_minutes, created_at, agent, session, source, thread, position,
           speaker, failure, metadata, content)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        this.#user,
        id,
        episode.kind,
        episode.role,
        episode.state,
        toMilliseconds(episode.at, 'at', id),
        episode.utcOffsetMinutes,
        toMilliseconds(episode.createdAt, 'createdAt', id),
        this.#label(episode.agentId),
        this.#label(episode.sessionId),
        this.#label(episode.sourceId),
        thread,
        episode.position ?? (thread === null ? 0 : this.#nextPosition(thread)),
        episode.speaker ?? null,
        episode.failure ?? null,
        writeMetadata(episode.metadata),
        episode.content,
      );
    this.#keys.addEpisode(id, Number(lastInsertRowid));
    this.#created.add(id);
  }

  #label(text: string | undefined): number | null {
    if (text === undefined) return null;
    let key = this.#labels.get(text);
    if (key === undefined) {
      key =
        labelKey(this.#database, this.#user, text) ??
        Number(this.#database.prepare('INSERT INTO graph_label(user, text) VALUES (?, ?)').run(this.#user, text).lastInsertRowid);
      this.#labels.set(text, key);
    }
    return key;
  }

  #nextPosition(thread: number): number {
    const position =
      this.#positions.get(thread) ??
      Number(this.#database.prepare('SELECT coalesce(max(position) + 1, 0) AS next FROM graph_episode WHERE thread = ?').get(thread)?.['next']);
    this.#positions.set(thread, position + 1);
    return position;
  }

  #writeEntity(entity: Entity): void {
    const { id } = entity;
    const known = entityKey(this.#database, this.#user, id);
    if (known !== undefined) {
      this.#keys.addEntity(id, known);
      this.#addAliases(known, entity);
      if (entity.type !== DEFAULT_ENTITY_TYPE)
        this.#database.prepare('UPDATE graph_entity SET type = ? WHERE key = ? AND type = ?').run(entity.type, known, DEFAULT_ENTITY_TYPE);
      return;
    }
    const aliases = newAliases(entity.aliases, [entity.name]);
    const inserted = this.#database
      .prepare('INSERT INTO graph_entity(user, id, created_at, type, type_label, normal_form, name, aliases) VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        this.#user,
        id,
        toMilliseconds(entity.createdAt, 'createdAt', id),
        entity.type,
        entity.typeLabel ?? null,
        entity.key,
        entity.name,
        writeAliases(aliases),
      );
    const key = Number(inserted.lastInsertRowid);
    this.#addNormalForms(key, [entity.key, ...aliases.map(normalForm)]);
    this.#keys.addEntity(id, key);
    this.#created.add(id);
  }

  #addAliases(key: number, entity: Entity): void {
    if (entity.aliases.length === 0) return;
    const row = this.#database.prepare('SELECT name, aliases FROM graph_entity WHERE key = ?').get(key) as { name: string; aliases: string | null };
    const known = readList<string>(row.aliases, entity.id);
    const gained = newAliases(entity.aliases, [row.name, ...known]);
    if (gained.length === 0) return;
    this.#database.prepare('UPDATE graph_entity SET aliases = ? WHERE key = ?').run(writeAliases([...known, ...gained]), key);
    this.#addNormalForms(key, gained.map(normalForm));
  }

  #addNormalForms(entity: number, forms: readonly string[]): void {
    const statement = this.#database.prepare('INSERT OR IGNORE INTO graph_entity_key(user, normal_form, entity) VALUES (?, ?, ?)');
    for (const form of forms) statement.run(this.#user, form, entity);
  }

  #writeMention(mention: Mention): void {
    const episode = this.#keys.episode(mention.episodeId, 'mention');
    const entity = this.#keys.entity(mention.entityId, 'mention');
    const { changes } = this.#database
      .prepare('INSERT OR IGNORE INTO graph_mention(entity, at, episode, spelling) SELECT ?, at, key, ? FROM graph_episode WHERE key = ?')
      .run(entity, mention.spelling ?? null, episode);
    if (changes === 1) this.#touch(entity);
  }

  #touch(entity: number, by = 1): void {
    this.#degrees.set(entity, (this.#degrees.get(entity) ?? 0) + by);
  }

  #revise(revision: EpisodeRevision): void {
    const episode = this.#keys.episode(revision.episodeId, 'revision');
    const set = (column: string, value: string | number | null) =>
      this.#database.prepare(`UPDATE graph_episode SET ${column} = ? WHERE key = ?`).run(value, episode);
    if (revision.content !== undefined) {
      set('content', revision.content);
      set('outdated', null);
      for (const row of this.#database.prepare('DELETE FROM graph_mention WHERE episode = ? RETURNING entity').all(episode))
        this.#touch(Number(row['entity']), -1);
    }
    if (revision.metadata !== undefined) set('metadata', writeMetadata(revision.metadata));
    if (revision.updatedAt !== undefined) set('updated_at', toMilliseconds(revision.updatedAt, 'updatedAt', revision.episodeId));
    if (revision.outdated !== undefined) set('outdated', revision.outdated === null ? null : JSON.stringify(revision.outdated));
  }

  #split(split: EntitySplit): void {
    const entity = this.#keys.entity(split.entityId, 'split');
    const row = this.#database.prepare('SELECT normal_form, aliases FROM graph_entity WHERE key = ?').get(entity) as {
      normal_form: string;
      aliases: string | null;
    };
    const taken = new Set(split.spellings);
    const kept = readList<string>(row.aliases, split.entityId).filter((alias) => !taken.has(alias));
    const stays = new Set([row.normal_form, ...kept.map(normalForm)]);
    this.#database.prepare('UPDATE graph_entity SET aliases = ? WHERE key = ?').run(writeAliases(kept), entity);
    const forget = this.#database.prepare('DELETE FROM graph_entity_key WHERE user = ? AND normal_form = ? AND entity = ?');
    for (const form of new Set(split.spellings.map(normalForm))) if (!stays.has(form)) forget.run(this.#user, form, entity);
    const leave = this.#database.prepare('DELETE FROM graph_mention WHERE entity = ? AND episode = ?');
    for (const id of split.episodeIds) this.#touch(entity, -Number(leave.run(entity, this.#keys.episode(id, 'split')).changes));
  }

  #transfer({ fromId, toId }: EntityTransfer): void {
    const to = this.#keys.entity(toId, 'transfer');
    if (entityKey(this.#database, this.#user, fromId) !== undefined) transfer(this.#database, this.#keys.entity(fromId, 'transfer'), to);
  }

  #place({ factId, subjectId, objectId, entityIds, evidence, validAt }: FactPlacement): void {
    const fact = factKey(this.#database, this.#user, factId);
    if (fact === undefined) throw unknownRecord(`fact ${factId}`, 'placement');
    const end = (id: string | undefined) => (id === undefined ? null : this.#keys.entity(id, 'placement'));
    const ends = [end(subjectId), end(objectId)] as const;
    place(this.#database, {
      fact,
      subject: ends[0],
      object: ends[1],
      entities: [...entityIds.map((id) => this.#keys.entity(id, 'placement')), ...ends.filter((key) => key !== null)],
      evidence: evidence.map((id) => this.#keys.episode(id, 'placement')),
      validAt: optionalMilliseconds(validAt, 'validAt', factId),
    });
  }

  #changeState(change: EpisodeStateChange): void {
    const episode = this.#keys.episode(change.episodeId, 'state change');
    this.#database.prepare('UPDATE graph_episode SET state = ?, failure = ? WHERE key = ?').run(change.state, change.failure ?? null, episode);
  }

  #mustBeOwn(record: { readonly id: string; readonly userId: string }): void {
    if (record.userId !== this.#userId) {
      throw new MemoryError(
        'CORRUPT_RECORD',
        `Record ${record.id} of the change set belongs to another user than the change set. Nothing of it was written.`,
      );
    }
  }
}

/** Spellings among `aliases` that are not in `known`, each once. */
function newAliases(aliases: readonly string[], known: readonly string[]): string[] {
  const seen = new Set(known);
  return [...new Set(aliases.map((alias) => alias.toWellFormed()))].filter((alias) => !seen.has(alias));
}
