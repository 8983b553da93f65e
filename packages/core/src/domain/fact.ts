import type { Metadata } from './json.ts';
import type { Role } from './message.ts';
import type { Timestamp } from './time.ts';

/** Who derived a fact: a language model, the built-in rules (low confidence), or the caller who supplied it. */
export type FactOrigin = 'model' | 'rules' | 'caller';

/**
 * Something held to be true, as a sentence that stands alone. With `subjectId`, `predicate` and `objectId` it is also an edge of the graph.
 * Never deleted by a contradiction: `validAt`/`invalidAt` say when it held in the world, `createdAt` when the record learned of it and
 * `expiredAt` when the record learned of its end. An end that is its beginning means that it never held (a correction). Where only the end was
 * told there is no `validAt`: nobody knows since when it held.
 */
export interface Fact {
  readonly id: string;
  readonly userId: string;
  readonly text: string;
  readonly subjectId?: string;
  /** The extractor's own wording; a property, never an identifier in a query. */
  readonly predicate?: string;
  readonly objectId?: string;
  /** Names what the subject has one value of at a time ("place", "employer"); absent where several such facts may hold together. */
  readonly slot?: string;
  /** All entities the fact is about, subject and object included. */
  readonly entityIds: readonly string[];
  /** Episodes that state it. */
  readonly evidence: readonly string[];
  readonly validAt?: Timestamp;
  readonly invalidAt?: Timestamp;
  readonly createdAt: Timestamp;
  readonly expiredAt?: Timestamp;
  /** 0 to 1. */
  readonly confidence: number;
  /** 0 to 1. */
  readonly importance: number;
  readonly origin: FactOrigin;
  /** Role of the speaker who stated it. */
  readonly saidBy: Role;
  readonly properties: Metadata;
}

/** Before all that anybody tells of. */
const ALWAYS: Timestamp = '0001-01-01T00:00:00.000Z';

type Times = Pick<Fact, 'validAt' | 'invalidAt' | 'createdAt'>;

/** Since when it holds; since always where only its end was told. */
export function startOf(fact: Times): Timestamp {
  return fact.validAt ?? (onlyEnd(fact) === undefined ? fact.createdAt : ALWAYS);
}

/** The day that it tells of: that of its beginning, or of its end where only that was told. */
export function dayOf(fact: Times): Timestamp {
  return fact.validAt ?? onlyEnd(fact) ?? fact.createdAt;
}

function onlyEnd({ validAt, invalidAt, createdAt }: Times): Timestamp | undefined {
  return validAt === undefined && invalidAt !== undefined && invalidAt < createdAt ? invalidAt : undefined;
}
