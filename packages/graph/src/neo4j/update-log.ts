import type { LoggedUpdate, Page, Update, UpdateFilter } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { rowLimit } from './keys.ts';
import { STORE } from './migrations.ts';
import { toInteger, toIsoTime, toNumber, toUpdate } from './record-mapper.ts';

const KNOWN = 'UNWIND $ids AS id MATCH (entry:UpdateEntry {userId: $userId, id: id}) RETURN id';
const TAKE_SEQUENCES = `
  MATCH ${STORE} SET store.updateSequence = coalesce(store.updateSequence, 0) + $count RETURN store.updateSequence AS last`;
const APPEND = `
  UNWIND $rows AS row
  CREATE (entry:UpdateEntry {userId: $userId, id: row.id})
  SET entry += row.properties, entry.at = datetime(row.at)`;
const PAGE = `
  WITH DISTINCT entry WHERE ($actions IS NULL OR entry.action IN $actions) AND entry.sequence > $after AND entry.userId = $userId
  RETURN entry ORDER BY entry.sequence LIMIT $limit`;
const ALL = `
  MATCH (entry:UpdateEntry) USING INDEX SEEK entry:UpdateEntry(userId, sequence)
  WHERE entry.userId = $userId AND entry.sequence > $after AND ($actions IS NULL OR entry.action IN $actions)
  RETURN entry ORDER BY entry.userId, entry.sequence LIMIT $limit`;
const OF_RECORDS = `
  UNWIND $recordIds AS recordId
  CALL (recordId) {
    MATCH (entry:UpdateEntry {userId: $userId, recordId: recordId}) RETURN entry
    UNION
    MATCH (entry:UpdateEntry {userId: $userId, relatedId: recordId}) RETURN entry
  } ${PAGE}`;

/** To be called near the end of the transaction: whoever takes numbers holds up the other commits until its own is done. */
export async function appendUpdates(run: Run, userId: string, updates: readonly Update[]): Promise<void> {
  if (updates.length === 0) return;
  const known = new Set((await run(KNOWN, { userId, ids: updates.map(({ id }) => id) })).map((row) => String(row['id'])));
  // Of an update that comes twice the first one counts.
  const fresh = [...new Map([...updates].reverse().map((update) => [update.id, update])).values()].reverse().filter(({ id }) => !known.has(id));
  if (fresh.length === 0) return;
  const [row] = await run(TAKE_SEQUENCES, { count: toInteger(fresh.length) });
  const first = (toNumber(row?.['last']) ?? 0) - fresh.length + 1;
  await run(APPEND, { userId, rows: fresh.map((update, index) => toRow(update, first + index)) });
}

function toRow(update: Update, sequence: number) {
  const { id, action, kind, recordId, relatedId, actor, reason, episodeId, before, after, at } = update;
  return {
    id,
    at: toIsoTime(at, 'at', id),
    properties: {
      sequence: toInteger(sequence),
      action,
      kind,
      recordId,
      relatedId: relatedId ?? null,
      actor,
      reason,
      episodeId: episodeId ?? null,
      before: before ?? null,
      after: after ?? null,
    },
  };
}

export async function readUpdates(run: Run, filter: UpdateFilter, page: Page): Promise<LoggedUpdate[]> {
  const { userId, recordIds, actions } = filter;
  const parameters = {
    userId,
    actions: actions ?? null,
    after: toInteger(Math.floor(Number(page.after ?? 0)) || 0),
    limit: toInteger(rowLimit(page.limit)),
  };
  const rows = await (recordIds === undefined ? run(ALL, parameters) : run(OF_RECORDS, { ...parameters, recordIds: [...new Set(recordIds)] }));
  return rows.map((row) => toUpdate(userId, row['entry']));
}
