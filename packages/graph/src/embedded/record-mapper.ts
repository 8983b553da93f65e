import {
  type Entity,
  type EntityType,
  type Episode,
  type EpisodeKind,
  type EpisodeState,
  type Fact,
  type FactOrigin,
  MemoryError,
  type Metadata,
  type Outdated,
  type Role,
  timestamp,
} from '@tandem-memory/core';

/** A row of an episode, its columns in the order in which `EPISODE_COLUMNS` names them. */
export type EpisodeRow = readonly [
  key: number,
  id: string,
  kind: EpisodeKind,
  role: Role,
  state: EpisodeState,
  at: number,
  utcOffsetMinutes: number,
  createdAt: number,
  agent: string | null,
  session: string | null,
  source: string | null,
  thread: string | null,
  position: number,
  speaker: string | null,
  failure: string | null,
  metadata: string | null,
  content: string,
  updatedAt: number | null,
  outdated: string | null,
];

export const EPISODE_COLUMNS = `episode.key, episode.id, kind, role, state, at, utc_offset_minutes, created_at, agent.text AS agent, session.text AS session,
    source.text AS source, thread.text AS thread, position, speaker, failure, metadata, content, updated_at, outdated`;

export interface EntityRow {
  readonly key: number;
  readonly id: string;
  readonly degree: number;
  readonly created_at: number;
  readonly type: EntityType;
  readonly type_label: string | null;
  readonly normal_form: string;
  readonly name: string;
  readonly aliases: string | null;
}

/** A row of a fact, its columns in the order in which `FACT_COLUMNS` names them. */
export type FactRow = readonly [
  key: number,
  id: string,
  /** Integer keys, as in `entities`. */
  subject: number | null,
  object: number | null,
  predicate: string | null,
  slot: string | null,
  createdAt: number,
  expiredAt: number | null,
  validAt: number | null,
  invalidAt: number | null,
  confidence: number,
  importance: number,
  origin: FactOrigin,
  saidBy: Role,
  properties: string | null,
  text: string,
];

export const FACT_COLUMNS = `fact.key, fact.id, subject, object, predicate, slot, fact.created_at, expired_at, valid_at, invalid_at, confidence, importance,
    origin, said_by, properties, text`;

export function toEpisode(userId: string, row: EpisodeRow): Episode {
  const [, id, kind, role, state, at, utcOffsetMinutes, createdAt, agent, session, source, thread, position, speaker, ...rest] = row;
  const [failure, metadata, content, updatedAt, outdated] = rest;
  return {
    id,
    userId,
    ...(agent !== null && { agentId: agent }),
    ...(session !== null && { sessionId: session }),
    kind,
    role,
    ...(speaker !== null && { speaker }),
    content,
    at: toTimestamp(at),
    utcOffsetMinutes,
    createdAt: toTimestamp(createdAt),
    ...(source !== null && { sourceId: source }),
    ...(thread !== null && { threadId: thread }),
    position,
    metadata: readMetadata(metadata, id),
    state,
    ...(failure !== null && { failure }),
    ...(updatedAt !== null && { updatedAt: toTimestamp(updatedAt) }),
    ...(outdated !== null && { outdated: parse(outdated, id) as Outdated }),
  };
}

export function toEntity(userId: string, row: EntityRow): Entity {
  const id = row.id;
  return {
    id,
    userId,
    name: row.name,
    key: row.normal_form,
    aliases: readList<string>(row.aliases, id),
    type: row.type,
    ...(row.type_label !== null && { typeLabel: row.type_label }),
    createdAt: toTimestamp(row.created_at),
  };
}

/**
 * @param entities integer keys
 * @param ids ids of entities by their keys
 */
export function toFact(
  userId: string,
  row: FactRow,
  { entities, evidence }: { readonly entities: readonly number[]; readonly evidence: readonly string[] },
  ids: ReadonlyMap<number, string>,
): Fact {
  const [, id, subject, object, predicate, slot, createdAt, expiredAt, validAt, invalidAt, confidence, importance, ...rest] = row;
  const [origin, saidBy, properties, text] = rest;
  const subjectId = subject === null ? undefined : ids.get(subject);
  const objectId = object === null ? undefined : ids.get(object);
  return {
    id,
    userId,
    text,
    ...(subjectId !== undefined && { subjectId }),
    ...(predicate !== null && { predicate }),
    ...(objectId !== undefined && { objectId }),
    ...(slot !== null && { slot }),
    entityIds: entities.map((key) => ids.get(key)).filter((entityId) => entityId !== undefined),
    evidence,
    ...(validAt !== null && { validAt: toTimestamp(validAt) }),
    ...(invalidAt !== null && { invalidAt: toTimestamp(invalidAt) }),
    createdAt: toTimestamp(createdAt),
    ...(expiredAt !== null && { expiredAt: toTimestamp(expiredAt) }),
    confidence,
    importance,
    origin,
    saidBy,
    properties: readMetadata(properties, id),
  };
}

/** @throws CORRUPT_RECORD where the text is no time */
export function toMilliseconds(value: string, field: string, id: string): number {
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds))
    throw new MemoryError('CORRUPT_RECORD', `\`${field}\` of record ${id} is not an ISO 8601 time.`, { details: { field, id } });
  return milliseconds;
}

export function optionalMilliseconds(value: string | undefined, field: string, id: string): number | null {
  return value === undefined ? null : toMilliseconds(value, field, id);
}

/** By milliseconds: the times of a turn and of what was read out of it are mostly the same few. Bounded, emptied when full. */
const timestamps = new Map<number, string>();
const MAX_TIMESTAMPS = 10_000;

export function toTimestamp(milliseconds: number): string {
  let text = timestamps.get(milliseconds);
  if (text === undefined) {
    text = timestamp(new Date(milliseconds));
    if (timestamps.size >= MAX_TIMESTAMPS) timestamps.clear();
    timestamps.set(milliseconds, text);
  }
  return text;
}

/** Most records have none; those take no room. */
export function writeMetadata(metadata: Metadata): string | null {
  const json = JSON.stringify(metadata);
  return json === '{}' ? null : json;
}

function readMetadata(json: string | null, id: string): Metadata {
  return json === null ? {} : (parse(json, id) as Metadata);
}

export function writeAliases(aliases: readonly string[]): string | null {
  return aliases.length === 0 ? null : JSON.stringify(aliases);
}

/** A list as it is stored: a JSON array, or null for an empty one. */
export function readList<T>(json: string | null, id: string): readonly T[] {
  return json === null ? [] : (parse(json, id) as readonly T[]);
}

function parse(json: string, id: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Without the cause: its message quotes the text.
    throw new MemoryError('CORRUPT_RECORD', `Record ${id} can't be read: its stored JSON is damaged. Restore the file from a copy.`, {
      details: { id },
    });
  }
}
