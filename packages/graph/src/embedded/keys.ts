import { MemoryError } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';

/**
 * Integer key of a user, or undefined for one who is not in the file.
 * @throws INPUT_INVALID for a user id with half a surrogate pair: the file holds UTF-8, in which two such ids could become one
 */
export function userKey(database: SqliteDatabase, userId: string): number | undefined {
  if (!userId.isWellFormed()) throw new MemoryError('INPUT_INVALID', '`userId` has half a surrogate pair; it must be well-formed Unicode text.');
  return keyOf(database.prepare('SELECT key FROM graph_user WHERE id = ?').get(userId));
}

export function labelKey(database: SqliteDatabase, user: number, text: string): number | undefined {
  return keyOf(database.prepare('SELECT key FROM graph_label WHERE user = ? AND text = ?').get(user, text));
}

export function episodeKey(database: SqliteDatabase, user: number, id: string): number | undefined {
  return keyOf(database.prepare('SELECT key FROM graph_episode WHERE user = ? AND id = ?').get(user, id));
}

export function entityKey(database: SqliteDatabase, user: number, id: string): number | undefined {
  return keyOf(database.prepare('SELECT key FROM graph_entity WHERE user = ? AND id = ?').get(user, id));
}

export function factKey(database: SqliteDatabase, user: number, id: string): number | undefined {
  return keyOf(database.prepare('SELECT key FROM graph_fact WHERE user = ? AND id = ?').get(user, id));
}

/** Keys of the records that exist, in the order of `ids`. */
export function knownKeys(ids: readonly string[], find: (id: string) => number | undefined): number[] {
  return ids.map(find).filter((key) => key !== undefined);
}

function keyOf(row: Record<string, unknown> | undefined): number | undefined {
  return row === undefined ? undefined : Number(row['key']);
}
