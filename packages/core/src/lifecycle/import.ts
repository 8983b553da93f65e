import { createHash } from 'node:crypto';
import { type ChangeSet, type EpisodeRevision, emptyChangeSet, type OutboxItem } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import { MemoryError } from '../errors.ts';
import type { ChatMemoryStore } from '../ports/chat-memory-store.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import type { LifecycleStore } from '../ports/lifecycle-store.ts';
import { broken, type ExportRecord, headerLine, readHeader, readRecord } from './export-format.ts';

export interface ImportReceipt {
  readonly userId: string;
  /** Records that the file holds. */
  readonly episodes: number;
  readonly entities: number;
  readonly facts: number;
  readonly mentions: number;
  /** Kept conversations. */
  readonly conversations: number;
  /** Of them, those that were not there before. */
  readonly created: number;
  /** True when the indexes hold everything of the import. */
  readonly indexed: boolean;
  readonly degraded: readonly string[];
}

/** A whole export, read and checked: every record that another names is there, and nothing is missing at the end. */
export interface ReadExport {
  readonly userId: string;
  readonly records: readonly ExportRecord[];
}

const BATCH_SIZE = 500;

/**
 * Reads and checks an export to its end before anything of it may be written.
 * @throws INPUT_INVALID naming the line, for a file of another kind, a newer one, a damaged, cut or edited one
 */
export async function readExport(lines: AsyncIterable<string> | Iterable<string>): Promise<ReadExport> {
  const hash = createHash('sha256');
  const records: ExportRecord[] = [];
  let userId: string | undefined;
  let lineNumber = 0;
  let ended = false;
  for await (const text of lines) {
    lineNumber++;
    if (ended) throw broken(lineNumber, 'the file goes on behind its end');
    if (userId === undefined) {
      const header = readHeader(text);
      userId = header.userId;
      if (`${text}\n` !== headerLine(userId, header.version)) throw broken(1, 'the line was changed');
    } else {
      const record = readRecord(text, lineNumber);
      if (record.type === 'end') {
        if (record.records !== records.length || record.sha256 !== hash.digest('hex'))
          throw broken(lineNumber, 'the file was changed or lacks lines: its checksum does not fit');
        ended = true;
        continue;
      }
      records.push(record);
    }
    hash.update(`${text}\n`);
  }
  if (userId === undefined) throw broken(1, 'the file is empty');
  if (!ended) throw broken(lineNumber + 1, 'the end is missing; the file was cut off');
  checkNames(records);
  return { userId, records };
}

/** The checksum says that the file is as it was written; this, that what wrote it was sound. */
function checkNames(records: readonly ExportRecord[]): void {
  const ids = { episode: new Set<string>(), entity: new Set<string>() };
  for (const record of records) if (record.type === 'episode' || record.type === 'entity') ids[record.type].add(record.id);
  for (const [index, record] of records.entries()) {
    if (record.type === 'mention' && !(ids.episode.has(record.episodeId) && ids.entity.has(record.entityId)))
      throw broken(index + 2, 'it names a record that is not in the file');
    if (record.type !== 'fact') continue;
    const { subjectId, objectId, entityIds, evidence } = record;
    const named = [...entityIds, ...[subjectId, objectId].filter((id) => id !== undefined)];
    if (!named.every((id) => ids.entity.has(id)) || !evidence.every((id) => ids.episode.has(id)))
      throw broken(index + 2, 'it names a record that is not in the file');
  }
}

export interface Imported {
  readonly created: number;
  readonly sequences: readonly number[];
}

/**
 * Writes the records of an export with the ids they had. Each batch is one transaction and a repeat changes nothing, so an import that was
 * killed is completed by the same import again.
 * @throws FORGOTTEN where something of the user is forgotten meanwhile, and the errors of the graph store
 */
