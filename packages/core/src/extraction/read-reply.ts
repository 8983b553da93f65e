import type { ExtractedEntity, ExtractedFact, ExtractedRelation, Extraction, SkippedItem } from '../domain/extraction.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { GenerateReply } from '../ports/language-model.ts';
import { day, type Fields, fieldsOf, MAX_NAME_LENGTH, name, names, number, pick, properties, share, text } from './reply-fields.ts';
import { findJson, type UnusableReply } from './reply-json.ts';
import { MessageFinder, type ShownMessage } from './said-by.ts';

export type ReadReply = ({ readonly status: 'read' } & Pick<Extraction, 'entities' | 'relations' | 'facts' | 'skipped'>) | UnusableReply;

/** A part that a reply does not have is absent. */
interface RawItems {
  readonly facts?: readonly unknown[];
  readonly entities?: readonly unknown[];
  readonly relations?: readonly unknown[];
  /** The value was one item, as in JSON lines, and no list of them. */
  readonly single?: true;
}

const PARTS = ['facts', 'entities', 'relations'] as const;

const KEYS = {
  facts: ['facts', 'fact', 'memories', 'memory', 'statements', 'observations'],
  entities: ['entities', 'entity', 'nodes'],
  relations: ['relations', 'relation', 'relationships', 'relationship', 'triples', 'triplets', 'edges'],
};
const FACT_TEXT = ['text', 'fact', 'content', 'memory', 'statement', 'sentence'];
const ENTITY_NAME = ['name', 'entity', 'label', 'entityname', 'text', 'id'];
const ENTITY_TYPE = ['type', 'entitytype', 'category'];
const SUBJECT = ['subject', 'source', 'from', 'head', 'start', 'subj', '1'];
const PREDICATE = ['predicate', 'relation', 'relationship', 'type', 'relationtype', 'label', 'pred'];
const OBJECT = ['object', 'target', 'to', 'tail', 'end', 'destination', 'obj', '2'];
/** "source_entity", "sourceNodeId", "entity1": what names of the two ends carry besides. */
const END_WORDS = /entity|node|name|id/g;
const MESSAGE = ['message', 'messagenumber', 'messageindex', 'episode'];
const AUTHOR = ['role', 'saidby', 'speaker', 'attributedto', 'author'];
const SINCE = ['since', 'validat', 'validfrom', 'date', 'when'];
const UNTIL = ['until', 'invalidat', 'validuntil', 'validto'];
const REPLACES = ['replaces', 'replacesfacts', 'supersedes'];
const MAX_WRAPPERS = 4;

/**
 * Reads a model's reply, damaged or not, into the parts of an `Extraction`. Pure. A malformed item is skipped and counted, and never takes
 * the others with it; a reply that was cut off, is empty or foreign is unusable as a whole. An empty list of each is plain "nothing".
 * @param messages those that the model was shown; items carry an index into them
 * @param knownCount how many known facts it was shown; a number that is none of them is left out and counted
 */
export function readReply(
  reply: Partial<Pick<GenerateReply, 'text' | 'finishReason'>>,
  messages: readonly ShownMessage[],
  knownCount = 0,
): ReadReply {
  const found = findJson(reply, (value) => recognise(value), join);
  return found.status === 'found' ? new ItemReader(messages, knownCount).read(found.value) : found;
}

/** Lists of different parts belong together, and so do items one a line; two lists of one part are a draft and its better. */
function join(earlier: RawItems, later: RawItems, between: string): RawItems | undefined {
  const areLines = earlier.single === true && later.single === true && /^[\s,]*$/.test(between);
  if (!areLines && PARTS.some((part) => earlier[part] !== undefined && later[part] !== undefined)) return undefined;
  return together([earlier, later]);
}

function together(all: readonly RawItems[]): RawItems {
  const given = PARTS.filter((part) => all.some((items) => items[part] !== undefined));
  const parts = Object.fromEntries(given.map((part) => [part, all.flatMap((items) => items[part] ?? [])]));
  return all.every(({ single }) => single === true) ? { ...parts, single: true } : parts;
}

function recognise(value: unknown, wrappers = 0): RawItems | undefined {
  if (!Array.isArray(value)) return recogniseObject(value, wrappers);
  const isItem = (item: unknown) => typeof item === 'string' || factText(item) !== undefined || isRelation(item);
  return answersIn(value, wrappers) ?? (value.every(isItem) ? { facts: value } : undefined);
}

/** A list of whole answers, such as tool calls. */
function answersIn(values: readonly unknown[], wrappers: number): RawItems | undefined {
  const found = values.map((value) => recogniseObject(value, wrappers + 1)).filter((items) => items !== undefined && items.single !== true);
  return found.length > 0 && found.length === values.length ? together(found as RawItems[]) : undefined;
}

