import type { Erasure } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { entityKey, episodeKey, factKey, knownKeys, labelKey } from './keys.ts';

/** Integer keys of what an erasure names; what rests on it is not among them yet. */
export interface ErasureSelection {
  readonly episodes: readonly number[];
  readonly facts: readonly number[];
  readonly entities: readonly number[];
}

const NOTHING: ErasureSelection = { episodes: [], facts: [], entities: [] };

export function selectRecords(database: SqliteDatabase, user: number, erasure: Erasure): ErasureSelection {
  const { ids, entityIds } = erasure;
  const keys = (sql: string, ...parameters: (string | number)[]) =>
    database
      .prepare(sql)
      .all(...parameters)
      .map((row) => Number(row['key']));
  if (ids !== undefined) {
    return {
      episodes: knownKeys(ids, (id) => episodeKey(database, user, id)),
      facts: knownKeys(ids, (id) => factKey(database, user, id)),
      entities: [],
    };
  }
  if (entityIds !== undefined) {
    const entities = knownKeys(entityIds, (id) => entityKey(database, user, id));
    const list = JSON.stringify(entities);
    return {
      episodes: keys('SELECT DISTINCT episode AS key FROM graph_mention WHERE entity IN (SELECT value FROM json_each(?))', list),
      facts: keys('SELECT DISTINCT fact AS key FROM graph_adjacency WHERE entity IN (SELECT value FROM json_each(?))', list),
      entities,
    };
  }
  return selectByScope(database, user, erasure, keys);
}

function selectByScope(
  database: SqliteDatabase,
  user: number,
  { agentId, sessionId, sourceId, before }: Erasure,
  keys: (sql: string, ...parameters: (string | number)[]) => number[],
): ErasureSelection {
  const conditions: string[] = [];
  const parameters: (string | number)[] = [user];
  for (const [column, text] of [
    ['agent', agentId],
    ['session', sessionId],
    ['source', sourceId],
  ] as const) {
    if (text === undefined) continue;
    const label = labelKey(database, user, text);
    if (label === undefined) return NOTHING;
    conditions.push(`AND ${column} = ?`);
    parameters.push(label);
  }
  if (before !== undefined) {
    conditions.push('AND at < ?');
    parameters.push(Date.parse(before));
  }
  const episodes = keys(`SELECT key FROM graph_episode WHERE user = ? ${conditions.join(' ')}`, ...parameters);
  if (conditions.length > 0) return { episodes, facts: [], entities: [] };
  return {
    episodes,
    facts: keys('SELECT key FROM graph_fact WHERE user = ?', user),
    entities: keys('SELECT key FROM graph_entity WHERE user = ?', user),
  };
}
