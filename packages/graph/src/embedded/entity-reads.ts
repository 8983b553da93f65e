import type { Entity, EntityFilter, Page } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { entityKey, knownKeys, userKey } from './keys.ts';
import { LIMIT, rowLimit } from './limit.ts';
import { type EntityRow, toEntity } from './record-mapper.ts';

const COLUMNS = 'entity.key, entity.id, degree, created_at, entity.type, type_label, normal_form, name, aliases';
const BY_KEYS = `SELECT ${COLUMNS} FROM json_each(?) wanted CROSS JOIN graph_entity entity ON entity.key = wanted.value WHERE entity.user = ?`;
const IDS_BY_KEYS =
  'SELECT entity.key, entity.id FROM json_each(?) wanted CROSS JOIN graph_entity entity ON entity.key = wanted.value WHERE entity.user = ?';
const PAGE = `AND (:type IS NULL OR entity.type = :type) AND entity.id > :after ORDER BY entity.id ${LIMIT} :limit`;
const FIND = `SELECT ${COLUMNS} FROM graph_entity entity WHERE entity.user = :user ${PAGE}`;
const FIND_AMONG = `SELECT ${COLUMNS} FROM json_each(:keys) wanted CROSS JOIN graph_entity entity ON entity.key = wanted.value
  WHERE +entity.user = :user ${PAGE}`;

export function getEntities(database: SqliteDatabase, userId: string, ids: readonly string[]): Entity[] {
  const user = userKey(database, userId);
  if (user === undefined) return [];
  const keys = knownKeys(ids, (id) => entityKey(database, user, id));
  const rows = readEntityRows(database, user, keys);
  return keys.flatMap((key) => rows.get(key) ?? []).map((row) => toEntity(userId, row));
}

export function readEntityRows(database: SqliteDatabase, user: number, keys: readonly number[]): Map<number, EntityRow> {
  const rows = database.prepare(BY_KEYS).all(JSON.stringify(keys), user) as unknown as EntityRow[];
  return new Map(rows.map((row) => [row.key, row]));
}

export function readEntityIds(database: SqliteDatabase, user: number, keys: ReadonlySet<number>): Map<number, string> {
  const rows = database.prepare(IDS_BY_KEYS).all(JSON.stringify([...keys]), user);
  return new Map(rows.map((row) => [Number(row['key']), String(row['id'])]));
}

export function findEntities(database: SqliteDatabase, filter: EntityFilter, page: Page): Entity[] {
  const user = userKey(database, filter.userId);
  if (user === undefined) return [];
  const parameters = { user, type: filter.type ?? null, after: page.after ?? '', limit: rowLimit(page.limit) };
  const rows =
    filter.keys === undefined && filter.prefixes === undefined
      ? database.prepare(FIND).all(parameters)
      : database.prepare(FIND_AMONG).all({
          ...parameters,
          keys: JSON.stringify(
            filter.keys === undefined ? keysOfPrefixes(database, user, filter.prefixes ?? []) : keysOfForms(database, user, filter.keys),
          ),
        });
  return (rows as unknown as EntityRow[]).map((row) => toEntity(filter.userId, row));
}

/** One look-up a form, not a JSON list of them: SQLite's JSON reader changes texts with NUL or half a surrogate pair. */
function keysOfForms(database: SqliteDatabase, user: number, forms: readonly string[]): number[] {
  const statement = database.prepare('SELECT entity FROM graph_entity_key WHERE user = ? AND normal_form = ?');
  return [...new Set(forms.flatMap((form) => statement.all(user, form).map((row) => Number(row['entity']))))];
}

/** By the bounds of the index; the last letter of the alphabet is the highest code point. */
function keysOfPrefixes(database: SqliteDatabase, user: number, prefixes: readonly string[]): number[] {
  const statement = database.prepare('SELECT entity FROM graph_entity_key WHERE user = ? AND normal_form >= ? AND normal_form < ?');
  const own = prefixes.filter((prefix) => prefix !== '');
  return [...new Set(own.flatMap((prefix) => statement.all(user, prefix, `${prefix}\u{10ffff}`).map((row) => Number(row['entity']))))];
}