function recogniseObject(value: unknown, wrappers: number): RawItems | undefined {
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  if (isRelation(value) && pick(fields, PREDICATE) !== undefined) return { relations: [value], single: true };
  const parts = partsOf(fields);
  if (PARTS.some((part) => KEYS[part].some((key) => isList(parts, key)))) {
    const [facts, entities, relations] = PARTS.map((part) => unpacked(pick(parts, KEYS[part])));
    return {
      ...(facts === undefined ? {} : { facts: list(facts) }),
      ...(entities === undefined ? {} : { entities: entityList(entities) }),
      ...(relations === undefined ? {} : { relations: list(relations) }),
      ...(typeof fields.get('fact') === 'string' ? { single: true } : {}),
    };
  }
  if (wrappers >= MAX_WRAPPERS) return undefined;
  for (const field of fields.values()) {
    const inner = unpacked(field);
    const items = Array.isArray(inner) ? answersIn(inner, wrappers) : recogniseObject(inner, wrappers + 1);
    if (items !== undefined) return items;
  }
  // `{data: [...]}`: a lone wrapped list is a list of facts.
  const [only] = fields.values();
  return fields.size === 1 && Array.isArray(only) && only.length > 0 ? recognise(only, MAX_WRAPPERS) : undefined;
}

/** The fields without what their keys carry besides, those of one key put together: "extracted_facts", "entity_list", "fact_2". */
function partsOf(fields: Fields): Fields {
  const parts = new Map<string, unknown>();
  for (const [written, field] of fields) {
    const key = written.replace(/^extracted|list$|\d+$/g, '');
    const before = parts.get(key);
    parts.set(key, before === undefined || before === null ? field : [...list(unpacked(before)), ...list(unpacked(field ?? []))]);
  }
  return parts;
}

