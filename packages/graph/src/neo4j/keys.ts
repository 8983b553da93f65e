import { deriveId, MemoryError } from '@tandem-memory/core';

/** An index entry of Neo4j holds about 8 kB; three ids of this length in any script fit. */
const LONGEST_ID = 512;
const MOST_ROWS = 2 ** 31 - 1;
/** Lengths of the beginnings by which a name is found: one letter, and three. */
const LONG_START = 3;

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

/** By what the names with a beginning are found: the index holds no letter of them. */
export function startKeys(userId: string, form: string): { readonly startKey1: string | null; readonly startKey3: string | null } {
  // Letters, not code units: half a surrogate pair would not be stored as it is.
  const letters = [...form.toWellFormed().slice(0, 2 * LONG_START)];
  const key = (length: number) => (letters.length < length ? null : textKey(userId, 'start', letters.slice(0, length).join('')));
  return { startKey1: key(1), startKey3: key(LONG_START) };
}

/** A subject and one of its slots. */
export function slotKey(userId: string, subjectId: string, slot: string): string {
  return textKey(userId, 'slot', `${subjectId}\0${slot}`);
}

/** What an index holds of a text of any length: sessions, threads, sources and names are found by it. */
export function textKey(userId: string, kind: 'session' | 'thread' | 'source' | 'name' | 'start' | 'slot' | 'conversation', text: string): string {
  return deriveId(kind, userId, text.toWellFormed());
}

/** A row limit as Cypher takes it: a whole number, which a JavaScript number is not to the driver. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.min(Math.floor(limit), MOST_ROWS) : 0;
}
