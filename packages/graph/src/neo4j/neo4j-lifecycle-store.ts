import { type ConsentRecord, type LifecycleStore, type LifeMark, traceUser } from '@tandem-memory/core';
import type { Connection, Row } from './connection.ts';
import { checkUser } from './keys.ts';
import { STORE } from './migrations.ts';
import { optionalIsoTime, toInteger, toIsoTime, toNumber, toTimestamp } from './record-mapper.ts';

// The lock on the store's node gives consents one order, which is the order in which they were recorded.
const RECORD_CONSENT = `
  MATCH ${STORE} SET store.consentSequence = coalesce(store.consentSequence, 0) + 1
  CREATE (consent:Consent {purpose: $purpose, granted: $granted, user: $user, sequence: store.consentSequence, at: datetime($at)})
  SET consent.actor = $actor, consent.note = $note`;
const CONSENTS = `
  MATCH (consent:Consent {user: $user})
  RETURN consent.purpose AS purpose, consent.granted AS granted, consent.at AS at, consent.actor AS actor, consent.note AS note ORDER BY consent.sequence`;

const MARK = 'UNWIND $ids AS record MERGE (mark:LifeMark {user: $user, record: record})';
const RECORD_ACCESS = `${MARK}
  SET mark.accesses = coalesce(mark.accesses, 0) + 1,
    mark.accessedAt = CASE WHEN mark.accessedAt > datetime($at) THEN mark.accessedAt ELSE datetime($at) END`;
const SET_EXPIRY = `${MARK} SET mark.expiresAt = datetime($at)`;
const SET_ARCHIVED = `${MARK} SET mark.archivedAt = datetime($at)`;
const PUT_MARKS = `
  UNWIND $rows AS row MERGE (mark:LifeMark {user: $user, record: row.record})
  SET mark.accesses = row.accesses, mark.accessedAt = datetime(row.accessedAt), mark.expiresAt = datetime(row.expiresAt),
    mark.archivedAt = datetime(row.archivedAt)`;
const RETURN_MARK =
  'RETURN mark.record AS record, mark.accesses AS accesses, mark.accessedAt AS accessedAt, mark.expiresAt AS expiresAt, mark.archivedAt AS archivedAt';
const MARKS = `UNWIND $ids AS record MATCH (mark:LifeMark {user: $user, record: record}) ${RETURN_MARK}`;
const HIDDEN = `
  CALL () {
    MATCH (mark:LifeMark) WHERE mark.user = $user AND mark.expiresAt <= datetime($at) RETURN mark
    UNION
    MATCH (mark:LifeMark) WHERE mark.user = $user AND mark.archivedAt IS NOT NULL RETURN mark
  }
  ${RETURN_MARK} ORDER BY record`;

const FORGET_MARKS = 'UNWIND $ids AS record MATCH (mark:LifeMark {user: $user, record: record}) DELETE mark';
const FORGET_ALL_MARKS = 'MATCH (mark:LifeMark) WHERE mark.user = $user AND mark.record IS NOT NULL DELETE mark';
// Of each purpose the newest record counts; it stays where it is a withdrawal.
const FORGET_CONSENTS = `
  MATCH (consent:Consent {user: $user}) WITH consent ORDER BY consent.sequence DESC
  WITH consent.purpose AS purpose, collect(consent) AS consents
  UNWIND CASE WHEN consents[0].granted THEN consents ELSE tail(consents) END AS consent DELETE consent`;
const FORGET_WHO = 'MATCH (consent:Consent {user: $user}) REMOVE consent.actor, consent.note';

/** The lifecycle store beside the graph in Neo4j, over the same connection: `graph.lifecycle` of an opened `Neo4jGraphStore`. */
export class Neo4jLifecycleStore implements LifecycleStore {
  readonly #connection: () => Connection;

  /** @param connection that of the graph store, which creates the schema and closes it */
  constructor(connection: () => Connection) {
    this.#connection = connection;
  }

  /** Opened and closed with the graph store. */
  async open(): Promise<void> {
    this.#connection();
  }