/** The arguments of a tool call, and at times single lists, come as JSON inside a string. */
function unpacked(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
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
  if (typeof value === 'string') return value.split(/\n+/).map((line) => line.replace(BULLET, ''));
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

function factText(item: unknown): string | undefined {
  const fields = fieldsOf(item);
  if (fields === undefined) return text(item);
  const written = pick(fields, FACT_TEXT);
  const inner = fieldsOf(written);
  return text(inner === undefined ? written : pick(inner, FACT_TEXT));
}

function isRelation(item: unknown): boolean {
  if (Array.isArray(item)) return item.length === 3;
  const fields = fieldsOf(item);
  return fields !== undefined && end(fields, SUBJECT) !== undefined && end(fields, OBJECT) !== undefined;
}

/** What stands at one end of a relation. */
function end(fields: Fields, keys: readonly string[]): unknown {
  return pick(fields, keys) ?? [...fields].find(([key, value]) => value !== null && keys.includes(key.replace(END_WORDS, '')))?.[1];
}

interface NamedEnd {
  readonly name: string;
  readonly type?: string;
}

class ItemReader {
  readonly #messages: MessageFinder;
  readonly #knownCount: number;
  readonly #facts: ExtractedFact[] = [];
  readonly #entities: ExtractedEntity[] = [];
  readonly #relations: ExtractedRelation[] = [];
  readonly #skipped: SkippedItem[] = [];
  readonly #known = new Set<string>();
  /** Entities that the reply numbers, by their numbers. */
  readonly #numbered = new Map<string, NamedEnd>();
  #foreign = 0;

  constructor(messages: readonly ShownMessage[], knownCount: number) {
    this.#messages = new MessageFinder(messages);
    this.#knownCount = knownCount;
  }

  read(items: RawItems): ReadReply {
    for (const item of items.entities ?? []) this.#entity(item);
    for (const item of items.facts ?? []) this.#fact(item);
    for (const item of items.relations ?? []) this.#relation(item);
    if (this.#foreign > 0 && this.#facts.length + this.#entities.length + this.#relations.length === 0) {
      return { status: 'unusable', reason: 'no item of the reply had one of the expected shapes', cut: false };
    }
    return { status: 'read', entities: this.#entities, relations: this.#relations, facts: this.#facts, skipped: this.#skipped };
  }

  #entity(item: unknown): void {
    const fields = fieldsOf(item);
    const written = fields === undefined ? item : pick(fields, ENTITY_NAME);
    const entityName = name(written);
    if (entityName === undefined) {
      this.#skip('entity', written);
      return;
    }
    const type = fields === undefined ? undefined : text(pick(fields, ENTITY_TYPE));
    const aliases = fields === undefined ? [] : names(fields.get('aliases')).filter((alias) => alias !== entityName);
    this.#known.add(normalForm(entityName));
    const number = text(fields?.get('id'));
    if (number !== undefined) this.#numbered.set(number, { name: entityName, ...(type === undefined ? {} : { type }) });
    this.#entities.push({
      name: entityName,
      ...(type === undefined ? {} : { type }),
      ...(aliases.length === 0 ? {} : { aliases }),
      ...this.#episode(fields, entityName),
    });
  }

  #fact(item: unknown): void {
    const written = factText(item);
    if (written === undefined) {
      if (isRelation(item)) this.#relation(item);
      else this.#skip('fact', fieldsOf(item) === undefined ? item : undefined);
      return;
    }
    const fields = fieldsOf(item);
    const about = fields === undefined ? [] : names(pick(fields, ['about', 'entities']));
    this.#facts.push({
      text: written,
      ...(about.length === 0 ? {} : { about }),
      ...this.#episode(fields, written),
      ...circumstances(fields),
      ...this.#replaces(fields),
    });
  }

  #relation(item: unknown): void {
    const fields = Array.isArray(item)
      ? new Map([
          ['subject', item[0]],
          ['predicate', item[1]],
          ['object', item[2]],
        ])
      : fieldsOf(item);
    if (fields === undefined) {
      this.#skip('relation', item);
      return;
    }
    const [from, predicate, to] = [this.#end(end(fields, SUBJECT)), text(pick(fields, PREDICATE)), this.#end(end(fields, OBJECT))];
    if (from === undefined || predicate === undefined || to === undefined) {
      this.#skipped.push({ item: 'relation', reason: 'subject, predicate or object is missing' });
      return;
    }
    const [subject, object] = [from.name, to.name];
    if (normalForm(subject) === normalForm(object) && from.type?.toLowerCase() === to.type?.toLowerCase()) {
      this.#skipped.push({ item: 'relation', reason: 'subject and object are the same' });
      return;
    }
    const sentence = text(pick(fields, ['text', 'fact', 'sentence', 'description']));
    const circumstance = properties(fields.get('properties'));
    const episode = this.#episode(fields, [subject, predicate, object, sentence].join(' '));
    this.#relations.push({
      subject,
      predicate,
      object,
      ...(from.type === undefined ? {} : { subjectType: from.type }),
      ...(to.type === undefined ? {} : { objectType: to.type }),
      ...(sentence === undefined ? {} : { text: sentence }),
      ...(circumstance === undefined ? {} : { properties: circumstance }),
      ...episode,
      ...circumstances(fields),
      ...this.#replaces(fields),
    });
    // No edge may point at an entity that does not exist.
    for (const end of [subject, object]) {
      if (this.#known.has(normalForm(end))) continue;
      this.#known.add(normalForm(end));
      this.#entities.push({ name: end, ...episode });
    }
  }

  /** A name, an entity object, or the number of an entity of this reply. */
  #end(value: unknown): NamedEnd | undefined {
    const fields = fieldsOf(value);
    const written = name(fields === undefined ? value : pick(fields, ENTITY_NAME));
    if (written === undefined) return undefined;
    const type = fields === undefined ? undefined : text(pick(fields, ENTITY_TYPE));
    const own = { name: written, ...(type === undefined ? {} : { type }) };
    return this.#known.has(normalForm(written)) ? own : (this.#numbered.get(written) ?? own);
  }

  /** The prompt counts known facts from 1. */
  #replaces(fields: Fields | undefined): { readonly replaces?: readonly number[] } {
    const written = fields === undefined ? undefined : pick(fields, REPLACES);
    if (written === undefined) return {};
    const indexes = new Set<number>();
    for (const value of Array.isArray(written) ? written : [written]) {
      const index = number(value);
      if (index !== undefined && Number.isInteger(index) && index >= 1 && index <= this.#knownCount) indexes.add(index - 1);
      else this.#skipped.push({ item: 'replacement', reason: 'it names no fact that was shown' });
    }
    return indexes.size === 0 ? {} : { replaces: [...indexes] };
  }

  #skip(item: SkippedItem['item'], written: unknown): void {
    const isText = typeof written === 'string' || typeof written === 'number';
    if (!isText) this.#foreign++;
    const tooLong = isText && String(written).trim().length > MAX_NAME_LENGTH;
    this.#skipped.push({ item, reason: tooLong ? 'too long' : isText ? 'blank' : 'no text or name' });
  }

  /** The prompt counts messages from 1. With one message there is nothing to tell apart. */
  #episode(fields: Fields | undefined, words: string): { readonly episode?: number } {
    if (this.#messages.count === 1) return { episode: 0 };
    const given = fields === undefined ? undefined : MESSAGE.map((key) => number(fields.get(key))).find((value) => value !== undefined);
    if (given !== undefined && Number.isInteger(given) && given >= 1 && given <= this.#messages.count) return { episode: given - 1 };
    const found = this.#messages.find(words, fields === undefined ? undefined : text(pick(fields, AUTHOR)));
    return found === undefined ? {} : { episode: found };
  }
}

function circumstances(fields: Fields | undefined): Pick<ExtractedFact, 'validAt' | 'invalidAt' | 'confidence' | 'importance'> {
  if (fields === undefined) return {};
  const [validAt, invalidAt] = [day(pick(fields, SINCE)), day(pick(fields, UNTIL))];
  const [confidence, importance] = [share(fields.get('confidence')), share(fields.get('importance'))];
  return {
    ...(validAt === undefined ? {} : { validAt }),
    // A day with an end before its start is a slip of the model; the start is the safer half.
    ...(invalidAt === undefined || (validAt !== undefined && invalidAt < validAt) ? {} : { invalidAt }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(importance === undefined ? {} : { importance }),
  };
}
