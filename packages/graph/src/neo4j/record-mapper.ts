import {
  type Entity,
  type EntityType,
  type Episode,
  type EpisodeKind,
  type EpisodeState,
  type Fact,
  type FactOrigin,
  type LoggedUpdate,
  MemoryError,
  type Metadata,
  type Outdated,
  type RecordKind,
  type Role,
  timestamp,
  type UpdateAction,
} from '@tandem-memory/core';
import type { Row } from './connection.ts';

/** Properties of a node as the driver gives them, read one by one so that nothing of the driver's own types leaves this file. */
class Properties {
  readonly #values: Row;
  readonly id: string;

  constructor(node: unknown) {
    this.#values = isNode(node) ? node.properties : {};
    this.id = String(this.#values['id']);
  }

  text(name: string): string {
    const value = this.#values[name];
    if (typeof value !== 'string') throw this.#damaged(name);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.#values[name] === undefined ? undefined : this.text(name);
  }

  number(name: string): number {
    const value = toNumber(this.#values[name]);
    if (value === undefined) throw this.#damaged(name);
    return value;
  }

  time(name: string): string {
    const value = this.optionalTime(name);
    if (value === undefined) throw this.#damaged(name);
    return value;
  }

  optionalTime(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined) return undefined;
    const time = toTimestamp(value);
    if (time === undefined) throw this.#damaged(name);
    return time;
  }

  texts(name: string): string[] {
    const value = this.#values[name] ?? [];
    if (!Array.isArray(value)) throw this.#damaged(name);
    return value.map(String);
  }

  metadata(name: string): Metadata {
    return (this.json(name) ?? {}) as Metadata;
  }

  json(name: string): unknown {
    const json = this.optionalText(name);
    if (json === undefined) return undefined;
    try {
      return JSON.parse(json);
    } catch {
      // Without the cause: its message quotes the text.
      throw this.#damaged(name);
    }
  }

  #damaged(name: string): MemoryError {
    const details = { id: this.id, property: name };
    return new MemoryError(
      'CORRUPT_RECORD',
      `Record ${this.id} can't be read: its property \`${name}\` was changed from outside. Restore it from a copy.`,
      {
        details,
      },
    );
  }
}

export function toEpisode(userId: string, node: unknown): Episode {
  const read = new Properties(node);
  return {
    id: read.id,
    userId,
    ...present('agentId', read.optionalText('agentId')),
    ...present('sessionId', read.optionalText('sessionId')),
    kind: read.text('kind') as EpisodeKind,
    role: read.text('role') as Role,
    ...present('speaker', read.optionalText('speaker')),
    content: read.text('content'),
    at: read.time('at'),
    utcOffsetMinutes: read.number('utcOffsetMinutes'),
    createdAt: read.time('createdAt'),
    ...present('sourceId', read.optionalText('sourceId')),
    ...present('threadId', read.optionalText('threadId')),
    position: read.number('position'),
    metadata: read.metadata('metadata'),
    state: read.text('state') as EpisodeState,
    ...present('failure', read.optionalText('failure')),
    ...present('updatedAt', read.optionalTime('updatedAt')),
    ...present('outdated', read.json('outdated') as Outdated | undefined),
  };
}

export function toEntity(userId: string, node: unknown): Entity {
  const read = new Properties(node);
  return {
    id: read.id,
    userId,
    name: read.text('name'),
    key: read.text('normalForm'),
    aliases: read.texts('aliases'),
    type: read.text('type') as EntityType,
    ...present('typeLabel', read.optionalText('typeLabel')),
    createdAt: read.time('createdAt'),
  };
}

