import type { ExtractedEntity, ExtractedFact, ExtractedRelation, Extraction, SkippedItem } from '../domain/extraction.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { GenerateReply } from '../ports/language-model.ts';
import { day, type Fields, fieldsOf, MAX_NAME_LENGTH, name, names, number, pick, properties, share, text } from './reply-fields.ts';
import { findJson, type UnusableReply } from './reply-json.ts';
import {
  ENTITY_NAME,
  factText,
  isPartKey,
  isRelation,
  joinParts,
  MESSAGE,
  OBJECT,
  PREDICATE,
  partsOfReply,
  type ReplyParts,
  relationEnd,
  SUBJECT,
} from './reply-parts.ts';
import { MessageFinder, type ShownMessage } from './said-by.ts';

export type ReadReply = ({ readonly status: 'read' } & Pick<Extraction, 'entities' | 'relations' | 'facts' | 'skipped'>) | UnusableReply;

const ENTITY_TYPE = ['type', 'entitytype', 'category'];
const AUTHOR = ['role', 'saidby', 'speaker', 'attributedto', 'author'];
const SINCE = ['since', 'validat', 'validfrom', 'date', 'when'];
const UNTIL = ['until', 'invalidat', 'validuntil', 'validto'];
const REPLACES = ['replaces', 'replacesfacts', 'supersedes'];

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
  const found = findJson(reply, (value) => partsOfReply(value), { join: joinParts, isPart: isPartKey });
  return found.status === 'found' ? new ItemReader(messages, knownCount).read(found.value) : found;
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

  read(items: ReplyParts): ReadReply {
    for (const item of items.entities ?? []) this.#entity(item);
    for (const item of items.facts ?? []) this.#fact(item);
    for (const item of items.relations ?? []) this.#relation(item);
    for (let count = 0; count < (items.unknown ?? 0); count++) {
      this.#skipped.push({ item: 'fact', reason: 'it stands under a key that was not asked for' });
      // Without facts of their own key these may be the facts.
      if (items.facts === undefined) this.#foreign++;
    }
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
    const [from, predicate, to] = [this.#end(relationEnd(fields, SUBJECT)), text(pick(fields, PREDICATE)), this.#end(relationEnd(fields, OBJECT))];
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
