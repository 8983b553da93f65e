import { MemoryError } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { entityKey, episodeKey } from './keys.ts';

/** Integer keys of the episodes and entities that one commit names, each looked up once. */
export class RecordKeys {
  readonly #database: SqliteDatabase;
  readonly #user: number;
  readonly #episodes = new Map<string, number>();
  readonly #entities = new Map<string, number>();

  constructor(database: SqliteDatabase, user: number) {
    this.#database = database;
    this.#user = user;
  }

  addEpisode(id: string, key: number): void {
    this.#episodes.set(id, key);
  }

  addEntity(id: string, key: number): void {
    this.#entities.set(id, key);
  }

  /** @throws CORRUPT_RECORD where the user has no such episode; `namedBy` says what names it */
  episode(id: string, namedBy: string): number {
    return resolve(this.#episodes, id, () => episodeKey(this.#database, this.#user, id), `episode ${id}`, namedBy);
  }

  /** @throws CORRUPT_RECORD where the user has no such entity; `namedBy` says what names it */
  entity(id: string, namedBy: string): number {
    return resolve(this.#entities, id, () => entityKey(this.#database, this.#user, id), `entity ${id}`, namedBy);
  }
}

function resolve(known: Map<string, number>, id: string, find: () => number | undefined, record: string, namedBy: string): number {
  let key = known.get(id);
  if (key === undefined) {
    key = find();
    if (key === undefined) throw unknownRecord(record, namedBy);
    known.set(id, key);
  }
  return key;
}

export function unknownRecord(record: string, namedBy: string): MemoryError {
  return new MemoryError('CORRUPT_RECORD', `The change set's ${namedBy} names ${record}, which is not in the store. Nothing of it was written.`);
}
