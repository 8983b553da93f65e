import { type Erasure, type ErasureLog, type ErasureTrace, erasureTrace, MemoryError, traceUser } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { STORE } from './migrations.ts';
import { toInteger, toNumber } from './record-mapper.ts';

/** No store is under way for so long; one that is may write nothing any more. */
const TRACE_LIFE_MS = 24 * 60 * 60 * 1000;
/** The empty user stands in traces that were given up: they concern everybody. */
const CONCERNS = "trace.user IN [$user, ''] AND trace.sequence > $since";
const FIND_ONE = `MATCH (trace:ErasureTrace) WHERE ${CONCERNS} RETURN trace.sequence AS sequence LIMIT 1`;
const FIND = `MATCH (trace:ErasureTrace) WHERE ${CONCERNS} RETURN trace.trace AS text ORDER BY trace.sequence`;
const EPOCH = `MATCH ${STORE} RETURN coalesce(store.erasureSequence, 0) AS epoch`;
const TAKE_SEQUENCE = `MATCH ${STORE} SET store.erasureSequence = coalesce(store.erasureSequence, 0) + 1 RETURN store.erasureSequence AS sequence`;
const APPEND = 'CREATE (:ErasureTrace {sequence: $sequence, user: $user, atMs: $atMs, trace: $trace})';
const LAST_OLD = "MATCH (trace:ErasureTrace) WHERE trace.user >= '' AND trace.atMs < $before RETURN max(trace.sequence) AS last";
const DROP_OLD = "MATCH (trace:ErasureTrace) WHERE trace.user >= '' AND trace.sequence < $last DELETE trace";
const GIVE_UP = "MATCH (trace:ErasureTrace) WHERE trace.user >= '' AND trace.sequence = $last SET trace.user = '', trace.trace = $everything";

/** To be called inside the transaction of the commit, under the user's lock. @throws FORGOTTEN */
export async function mustNotBeForgotten(run: Run, userId: string, epoch: number): Promise<void> {
  const found = await run(FIND_ONE, { user: traceUser(userId), since: toInteger(epoch) });
  if (found.length > 0) {
    throw new MemoryError('FORGOTTEN', 'Something of this user was forgotten after the work on this change set began. Nothing of it was written.');
  }
}

export async function readErasures(run: Run, userId: string, since: number | undefined): Promise<ErasureLog> {
  const epoch = toNumber((await run(EPOCH, {}))[0]?.['epoch']) ?? 0;
  if (since === undefined || since >= epoch) return { epoch, traces: [] };
  const rows = await run(FIND, { user: traceUser(userId), since: toInteger(since) });
  return { epoch, traces: rows.map((row) => JSON.parse(String(row['text'])) as ErasureTrace) };
}

/** To be called at the end of the transaction of the erasure. */
export async function logErasure(run: Run, erasure: Erasure, ids: readonly string[], names: readonly string[], nowMs: number): Promise<void> {
  const sequence = toNumber((await run(TAKE_SEQUENCE, {}))[0]?.['sequence']) ?? 0;
  const trace = JSON.stringify(erasureTrace(erasure, ids, names));
  await run(APPEND, { sequence: toInteger(sequence), user: traceUser(erasure.userId), atMs: toInteger(nowMs), trace });
  const last = toNumber((await run(LAST_OLD, { before: toInteger(nowMs - TRACE_LIFE_MS) }))[0]?.['last']);
  if (last === undefined) return;
  await run(DROP_OLD, { last: toInteger(last) });
  await run(GIVE_UP, { last: toInteger(last), everything: JSON.stringify({ everything: true }) });
}
