import type { Schemas } from '@qdrant/js-client-rest';
import { type IndexFilter, MemoryError } from '@tandem-memory/core';
import { pointId } from './point.ts';

type Condition = Schemas['FieldCondition'] | Schemas['HasIdCondition'];
export type QdrantFilter = { must: Condition[] };

/** Every request on records carries the user's condition; there is no filter without it. */
export function userFilter(userId: string): QdrantFilter {
  return { must: [equals('userId', userId)] };
}

/**
 * The whole filter as the server applies it, so that a narrow one still fills the limit.
 * @returns undefined where nothing can match
 * @throws INPUT_INVALID where `since` or `until` is no moment
 */
export function recordFilter(userId: string, filter: IndexFilter): QdrantFilter | undefined {
  const { agentId, sessionId, sourceId, kinds, ids } = filter;
  if (kinds?.length === 0 || ids?.length === 0) return undefined;
  const { must } = userFilter(userId);
  if (agentId !== undefined) must.push(equals('agentId', agentId));
  if (sessionId !== undefined) must.push(equals('sessionId', sessionId));
  if (sourceId !== undefined) must.push(equals('sourceId', sourceId));
  if (kinds !== undefined) must.push({ key: 'kind', match: { any: [...kinds] } });
  const range = {
    ...(filter.since === undefined ? {} : { gte: milliseconds(filter.since, 'since') }),
    ...(filter.until === undefined ? {} : { lt: milliseconds(filter.until, 'until') }),
  };
  if (filter.since !== undefined || filter.until !== undefined) must.push({ key: 'at', range });
  if (ids !== undefined) must.push(hasIds(userId, ids));
  return { must };
}

/** Records by their own ids. */
export function idFilter(userId: string, ids: readonly string[]): QdrantFilter {
  return { must: [...userFilter(userId).must, hasIds(userId, ids)] };
}

function hasIds(userId: string, ids: readonly string[]): Condition {
  return { has_id: [...new Set(ids)].map((id) => pointId(userId, id)) };
}

export function equals(key: string, value: string | number): Condition {
  return { key, match: { value } };
}

function milliseconds(time: string, name: string): number {
  const value = Date.parse(time);
  if (Number.isNaN(value)) throw new MemoryError('INPUT_INVALID', `\`${name}\` of the filter is not a moment; write it as ISO 8601.`);
  return value;
}