/** @param links pairs of ordinal and id, in any order */
export function toFact(userId: string, node: unknown, links: { readonly entities: unknown; readonly evidence: unknown }): Fact {
  const read = new Properties(node);
  return {
    id: read.id,
    userId,
    text: read.text('text'),
    ...present('subjectId', read.optionalText('subjectId')),
    ...present('predicate', read.optionalText('predicate')),
    ...present('objectId', read.optionalText('objectId')),
    ...present('slot', read.optionalText('slot')),
    entityIds: inOrder(links.entities),
    evidence: inOrder(links.evidence),
    ...present('validAt', read.optionalTime('validAt')),
    ...present('invalidAt', read.optionalTime('invalidAt')),
    createdAt: read.time('createdAt'),
    ...present('expiredAt', read.optionalTime('expiredAt')),
    confidence: read.number('confidence'),
    importance: read.number('importance'),
    origin: read.text('origin') as FactOrigin,
    saidBy: read.text('saidBy') as Role,
    properties: read.metadata('properties'),
  };
}

export function toUpdate(userId: string, node: unknown): LoggedUpdate {
  const read = new Properties(node);
  return {
    sequence: read.number('sequence'),
    id: read.id,
    userId,
    action: read.text('action') as UpdateAction,
    kind: read.text('kind') as RecordKind | 'entity',
    recordId: read.text('recordId'),
    ...present('relatedId', read.optionalText('relatedId')),
    actor: read.text('actor') as FactOrigin,
    reason: read.text('reason'),
    ...present('episodeId', read.optionalText('episodeId')),
    ...present('before', read.optionalText('before')),
    ...present('after', read.optionalText('after')),
    at: read.time('at'),
  };
}

/** Whatever the driver is set to give for an integer: its own class, a number or a bigint. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && value !== null && 'toNumber' in value && typeof value.toNumber === 'function') return Number(value.toNumber());
  return undefined;
}

/** Integers are sent as bigint: a JavaScript number reaches Neo4j as a float. */
export function toInteger(value: number): bigint {
  return BigInt(value);
}

/** A DateTime of the driver as ISO 8601 in UTC, to the millisecond. */
export function toTimestamp(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const part = (name: string) => toNumber(Reflect.get(value, name));
  const [year, month, day, hour, minute, second, nanosecond] = ['year', 'month', 'day', 'hour', 'minute', 'second', 'nanosecond'].map(part);
  if (year === undefined || month === undefined || day === undefined) return undefined;
  // Date.UTC() reads a year below 100 as one of the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour ?? 0, minute ?? 0, (second ?? 0) - (part('timeZoneOffsetSeconds') ?? 0), Math.floor((nanosecond ?? 0) / 1e6));
  return timestamp(date);
}

/** As Neo4j's `datetime()` reads it. @throws CORRUPT_RECORD where the text is no time */
export function toIsoTime(value: string, field: string, id: string): string {
  const date = new Date(value);
  if (Number.isNaN(date.getTime()))
    throw new MemoryError('CORRUPT_RECORD', `\`${field}\` of record ${id} is not an ISO 8601 time.`, { details: { field, id } });
  return timestamp(date);
}

export function optionalIsoTime(value: string | undefined, field: string, id: string): string | null {
  return value === undefined ? null : toIsoTime(value, field, id);
}

/** A map is no property in Neo4j, and JSON keeps what a property can't: nesting, null, half a surrogate pair. Most records have none. */
export function writeMetadata(metadata: Metadata): string | null {
  const json = JSON.stringify(metadata);
  return json === '{}' ? null : json;
}

function present<Name extends string, Value>(name: Name, value: Value | undefined): { [key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [key in Name]: Value });
}

function inOrder(links: unknown): string[] {
  if (!Array.isArray(links)) return [];
  return (links as readonly (readonly [unknown, unknown])[])
    .map(([ordinal, id]) => ({ ordinal: toNumber(ordinal) ?? 0, id: String(id) }))
    .sort((a, b) => a.ordinal - b.ordinal)
    .map(({ id }) => id);
}

function isNode(value: unknown): value is { readonly properties: Row } {
  return typeof value === 'object' && value !== null && 'properties' in value;
}
