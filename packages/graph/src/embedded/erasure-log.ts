import { type Erasure, type ErasureLog, type ErasureTrace, erasureTrace, MemoryError, traceUser } from '@tandem-memory/core';
import type { SqliteDatabase } from '@tandem-memory/sqlite';

/** No store is under way for so long; one that is may write nothing any more. */
const TRACE_LIFE_MS = 24 * 60 * 60 * 1000;
/** Stands in the place of the user in traces that were given up: they concern everybody. */
const EVERYBODY = '';
const EVERYTHING: ErasureTrace = { everything: true };

/** To be called inside the transaction of the commit. @throws FORGOTTEN */
export function mustNotBeForgotten(database: SqliteDatabase, userId: string, epoch: number): void {
  const row = database.prepare("SELECT 1 FROM graph_erasure WHERE user IN (?, '') AND sequence > ? LIMIT 1").get(traceUser(userId), epoch);
  if (row !== undefined)
    throw new MemoryError('FORGOTTEN', 'Something of this user was forgotten after the work on this change set began. Nothing of it was written.');
}

export function readErasures(database: SqliteDatabase, userId: string, since: number | undefined): ErasureLog {
  const epoch = Number(database.prepare('SELECT coalesce(max(sequence), 0) AS epoch FROM graph_erasure').get()?.['epoch']);
  if (since === undefined || since >= epoch) return { epoch, traces: [] };
  const rows = database
    .prepare("SELECT trace FROM graph_erasure WHERE user IN (?, '') AND sequence > ? ORDER BY sequence")
    .all(traceUser(userId), since);
  return { epoch, traces: rows.map((row) => JSON.parse(String(row['trace'])) as ErasureTrace) };
}

/** To be called inside the transaction of the erasure. */
export function logErasure(database: SqliteDatabase, erasure: Erasure, ids: readonly string[], names: readonly string[], now: number): void {
  const insert = database.prepare('INSERT INTO graph_erasure(user, at, trace) VALUES (?, ?, ?)');
  insert.run(traceUser(erasure.userId), now, JSON.stringify(erasureTrace(erasure, ids, names)));
  const last = database.prepare('SELECT max(sequence) AS last FROM graph_erasure WHERE at < ?').get(now - TRACE_LIFE_MS)?.['last'];
  if (typeof last !== 'number') return;
  database.prepare('DELETE FROM graph_erasure WHERE sequence < ?').run(last);
  database.prepare('UPDATE graph_erasure SET user = ?, trace = ? WHERE sequence = ?').run(EVERYBODY, JSON.stringify(EVERYTHING), last);
}