export async function writeExport({ userId, records }: ReadExport, graph: GraphStore, signal?: AbortSignal): Promise<Imported> {
  const { epoch } = await graph.erasures(userId);
  const sequences: number[] = [];
  let created = 0;
  const archived = new Set(records.flatMap((record) => (record.type === 'mark' && record.archivedAt !== undefined ? [record.id] : [])));
  const order = ['episode', 'entity', 'fact', 'mention', 'update'] as const;
  for (const type of order) {
    const own = records.filter((record) => record.type === type);
    for (let from = 0; from < own.length; from += BATCH_SIZE) {
      if (signal?.aborted === true)
        throw new MemoryError('ABORTED', 'The import was stopped. What was imported stays; the same import again completes it.', {
          cause: signal.reason,
        });
      const receipt = await graph.commit({ ...changesOf(userId, own.slice(from, from + BATCH_SIZE), archived), epoch });
      created += receipt.created.size;
      sequences.push(...receipt.outbox.map((entry) => entry.sequence));
    }
  }
  return { created, sequences };
}

/** @param archived turns that the indexes do not hold */
function changesOf(userId: string, records: readonly ExportRecord[], archived: ReadonlySet<string>): ChangeSet {
  const outbox: OutboxItem[] = records.flatMap((record): OutboxItem[] => {
    if (record.type === 'episode') return archived.has(record.id) ? [] : [{ operation: 'upsert', kind: 'episode', recordId: record.id }];
    // What the rules read is an edge of the graph only.
    const indexed = record.type === 'fact' && record.origin !== 'rules' && !record.evidence.every((id) => archived.has(id));
    return indexed ? [{ operation: 'upsert', kind: 'fact', recordId: record.id }] : [];
  });
  return {
    ...emptyChangeSet(userId),
    episodes: records.flatMap((record) => (record.type === 'episode' ? [{ ...without(record), userId }] : [])),
    entities: records.flatMap((record) => (record.type === 'entity' ? [toEntity(userId, record)] : [])),
    facts: records.flatMap((record) => (record.type === 'fact' ? [{ ...without(record), userId }] : [])),
    mentions: records.flatMap((record) => (record.type === 'mention' ? [without(record)] : [])),
    revisions: records.flatMap((record) => (record.type === 'episode' ? revisionOf(record) : [])),
    updates: records.flatMap((record) => (record.type === 'update' ? [{ ...without(record), userId }] : [])),
    outbox,
  };
}

/**
 * What lies beside the records. What this memory knows already stands: a record's marks, the user's own decisions on a purpose, and a conversation
 * of the same session.
 */
export async function writeBeside({ userId, records }: ReadExport, { lifecycle, conversations }: Beside): Promise<void> {
  const of = <Type extends ExportRecord['type']>(type: Type) =>
    records.filter((record): record is Extract<ExportRecord, { type: Type }> => record.type === type);
  if (lifecycle !== undefined) {
    const marks = of('mark');
    const known = await lifecycle.marks(
      userId,
      marks.map((mark) => mark.id),
    );
    await lifecycle.putMarks(userId, marks.filter((mark) => !known.has(mark.id)).map(without));
    const decided = new Set((await lifecycle.consents(userId)).map((consent) => consent.purpose));
    for (const consent of of('consent')) if (!decided.has(consent.purpose)) await lifecycle.recordConsent({ ...without(consent), userId });
  }
  for (const { sessionId, entries } of of('conversation'))
    await conversations?.rewrite({ userId, sessionId }, (there) => (there.length > 0 ? undefined : entries));
}

export interface Beside {
  readonly lifecycle?: LifecycleStore;
  readonly conversations?: ChatMemoryStore;
}

/** What a commit takes as a change of a record only. */
function revisionOf({ id, updatedAt, outdated }: Extract<ExportRecord, { type: 'episode' }>): EpisodeRevision[] {
  if (updatedAt === undefined && outdated === undefined) return [];
  return [{ episodeId: id, ...(updatedAt === undefined ? {} : { updatedAt }), ...(outdated === undefined ? {} : { outdated }) }];
}

function toEntity(userId: string, { type: _, entityType, ...record }: Extract<ExportRecord, { type: 'entity' }>): Entity {
  return { ...record, userId, type: entityType };
}

function without<T extends { readonly type: string }>({ type: _, ...record }: T): Omit<T, 'type'> {
  return record;
}
