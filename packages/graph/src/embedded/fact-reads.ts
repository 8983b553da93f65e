import type { Fact, FactFilter, Page } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';
import { readEntityIds } from './entity-reads.ts';
import { entityKey, episodeKey, factKey, knownKeys, userKey } from './keys.ts';
import { LIMIT, rowLimit } from './limit.ts';
import { FACT_COLUMNS, type FactRow, readList, toFact } from './record-mapper.ts';

// The lists are aggregated inside SQLite: a row that crosses into JavaScript costs far more than an element of a JSON array.
const BY_KEYS = `
  SELECT ${FACT_COLUMNS},
    (SELECT json_group_array(entity) FROM (SELECT entity FROM graph_fact_entity link WHERE link.fact = fact.key ORDER BY ordinal)) AS entities,
    (SELECT json_group_array(id) FROM (
      SELECT episode.id FROM graph_fact_evidence link CROSS JOIN graph_episode episode ON episode.key = link.episode
      WHERE link.fact = fact.key ORDER BY link.ordinal
    )) AS evidence
  FROM json_each(?) wanted CROSS JOIN graph_fact fact ON fact.key = wanted.value WHERE fact.user = ?`;

const NARROW =
  'AND (:subject IS NULL OR fact.subject = :subject) AND (:object IS NULL OR fact.object = :object) AND (:slot IS NULL OR fact.slot = :slot)';
const PAGE = `AND (:currentOnly = 0 OR fact.expired_at IS NULL) AND fact.id > :after ORDER BY fact.id ${LIMIT} :limit`;
const FIND = `SELECT fact.key FROM graph_fact fact WHERE fact.user = :user ${PAGE}`;
const FIND_BY_EPISODE = `
  SELECT fact.key FROM graph_fact_evidence link CROSS JOIN graph_fact fact ON fact.key = link.fact
  WHERE link.episode = :episode AND fact.user = :user ${PAGE}`;
// The adjacency rows hold all that the page needs, so that a hub's facts are sorted without reading them.
const FIND_BY_ENTITY = `
  SELECT fact.fact AS key FROM graph_adjacency fact WHERE fact.entity = :entity AND fact.expired IN (0, 1 - :currentOnly)
    AND fact.fact_id > :after ORDER BY fact.fact_id ${LIMIT} :limit`;
/** For combinations that nothing in the engine asks for. */
const FIND_ALL_OF = `
  SELECT fact.key FROM graph_fact fact WHERE fact.user = :user
    AND (:entity IS NULL OR EXISTS (SELECT 1 FROM graph_fact_entity link WHERE link.fact = fact.key AND link.entity = :entity))
    AND (:episode IS NULL OR EXISTS (SELECT 1 FROM graph_fact_evidence link WHERE link.fact = fact.key AND link.episode = :episode))`;
const FIND_BY_BOTH = `
  SELECT fact.key FROM graph_fact_evidence link CROSS JOIN graph_fact_entity about ON about.fact = link.fact AND about.entity = :entity
  CROSS JOIN graph_fact fact ON fact.key = link.fact WHERE link.episode = :episode AND fact.user = :user ${PAGE}`;

// Named, since without statistics SQLite takes the index that gives the order of the ids and walks all of the user's facts.
const FIND_BY_SLOT = `
  SELECT fact.key FROM graph_fact fact INDEXED BY graph_fact_slot
  WHERE fact.subject = :subject AND fact.slot = :slot AND fact.slot IS NOT NULL AND fact.user = :user ${PAGE}`;
const FIND_BY_BOTH_ENDS = `
  SELECT fact.key FROM graph_fact fact INDEXED BY graph_fact_ends
  WHERE fact.subject = :subject AND fact.object = :object AND fact.object IS NOT NULL AND fact.user = :user ${PAGE}`;
// By the object's own facts: a subject, such as the user, may have thousands.
const FIND_BY_ENDS = `
  SELECT fact.key FROM graph_adjacency near CROSS JOIN graph_fact fact ON fact.key = near.fact
  WHERE near.entity = :end AND near.expired IN (0, 1 - :currentOnly) AND fact.user = :user ${NARROW} ${PAGE}`;

export function getFacts(database: SqliteDatabase, userId: string, ids: readonly string[]): Fact[] {
  const user = userKey(database, userId);
  return user === undefined
    ? []
    : readFacts(
        database,
        userId,
        user,
        knownKeys(ids, (id) => factKey(database, user, id)),
      );
}

/**
 * In the order of `keys`.
 * @param entityIds ids by key, where the caller has those of all the facts' entities at hand
 */
export function readFacts(
  database: SqliteDatabase,
  userId: string,
  user: number,
  keys: readonly number[],
  entityIds?: ReadonlyMap<number, string>,
): Fact[] {
  const rows = database
    .prepareArrays(BY_KEYS)
    .all(JSON.stringify(keys), user)
    .map((values) => {
      const [entities, evidence] = values.slice(-2) as [entities: string, evidence: string];
      const row = values as unknown as FactRow;
      return { row, entities: readList<number>(entities, row[1]), evidence: readList<string>(evidence, row[1]) };
    });
  const ids = entityIds ?? readEntityIds(database, user, new Set(rows.flatMap(({ entities }) => entities)));
  const facts = new Map(rows.map(({ row, ...lists }) => [row[0], toFact(userId, row, lists, ids)]));
  return keys.flatMap((key) => facts.get(key) ?? []);
}

export function findFacts(database: SqliteDatabase, filter: FactFilter, page: Page): Fact[] {
  const user = userKey(database, filter.userId);
  if (user === undefined) return [];
  const rows = findRows(database, user, filter, {
    currentOnly: filter.currentOnly === true ? 1 : 0,
    after: page.after ?? '',
    limit: rowLimit(page.limit),
  });
  return readFacts(
    database,
    filter.userId,
    user,
    rows.map((row) => Number(row['key'])),
  );
}

function findRows(
  database: SqliteDatabase,
  user: number,
  filter: FactFilter,
  page: { readonly currentOnly: number; readonly after: string; readonly limit: number },
): Record<string, unknown>[] {
  const entity = filter.entityId === undefined ? null : entityKey(database, user, filter.entityId);
  const episode = filter.episodeId === undefined ? null : episodeKey(database, user, filter.episodeId);
  const subject = filter.subjectId === undefined ? null : entityKey(database, user, filter.subjectId);
  const object = filter.objectId === undefined ? null : entityKey(database, user, filter.objectId);
  const slot = filter.slot ?? null;
  if (entity === undefined || episode === undefined || subject === undefined || object === undefined) return [];
  if (subject !== null || object !== null || slot !== null) {
    if (entity === null && episode === null) {
      if (subject !== null && object === null && slot !== null) return database.prepare(FIND_BY_SLOT).all({ user, subject, slot, ...page });
      if (subject !== null && object !== null && slot === null) return database.prepare(FIND_BY_BOTH_ENDS).all({ user, subject, object, ...page });
      const end = object ?? subject;
      if (end !== null) return database.prepare(FIND_BY_ENDS).all({ user, end, subject, object, slot, ...page });
    }
    const all = database.prepare(`${FIND_ALL_OF} ${NARROW} ${PAGE}`);
    return all.all({ user, entity, episode, subject, object, slot, ...page });
  }
  if (entity !== null && episode !== null) return database.prepare(FIND_BY_BOTH).all({ user, entity, episode, ...page });
  if (entity !== null) return database.prepare(FIND_BY_ENTITY).all({ entity, ...page });
  if (episode !== null) return database.prepare(FIND_BY_EPISODE).all({ user, episode, ...page });
  return database.prepare(FIND).all({ user, ...page });
}
