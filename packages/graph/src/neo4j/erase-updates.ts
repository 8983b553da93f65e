import type { Outdated, Update } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { OPEN_RANKS } from './rank.ts';
import { toUpdate } from './record-mapper.ts';
import type { ReleasedSpellings } from './rederive.ts';
import { HAS_RECORDS } from './users.ts';

const LOG = `
  MATCH (entry:UpdateEntry) USING INDEX SEEK entry:UpdateEntry(userId, sequence)
  WHERE entry.userId = $userId AND entry.sequence > 0`;
const ENDED = `
  ${LOG} AND entry.action = 'invalidate' AND (entry.episodeId IN $episodes OR entry.relatedId IN $records)
  RETURN DISTINCT entry.recordId AS id`;
const DELETE = `${LOG} AND (entry.recordId IN $records OR entry.relatedId IN $records OR entry.episodeId IN $episodes) DELETE entry`;
const MERGES = `${LOG} AND entry.action = 'merge' AND entry.episodeId IN $episodes RETURN entry ORDER BY entry.sequence`;
const UNNAME = `
  UNWIND $released AS row
  MATCH (entry:UpdateEntry) USING INDEX SEEK entry:UpdateEntry(userId, sequence)
  WHERE entry.userId = $userId AND entry.sequence > 0 AND entry.kind = 'entity' AND (entry.recordId = row.id OR entry.relatedId = row.id)
    AND (entry.before IN row.released OR entry.after IN row.released)
  DELETE entry`;
const REOPEN = `
  UNWIND $ids AS id
  MATCH (fact:Fact {userId: $userId, id: id})
  WHERE NOT EXISTS { MATCH (entry:UpdateEntry {userId: $userId, recordId: id}) WHERE entry.action = 'invalidate'
    AND NOT EXISTS { MATCH (undone:UpdateEntry {userId: $userId, recordId: id}) WHERE undone.action = 'reopen' AND undone.sequence > entry.sequence } }
  SET fact.invalidAt = null, fact.expiredAt = null, fact.closedBecause = null
  RETURN id ORDER BY id`;
const REOPEN_LINKS = `
  UNWIND $ids AS id
  MATCH (:Fact {userId: $userId, id: id})-[about:ABOUT]->()
  SET about.rank = '${OPEN_RANKS.from}' + substring(about.rank, 1), about.invalidAt = null, about.expiredAt = null`;
const REOPEN_EDGES = `
  UNWIND $ids AS id
  MATCH ()-[edge:RELATES_TO]->() USING INDEX SEEK edge:RELATES_TO(userId, factId) WHERE edge.userId = $userId AND edge.factId = id
  SET edge.invalidAt = null, edge.expiredAt = null`;
const OUTDATED = `
  MATCH (episode:Episode) WHERE episode.userId = $userId AND episode.id IS NOT NULL AND episode.outdated IS NOT NULL
  RETURN episode.id AS id, episode.outdated AS outdated`;
const REVIVE = 'UNWIND $ids AS id MATCH (episode:Episode {userId: $userId, id: id}) SET episode.outdated = null';
/** Of a user without records nothing is worth telling either. */
const DROP_LOG_OF_NOBODY = `
  MATCH (user:User {userId: $userId}) WHERE NOT ${HAS_RECORDS}
  ${LOG} DELETE entry`;

export interface ErasedIds {
  readonly episodes: readonly string[];
  readonly facts: readonly string[];
  readonly entities: readonly string[];
  readonly released: readonly ReleasedSpellings[];
}

/**
 * As in the embedded store: takes what was erased out of the update log, and undoes the ends that it brought about, where nothing else ended
 * the fact.
 * @returns ids of the facts that hold again, and the merges that an erased turn told of
 */
export async function eraseUpdates(
  run: Run,
  userId: string,
  { episodes, facts, entities, released }: ErasedIds,
): Promise<{ readonly reopened: string[]; readonly merges: Update[] }> {
  const erased = { userId, episodes, records: [...episodes, ...facts, ...entities] };
  const ids = (rows: Awaited<ReturnType<Run>>) => rows.map((row) => String(row['id']));
  const ended = ids(await run(ENDED, erased));
  const merges = (await run(MERGES, erased)).map((row) => toUpdate(userId, row['entry']));
  await run(DELETE, erased);
  if (released.length > 0) await run(UNNAME, { userId, released });
  const reopened = ended.length === 0 ? [] : ids(await run(REOPEN, { userId, ids: ended }));
  if (reopened.length > 0) for (const statement of [REOPEN_LINKS, REOPEN_EDGES]) await run(statement, { userId, ids: reopened });
  const gone = new Set(episodes);
  const revived = (await run(OUTDATED, { userId })).filter((row) => gone.has((JSON.parse(String(row['outdated'])) as Outdated).by ?? ''));
  if (revived.length > 0) await run(REVIVE, { userId, ids: ids(revived) });
  await run(DROP_LOG_OF_NOBODY, { userId });
  return { reopened, merges };
}
