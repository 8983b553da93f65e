import type { OutboxEntry, OutboxItem } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { rowLimit } from './keys.ts';
import { STORE } from './migrations.ts';
import { toInteger, toNumber } from './record-mapper.ts';
import { forgetEmptyUser } from './users.ts';

// Taken last in a commit: whoever has the node holds it until the commit is visible, so that sequences appear in their order and the relay,
// which takes the highest that it has seen for done, can't pass one by.
const TAKE_SEQUENCES = `MATCH ${STORE} SET store.outboxSequence = store.outboxSequence + $count RETURN store.outboxSequence AS last`;
const APPEND = `
  UNWIND $entries AS entry
  CREATE (:OutboxEntry {sequence: entry.sequence, userId: $userId, operation: entry.operation, kind: entry.kind, recordId: entry.recordId})`;
const READ = `
  MATCH (entry:OutboxEntry) WHERE entry.sequence > 0
  RETURN entry.sequence AS sequence, entry.userId AS userId, entry.operation AS operation, entry.kind AS kind, entry.recordId AS recordId
  ORDER BY sequence LIMIT $limit`;
const ACKNOWLEDGE = `
  UNWIND $sequences AS sequence MATCH (entry:OutboxEntry {sequence: sequence})
  WITH entry, entry.userId AS userId DELETE entry RETURN DISTINCT userId`;

/** To be called at the end of the transaction that writes the records. */
export async function appendOutbox(run: Run, userId: string, items: readonly OutboxItem[]): Promise<OutboxEntry[]> {
  if (items.length === 0) return [];
  const [row] = await run(TAKE_SEQUENCES, { count: toInteger(items.length) });
  const first = (toNumber(row?.['last']) ?? 0) - items.length + 1;
  const entries = items.map(({ operation, kind, recordId }, index) => ({ sequence: first + index, userId, operation, kind, recordId }));
  await run(APPEND, { userId, entries: entries.map((entry) => ({ ...entry, sequence: toInteger(entry.sequence) })) });
  return entries;
}

export async function readOutbox(run: Run, limit: number): Promise<OutboxEntry[]> {
  const rows = await run(READ, { limit: toInteger(rowLimit(limit)) });
  return rows.map((row) => ({
    sequence: toNumber(row['sequence']) ?? 0,
    userId: String(row['userId']),
    operation: row['operation'] as OutboxEntry['operation'],
    kind: row['kind'] as OutboxEntry['kind'],
    recordId: String(row['recordId']),
  }));
}

/** In ascending order, so that two that acknowledge at once wait for each other instead of blocking each other. */
export async function acknowledgeOutbox(run: Run, sequences: readonly number[]): Promise<void> {
  const rows = await run(ACKNOWLEDGE, { sequences: [...new Set(sequences)].sort((a, b) => a - b).map(toInteger) });
  await forgetEmptyUser(
    run,
    rows.map((row) => String(row['userId'])),
  );
}