  async consents(userId: string): Promise<ConsentRecord[]> {
    const rows = await this.#read(userId, CONSENTS, {});
    return rows.map((row) => ({
      userId,
      purpose: String(row['purpose']),
      granted: row['granted'] === true,
      at: toTimestamp(row['at']) ?? '',
      ...(row['actor'] !== null && { actor: String(row['actor']) }),
      ...(row['note'] !== null && { note: String(row['note']) }),
    }));
  }

  async recordConsent({ userId, purpose, granted, at, actor, note }: ConsentRecord): Promise<void> {
    await this.#write(userId, RECORD_CONSENT, {
      purpose,
      granted,
      at: toIsoTime(at, 'at', 'consent'),
      actor: actor ?? null,
      note: note ?? null,
    });
  }

  async recordAccess(userId: string, ids: readonly string[], at: string): Promise<void> {
    await this.#mark(userId, RECORD_ACCESS, ids, toIsoTime(at, 'at', 'access'));
  }

  async setExpiry(userId: string, ids: readonly string[], expiresAt: string): Promise<void> {
    await this.#mark(userId, SET_EXPIRY, ids, toIsoTime(expiresAt, 'expiresAt', 'mark'));
  }

  async setArchived(userId: string, ids: readonly string[], at: string | undefined): Promise<void> {
    await this.#mark(userId, SET_ARCHIVED, ids, at === undefined ? null : toIsoTime(at, 'at', 'mark'));
  }

  async putMarks(userId: string, marks: readonly LifeMark[]): Promise<void> {
    const rows = marks.map(({ id, accesses, accessedAt, expiresAt, archivedAt }) => ({
      record: id,
      accesses: toInteger(accesses),
      accessedAt: optionalIsoTime(accessedAt, 'accessedAt', 'mark'),
      expiresAt: optionalIsoTime(expiresAt, 'expiresAt', 'mark'),
      archivedAt: optionalIsoTime(archivedAt, 'archivedAt', 'mark'),
    }));
    if (rows.length > 0) await this.#write(userId, PUT_MARKS, { rows: rows.sort((a, b) => (a.record < b.record ? -1 : 1)) });
  }

  async marks(userId: string, ids: readonly string[]): Promise<Map<string, LifeMark>> {
    const rows = ids.length === 0 ? [] : await this.#read(userId, MARKS, { ids });
    return new Map(rows.map((row) => [String(row['record']), toMark(row)]));
  }

  async hidden(userId: string, at: string): Promise<LifeMark[]> {
    return (await this.#read(userId, HIDDEN, { at: toIsoTime(at, 'at', 'mark') })).map(toMark);
  }

  async forget(userId: string, ids?: readonly string[]): Promise<void> {
    if (ids?.length === 0) return;
    const user = traceUser(userId);
    await this.#connection().write(async (run) => {
      if (ids !== undefined) {
        await run(FORGET_MARKS, { user, ids: inOrder(ids) });
        return;
      }
      await run(FORGET_ALL_MARKS, { user });
      await run(FORGET_CONSENTS, { user });
      await run(FORGET_WHO, { user });
    });
  }

  async #mark(userId: string, statement: string, ids: readonly string[], at: string | null): Promise<void> {
    if (ids.length > 0) await this.#write(userId, statement, { ids: inOrder(ids), at });
  }

  async #read(userId: string, statement: string, parameters: Readonly<Record<string, unknown>>): Promise<Row[]> {
    checkUser(userId);
    return this.#connection().read((run) => run(statement, { ...parameters, user: traceUser(userId) }));
  }

  async #write(userId: string, statement: string, parameters: Readonly<Record<string, unknown>>): Promise<void> {
    checkUser(userId);
    await this.#connection().write((run) => run(statement, { ...parameters, user: traceUser(userId) }));
  }
}

/** Two calls that mark the same records wait for each other instead of blocking each other. */
function inOrder(ids: readonly string[]): string[] {
  return [...new Set(ids)].sort();
}

function toMark(row: Row): LifeMark {
  const time = (name: 'accessedAt' | 'expiresAt' | 'archivedAt') => {
    const at = toTimestamp(row[name]);
    return at === undefined ? {} : { [name]: at };
  };
  return { id: String(row['record']), accesses: toNumber(row['accesses']) ?? 0, ...time('accessedAt'), ...time('expiresAt'), ...time('archivedAt') };
}
