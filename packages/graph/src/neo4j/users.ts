import type { GraphCounts, Page } from '@tandem-memory/core';
import type { Run } from './connection.ts';
import { rowLimit } from './keys.ts';
import { toInteger, toNumber } from './record-mapper.ts';

// An index on two properties is used only where both are asked for; hence `IS NOT NULL`.
const of = (label: 'Episode' | 'Entity' | 'Fact', userId: string) => `{ MATCH (n:${label}) WHERE n.userId = ${userId} AND n.id IS NOT NULL }`;
// A user of whom only outbox entries are left (everything was erased) is none any more.
export const HAS_RECORDS = `(EXISTS ${of('Episode', 'user.userId')} OR EXISTS ${of('Entity', 'user.userId')} OR EXISTS ${of('Fact', 'user.userId')})`;
const USERS = `
  MATCH (user:User) WHERE user.userId > $after AND ${HAS_RECORDS}
  RETURN user.userId AS userId ORDER BY userId LIMIT $limit`;
// Of a label alone Neo4j keeps the count.
const COUNT_ALL = `
  RETURN COUNT { (:Episode) } AS episodes, COUNT { (:Entity) } AS entities, COUNT { (:Fact) } AS facts, COUNT { (:OutboxEntry) } AS outbox,
    COUNT { MATCH (user:User) WHERE ${HAS_RECORDS} } AS users`;
const COUNT_USER = `
  RETURN COUNT ${of('Episode', '$userId')} AS episodes, COUNT ${of('Entity', '$userId')} AS entities, COUNT ${of('Fact', '$userId')} AS facts,
    COUNT { (:OutboxEntry {userId: $userId}) } AS outbox, COUNT { MATCH (user:User {userId: $userId}) WHERE ${HAS_RECORDS} } AS users`;

const FORGET_EMPTY = `
  UNWIND $userIds AS userId
  MATCH (user:User {userId: userId}) WHERE NOT ${HAS_RECORDS} AND NOT EXISTS { (:OutboxEntry {userId: userId}) }
  DETACH DELETE user`;

/** Removes the node of a user of whom nothing is left, so that the id is not left either. */
export async function forgetEmptyUser(run: Run, userIds: readonly string[]): Promise<void> {
  if (userIds.length > 0) await run(FORGET_EMPTY, { userIds });
}

/** Ids of users who have records, ascending. */
export async function readUsers(run: Run, page: Page): Promise<string[]> {
  const rows = await run(USERS, { after: page.after ?? '', limit: toInteger(rowLimit(page.limit)) });
  return rows.map((row) => String(row['userId']));
}

export async function countRecords(run: Run, userId: string | undefined): Promise<GraphCounts> {
  const [row] = userId === undefined ? await run(COUNT_ALL, {}) : await run(COUNT_USER, { userId });
  const count = (name: string) => toNumber(row?.[name]) ?? 0;
  return { episodes: count('episodes'), entities: count('entities'), facts: count('facts'), users: count('users'), outbox: count('outbox') };
}
