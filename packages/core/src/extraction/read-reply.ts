import type { ExtractedEntity, ExtractedFact, ExtractedRelation, Extraction, SkippedItem } from '../domain/extraction.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { GenerateReply } from '../ports/language-model.ts';
import { day, type Fields, fieldsOf, MAX_NAME_LENGTH, name, names, number, pick, properties, share, text } from './reply-fields.ts';
import { findJson, type UnusableReply } from './reply-json.ts';

export type ReadReply = ({ readonly status: 'read' } & Pick<Extraction, 'entities' | 'relations' | 'facts' | 'skipped'>) | UnusableReply;

interface RawItems {
  readonly facts: readonly unknown[];
  readonly entities: readonly unknown[];
  readonly relations: readonly unknown[];
}

const KEYS = {
  facts: ['facts', 'fact', 'memories', 'memory', 'statements', 'observations'],
  entities: ['entities', 'entity', 'nodes'],
  relations: ['relations', 'relation', 'relationships', 'relationship', 'triples', 'triplets', 'edges'],
};
const FACT_TEXT = ['text', 'fact', 'content', 'memory', 'statement', 'sentence'];
const ENTITY_NAME = ['name', 'entity', 'label', 'entityname', 'text', 'id'];
const ENTITY_TYPE = ['type', 'entitytype', 'category'];
const SUBJECT = ['subject', 'source', 'from', 'head', 'sourceentity', 'subj'];
const PREDICATE = ['predicate', 'relation', 'relationship', 'type', 'relationtype', 'label', 'pred'];
const OBJECT = ['object', 'target', 'to', 'tail', 'destination', 'targetentity', 'obj'];
const MESSAGE = ['message', 'messagenumber', 'messageindex', 'episode'];
const SINCE = ['since', 'validat', 'validfrom', 'date', 'when'];
const UNTIL = ['until', 'invalidat', 'validuntil', 'validto'];
const REPLACES = ['replaces', 'replacesfacts', 'supersedes'];
const MAX_WRAPPERS = 3;

/**
 * Reads a model's reply, damaged or not, into the parts of an `Extraction`. Pure. A malformed item is skipped and counted, and never takes
 * the others with it; a reply that was cut off, is empty or foreign is unusable as a whole. An empty list of each is plain "nothing".
 * @param episodeCount how many messages the model was shown; items carry an index into them
 * @param knownCount how many known facts it was shown; a number that is none of them is left out and counted
 */
export function readReply(reply: Pick<GenerateReply, 'text' | 'finishReason'>, episodeCount: number, knownCount = 0): ReadReply {
  const found = findJson(reply, (value) => recognise(value));
  return found.status === 'found' ? new ItemReader(episodeCount, knownCount).read(found.value) : found;
}

function recognise(value: unknown, wrappers = 0): RawItems | undefined {
  if (Array.isArray(value)) {
    return value.every((item) => typeof item === 'string' || factText(item) !== undefined || isRelation(item))
      ? { facts: value, entities: [], relations: [] }
      : undefined;
  }
  const fields = fieldsOf(value);
  if (fields === undefined) return undefined;
  if (isRelation(value)) return { facts: [], entities: [], relations: [value] };
  if ([KEYS.facts, KEYS.entities, KEYS.relations].some((keys) => keys.some((key) => isList(fields, key)))) {
    return {
      facts: list(pick(fields, KEYS.facts)),
      entities: entityList(pick(fields, KEYS.entities)),
      relations: list(pick(fields, KEYS.relations)),
    };
  }
  if (wrappers >= MAX_WRAPPERS) return undefined;
  for (const inner of fields.values()) {
    const items = fieldsOf(inner) === undefined ? undefined : recognise(inner, wrappers + 1);
    if (items !== undefined) return items;
  }
  // `{data: [...]}`: a lone wrapped list is a list of facts.
  const [only] = fields.values();
  return fields.size === 1 && Array.isArray(only) && only.length > 0 ? recognise(only, MAX_WRAPPERS) : undefined;
}

function isList(fields: Fields, key: string): boolean {
  const value = fields.get(key);
  // A schema that the model repeats has `{type: "array"}` in these places.
  return (
    Array.isArray(value) || typeof value === 'string' || value === null || (fieldsOf(value) !== undefined && fieldsOf(value)?.get('type') !== 'array')
  );
}

function list(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

/** Entities may come as `{name: type}` too. */
function entityList(value: unknown): readonly unknown[] {
  const fields = fieldsOf(value);
  if (fields === undefined || pick(fields, ENTITY_NAME) !== undefined) return list(value);
  return Object.entries(value as object).map(([key, type]) => ({ name: key, type }));
}

function factText(item: unknown): string | undefined {
  const fields = fieldsOf(item);
  return text(fields === undefined ? item : pick(fields, FACT_TEXT));
}

function isRelation(item: unknown): boolean {
  if (Array.isArray(item)) return item.length === 3;
  const fields = fieldsOf(item);
  return fields !== undefined && pick(fields, SUBJECT) !== undefined && pick(fields, OBJECT) !== undefined;
}

class ItemReader {
  readonly #episodeCount: number;
  readonly #knownCount: number;
  readonly #facts: ExtractedFact[] = [];
  readonly #entities: ExtractedEntity[] = [];
  readonly #relations: ExtractedRelation[] = [];
  readonly #skipped: SkippedItem[] = [];
  readonly #known = new Set<string>();
  #foreign = 0;

  constructor(episodeCount: number, knownCount: number) {
    this.#episodeCount = episodeCount;
    this.#knownCount = knownCount;
  }

  read(items: RawItems): ReadReply {
    for (const item of items.entities) this.#entity(item);
    for (const item of items.facts) this.#fact(item);
    for (const item of items.relations) this.#relation(item);
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
    this.#entities.push({
      name: entityName,
      ...(type === undefined ? {} : { type }),
      ...(aliases.length === 0 ? {} : { aliases }),
      ...this.#episode(fields),
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
      ...this.#episode(fields),
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
    const [subject, predicate, object] = [entityOf(pick(fields, SUBJECT)), text(pick(fields, PREDICATE)), entityOf(pick(fields, OBJECT))];
    if (subject === undefined || predicate === undefined || object === undefined) {
      this.#skipped.push({ item: 'relation', reason: 'subject, predicate or object is missing' });
      return;
    }
    if (normalForm(subject) === normalForm(object)) {
      this.#skipped.push({ item: 'relation', reason: 'subject and object are the same' });
      return;
    }
    const sentence = text(pick(fields, ['text', 'fact', 'sentence', 'description']));
    const circumstance = properties(fields.get('properties'));
    const episode = this.#episode(fields);
    this.#relations.push({
      subject,
      predicate,
      object,
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
  #episode(fields: Fields | undefined): { readonly episode?: number } {
    if (this.#episodeCount === 1) return { episode: 0 };
    const messageNumber = fields === undefined ? undefined : MESSAGE.map((key) => number(fields.get(key))).find((value) => value !== undefined);
    if (messageNumber === undefined || !Number.isInteger(messageNumber) || messageNumber < 1 || messageNumber > this.#episodeCount) return {};
    return { episode: messageNumber - 1 };
  }
}

/** An end of a relation: a name, or an entity object. */
function entityOf(value: unknown): string | undefined {
  const fields = fieldsOf(value);
  return name(fields === undefined ? value : pick(fields, ENTITY_NAME));
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
