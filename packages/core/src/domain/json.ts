import { z } from 'zod';
import { cleanText } from './clean-text.ts';

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The caller's own data on a record. The engine stores it and filters by it, and never reads meaning into it. */
export type Metadata = Readonly<Record<string, JsonValue>>;

/** Levels of objects and lists in one another. */
const MAX_DEPTH = 100;

/**
 * A value as JSON keeps it, the same on every store: text cleaned, a date as ISO 8601, members that are undefined left out.
 * @param refuse told of each part that JSON would lose or change, with its path
 */
function readJson(value: unknown, refuse: (path: readonly string[], what: string) => void, path: readonly string[] = []): JsonValue {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.toISOString();
  if (path.length > MAX_DEPTH) refuse(path.slice(0, 5), 'something nested too deeply');
  else if (Array.isArray(value)) return value.map((item, index) => readJson(item, refuse, [...path, String(index)]));
  else if (isPlain(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return Object.fromEntries(members.map(([key, member]) => [cleanText(key), readJson(member, refuse, [...path, key])]));
  } else refuse(path, kindOf(value));
  return null;
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // `Object.prototype` of any realm.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function kindOf(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value instanceof Date) return 'an invalid date';
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : `a ${typeof value}`;
  const { name } = (Object.getPrototypeOf(value) as { readonly constructor?: { readonly name?: unknown } }).constructor ?? {};
  return typeof name === 'string' && name !== '' ? `an object of class ${name}` : 'an object of a class';
}

/** Metadata as the caller may give it, and as it is kept. Names each part that is no JSON. */
export const metadataSchema = z.unknown().transform((value, context): Metadata => {
  const refuse = (path: readonly string[], what: string) => {
    context.addIssue({ code: 'custom', path: [...path], message: `${what} is no JSON; give text, numbers, true, false, null, lists or objects` });
  };
  if (isPlain(value)) return readJson(value, refuse) as Metadata;
  refuse([], Array.isArray(value) ? 'a list' : value === null ? 'null' : kindOf(value));
  return {};
});
