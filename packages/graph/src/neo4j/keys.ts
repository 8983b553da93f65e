import { deriveId, MemoryError } from '@tandem-memory/core';

/** An index entry of Neo4j holds about 8 kB; three ids of this length in any script fit. */
const LONGEST_ID = 512;
const MOST_ROWS = 2 ** 31 - 1;
/** Letters of a name by whose beginning it is found through an index, which holds no long text. */
const NAME_START = 64;

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

/** Beginning of a normal form. What begins with a text begins with the `nameStart` of that text too. */
export function nameStart(form: string): string {
  // Letters, not code units: half a surrogate pair would not be stored as it is.
  return [...form.toWellFormed().slice(0, 2 * NAME_START)].slice(0, NAME_START).join('').toWellFormed();
}

/** A subject and one of its slots. */
export function slotKey(userId: string, subjectId: string, slot: string): string {
  return textKey(userId, 'slot', `${subjectId}\0${slot}`);
}

/** What an index holds of a text of any length: sessions, threads, sources and names are found by it. */
export function textKey(userId: string, kind: 'session' | 'thread' | 'source' | 'name' | 'slot', text: string): string {
  return deriveId(kind, userId, text.toWellFormed());
}

/** A row limit as Cypher takes it: a whole number, which a JavaScript number is not to the driver. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.min(Math.floor(limit), MOST_ROWS) : 0;
}
