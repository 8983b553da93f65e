import { deriveId, MemoryError } from '@tandem-memory/core';

/** An index entry of Neo4j holds about 8 kB; three ids of this length in any script fit. */
const LONGEST_ID = 512;
const MOST_ROWS = 2 ** 31 - 1;

/** @throws INPUT_INVALID for a user id with half a surrogate pair (two such ids could become one), or one that no index can hold */
export function checkUser(userId: string): void {
  if (!userId.isWellFormed()) throw new MemoryError('INPUT_INVALID', '`userId` has half a surrogate pair; it must be well-formed Unicode text.');
  checkId(userId, 'userId');
}

/** @throws INPUT_INVALID */
export function checkId(id: string, option: string): void {
  if (id.length > LONGEST_ID)
    throw new MemoryError('INPUT_INVALID', `\`${option}\` is longer than the ${LONGEST_ID} characters that Neo4j can index.`);
}

/** What an index holds of a text of any length: sessions, threads, sources and names are found by it. */
export function textKey(userId: string, kind: 'session' | 'thread' | 'source' | 'name', text: string): string {
  return deriveId(kind, userId, text.toWellFormed());
}

/** A row limit as Cypher takes it: a whole number, which a JavaScript number is not to the driver. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.min(Math.floor(limit), MOST_ROWS) : 0;
}
