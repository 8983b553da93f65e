import { type Fields, fieldsOf, pick, saysNothing, text } from './reply-fields.ts';
import { unpackJson } from './reply-json.ts';

/** The lists of a reply, as they were written. A part that a reply does not have is absent. */
export interface ReplyParts {
  readonly facts?: readonly unknown[];
  readonly entities?: readonly unknown[];
  readonly relations?: readonly unknown[];
  /** How many items stand in lists that nobody asked for. */
  readonly unknown?: number;
  /** The value was one item, as in JSON lines, and no list of them. */
  readonly single?: true;
}

const PARTS = ['facts', 'entities', 'relations'] as const;
const KEYS = {
  facts: ['facts', 'fact', 'memories', 'memory', 'statements', 'observations'],
  entities: ['entities', 'entity', 'nodes'],
  relations: ['relations', 'relation', 'relationships', 'relationship', 'triples', 'triplets', 'edges'],
};
const PART_KEYS = new Set(PARTS.flatMap((part) => KEYS[part]));
const FACT_TEXT = ['text', 'fact', 'content', 'memory', 'statement', 'sentence'];
export const ENTITY_NAME = ['name', 'entity', 'label', 'entityname', 'text', 'id'];
export const SUBJECT = ['subject', 'source', 'from', 'head', 'start', 'subj', '1'];
export const PREDICATE = ['predicate', 'relation', 'relationship', 'type', 'relationtype', 'label', 'pred'];
export const OBJECT = ['object', 'target', 'to', 'tail', 'end', 'destination', 'obj', '2'];
export const MESSAGE = ['message', 'messagenumber', 'messageindex', 'episode'];
/** "source_entity", "sourceNodeId", "entity1": what names of the two ends carry besides. */
const END_WORDS = /entity|node|name|id/g;
const MAX_WRAPPERS = 4;
/** What may stand between two answers that are parts of one: fences, the marks of tool calls, the number of the next message. */
const BETWEEN_PARTS = /^(?:[\s`~,;.:#*_-]|<\/?(?:tool|function)_?calls?>|json|message|turn|\d)*$/i;
const MESSAGE_KEY = /^(?:message|turn)?\W*(\d+)\W*$/i;

/** Lists of different parts belong together, and so do answers one a message; with words between, two lists of one part are a draft and its better. */
export function joinParts(earlier: ReplyParts, later: ReplyParts, between: string): ReplyParts | undefined {
  const holdsNothing = PARTS.every((part) => (later[part] ?? []).length === 0);
  const share = PARTS.some((part) => earlier[part] !== undefined && later[part] !== undefined);
  return holdsNothing || !share || BETWEEN_PARTS.test(between) ? together([earlier, later]) : undefined;
}

function together(all: readonly ReplyParts[]): ReplyParts {
  const given = PARTS.filter((part) => all.some((items) => items[part] !== undefined));
  const unknown = all.reduce((sum, items) => sum + (items.unknown ?? 0), 0);
  return {
    ...Object.fromEntries(given.map((part) => [part, all.flatMap((items) => items[part] ?? [])])),
    ...(unknown === 0 ? {} : { unknown }),
    ...(all.every(({ single }) => single === true) ? { single: true } : {}),
  };
}

export function partsOfReply(value: unknown, wrappers = 0): ReplyParts | undefined {
  if (!Array.isArray(value)) return partsOfObject(value, wrappers);
  const isItem = (item: unknown) => typeof item === 'string' || factText(item) !== undefined || isRelation(item);
  return answersIn(value, wrappers) ?? (value.every(isItem) ? { facts: list(value) } : undefined);
}

/** A list of whole answers, such as tool calls. */
function answersIn(values: readonly unknown[], wrappers: number): ReplyParts | undefined {
  const found = values.map((value) => partsOfObject(value, wrappers + 1)).filter((items) => items !== undefined && items.single !== true);
  return found.length > 0 && found.length === values.length ? together(found as ReplyParts[]) : undefined;
}

function partsOfObject(value: unknown, wrappers: number): ReplyParts | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  if (isRelation(value) && pick(fields, PREDICATE) !== undefined) return { relations: [value], single: true };
  const parts = putTogether(fields);
  if (PARTS.some((part) => KEYS[part].some((key) => isList(parts, key)))) {
    const isSingle = typeof fields.get('fact') === 'string';
    const [facts, entities, relations] = PARTS.map((part) => unpacked(pick(parts, KEYS[part])));
    const unknown = isSingle ? 0 : unknownItems(value as object);
    const found: ReplyParts = {
      // What else the one item says is said of each of its lines.
      ...(facts === undefined ? {} : { facts: isSingle ? list(facts).map((fact) => ({ ...(value as object), fact })) : list(facts) }),
      ...(entities === undefined ? {} : { entities: entityList(entities) }),
      ...(relations === undefined ? {} : { relations: list(relations) }),
      ...(unknown === 0 ? {} : { unknown }),
      ...(isSingle ? { single: true } : {}),
    };
    return ofMessage(found, pick(fields, MESSAGE));
  }
  if (wrappers >= MAX_WRAPPERS) return undefined;
  const found = Object.entries(value as object).flatMap(([key, field]) => {
    const inner = unpacked(field);
    const items = Array.isArray(inner) ? answersIn(inner, wrappers) : partsOfObject(inner, wrappers + 1);
    return items === undefined ? [] : [ofMessage(items, MESSAGE_KEY.exec(key)?.[1])];
  });
  const whole = found.filter(({ single }) => single !== true);
  if (found.length > 0) return together(whole.length > 0 ? whole : found);
  // `{data: [...]}`: a lone wrapped list is a list of facts.
  const [only] = fields.values();
  return fields.size === 1 && Array.isArray(only) && only.length > 0 ? partsOfReply(only, MAX_WRAPPERS) : undefined;
}

/** An answer that gives the number of its message gives it to each of its items that has none. */
function ofMessage(items: ReplyParts, message: unknown): ReplyParts {
  if (message === undefined) return items;
  const numbered = PARTS.flatMap((part) => {
    const own = items[part];
    return own === undefined ? [] : [[part, own.map((item) => withMessage(part, item, message))]];
  });
  return { ...items, ...Object.fromEntries(numbered) };
}

function withMessage(part: (typeof PARTS)[number], item: unknown, message: unknown): unknown {
  if (isRelation(item) && Array.isArray(item)) return { subject: item[0], predicate: item[1], object: item[2], message };
  const fields = fieldsOf(item);
  if (fields !== undefined) return pick(fields, MESSAGE) === undefined ? { ...(item as object), message } : item;
  if (text(item) === undefined || part === 'relations') return item;
  return part === 'facts' ? { text: item, message } : { name: item, message };
}

/** The key without what it carries besides: "extracted_facts", "entity_list", "fact_2". */
function bareKey(folded: string): string {
  return folded.replace(/^extracted|list$|\d+$/g, '');
}

/** Whether a key of JSON, as it is written there, names a part. */
export function isPartKey(written: string): boolean {
  return PART_KEYS.has(bareKey(written.toLowerCase().replace(/[^a-z0-9]/g, '')));
}

/** The fields by their bare keys, those of one key in one list. */
function putTogether(fields: Fields): Fields {
  const parts = new Map<string, unknown>();
  for (const [written, field] of fields) {
    const key = bareKey(written);
    const before = parts.get(key);
    parts.set(key, before === undefined || before === null ? field : [...list(unpacked(before)), ...list(unpacked(field ?? []))]);
  }
  return parts;
}

/** Keys in another language name no part, and yet what they hold is not to vanish without a word. */
function unknownItems(value: object): number {
  const lists = Object.entries(value).flatMap(([key, field]) => (isPartKey(key) ? [] : [unpacked(field)]));
  return lists.flatMap((items) => (Array.isArray(items) ? items.filter((item) => fieldsOf(item) !== undefined || typeof item !== 'number') : []))
    .length;
}

/** The arguments of a tool call, and at times single lists and items, come as JSON inside a string. Null, which is no item, where it is broken. */
function unpacked(value: unknown): unknown {
  return typeof value === 'string' ? unpackJson(value, isPartKey) : value;
}

function isList(fields: Fields, key: string): boolean {
  const value = fields.get(key);
  // A schema that the model repeats has `{type: "array"}` in these places.
  return (
    Array.isArray(value) || typeof value === 'string' || value === null || (fieldsOf(value) !== undefined && fieldsOf(value)?.get('type') !== 'array')
  );
}

const BULLET = /^\s*(?:[-*•]|\d+[.)])\s+/;

/** Numbered items (`{fact_1: ..., fact_2: ...}`) and the lines of a text are a list as well. */
function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value.map(unpacked);
  if (typeof value === 'string') return value.split(/\n+/).map((line) => unpacked(line.replace(BULLET, '')));
  const keys = fieldsOf(value) === undefined ? [] : Object.keys(value as object);
  return keys.length > 0 && keys.every((key) => /\d$/.test(key)) ? Object.values(value as object) : [value];
}

/** Entities may come as `{name: type}`, `{name: {type}}` or `{type: [names]}` too. */
function entityList(value: unknown): readonly unknown[] {
  const fields = fieldsOf(value);
  if (fields === undefined || pick(fields, ENTITY_NAME) !== undefined) return list(value);
  return Object.entries(value as object).flatMap(([key, field]): readonly unknown[] => {
    if (Array.isArray(field)) return field.map((item) => (fieldsOf(item) === undefined ? { name: item, type: key } : { type: key, ...item }));
    return [fieldsOf(field) === undefined ? { name: key, type: field } : { name: key, ...field }];
  });
}

export function factText(item: unknown): string | undefined {
  const fields = fieldsOf(item);
  const written = fields === undefined ? item : unpacked(pick(fields, FACT_TEXT));
  const inner = fieldsOf(written);
  const found = text(inner === undefined ? written : pick(inner, FACT_TEXT));
  return found === undefined || saysNothing(found) ? undefined : found;
}

export function isRelation(item: unknown): boolean {
  if (Array.isArray(item)) return item.length === 3;
  const fields = fieldsOf(item);
  return fields !== undefined && relationEnd(fields, SUBJECT) !== undefined && relationEnd(fields, OBJECT) !== undefined;
}

/** What stands at one end of a relation. */
export function relationEnd(fields: Fields, keys: readonly string[]): unknown {
  return pick(fields, keys) ?? [...fields].find(([key, value]) => value !== null && keys.includes(key.replace(END_WORDS, '')))?.[1];
}
