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

export interface EpisodeRow {
  readonly key: number;
  readonly id: string;
  readonly kind: EpisodeKind;
  readonly role: Role;
  readonly state: EpisodeState;
  readonly at: number;
  readonly utc_offset_minutes: number;
  readonly created_at: number;
  readonly agent: string | null;
  readonly session: string | null;
  readonly source: string | null;
  readonly thread: string | null;
  readonly position: number;
  readonly speaker: string | null;
  readonly failure: string | null;
  readonly metadata: string | null;
  readonly content: string;
  readonly updated_at: number | null;
  readonly outdated: string | null;
}

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

export interface FactRow {
  readonly key: number;
  readonly id: string;
  /** Integer keys, as in `entities`. */
  readonly subject: number | null;
  readonly object: number | null;
  readonly predicate: string | null;
  readonly slot: string | null;
  readonly created_at: number;
  readonly expired_at: number | null;
  readonly valid_at: number | null;
  readonly invalid_at: number | null;
  readonly confidence: number;
  readonly importance: number;
  readonly origin: FactOrigin;
  readonly said_by: Role;
  readonly properties: string | null;
  readonly text: string;
  /** JSON array of integer keys. */
  readonly entities: string;
  /** JSON array of ids. */
  readonly evidence: string;
}

export function toEpisode(userId: string, row: EpisodeRow): Episode {
  const id = row.id;
  return {
    id,
    userId,
    ...(row.agent !== null && { agentId: row.agent }),
    ...(row.session !== null && { sessionId: row.session }),
    kind: row.kind,
    role: row.role,
    ...(row.speaker !== null && { speaker: row.speaker }),
    content: row.content,
    at: toTimestamp(row.at),
    utcOffsetMinutes: row.utc_offset_minutes,
    createdAt: toTimestamp(row.created_at),
    ...(row.source !== null && { sourceId: row.source }),
    ...(row.thread !== null && { threadId: row.thread }),
    position: row.position,
    metadata: readMetadata(row.metadata, id),
    state: row.state,
    ...(row.failure !== null && { failure: row.failure }),
    ...(row.updated_at !== null && { updatedAt: toTimestamp(row.updated_at) }),
    ...(row.outdated !== null && { outdated: parse(row.outdated, id) as Outdated }),
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

/** @param ids ids of entities by their keys */
export function toFact(userId: string, row: FactRow, entities: readonly number[], ids: ReadonlyMap<number, string>): Fact {
  const { id } = row;
  const subjectId = row.subject === null ? undefined : ids.get(row.subject);
  const objectId = row.object === null ? undefined : ids.get(row.object);
  return {
    id,
    userId,
    text: row.text,
    ...(subjectId !== undefined && { subjectId }),
    ...(row.predicate !== null && { predicate: row.predicate }),
    ...(objectId !== undefined && { objectId }),
    ...(row.slot !== null && { slot: row.slot }),
    entityIds: entities.map((key) => ids.get(key)).filter((entityId) => entityId !== undefined),
    evidence: readList<string>(row.evidence, id),
    ...(row.valid_at !== null && { validAt: toTimestamp(row.valid_at) }),
    ...(row.invalid_at !== null && { invalidAt: toTimestamp(row.invalid_at) }),
    createdAt: toTimestamp(row.created_at),
    ...(row.expired_at !== null && { expiredAt: toTimestamp(row.expired_at) }),
    confidence: row.confidence,
    importance: row.importance,
    origin: row.origin,
    saidBy: row.said_by,
    properties: readMetadata(row.properties, id),
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
