import type { FactOrigin } from './fact.ts';
import type { Metadata } from './json.ts';

export interface ExtractedEntity {
  readonly name: string;
  /** Free wording of the extractor; resolution maps it to the closed set. */
  readonly type?: string;
  readonly aliases?: readonly string[];
  /** Index into the episodes that were read; undefined where the extractor did not say. */
  readonly episode?: number;
}

export interface ExtractedRelation {
  /** Who stated it, where that is not the extractor. */
  readonly origin?: FactOrigin;
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** Free wordings, where they are given with the relation: they tell two things of one name apart. */
  readonly subjectType?: string;
  readonly objectType?: string;
  readonly text?: string;
  readonly episode?: number;
  /** ISO 8601 day or moment since when, and until when, it holds in the world. */
  readonly validAt?: string;
  readonly invalidAt?: string;
  readonly confidence?: number;
  readonly importance?: number;
  readonly properties?: Metadata;
  /** Indexes into the known facts that were shown to the extractor: those that this one makes past. */
  readonly replaces?: readonly number[];
  /** True where it corrects what was said before. */
  readonly corrects?: boolean;
}

export interface ExtractedFact {
  readonly text: string;
  /** Names of the entities it is about. */
  readonly about?: readonly string[];
  readonly episode?: number;
  readonly validAt?: string;
  readonly invalidAt?: string;
  readonly confidence?: number;
  readonly importance?: number;
  readonly replaces?: readonly number[];
  readonly corrects?: boolean;
}

/** What an extractor read out of a batch of episodes, before anything is compared with the store. */
export interface Extraction {
  readonly origin: FactOrigin;
  readonly entities: readonly ExtractedEntity[];
  readonly relations: readonly ExtractedRelation[];
  readonly facts: readonly ExtractedFact[];
  /** Items that were unusable and left out, with the reason. The text of an item is never repeated here. */
  readonly skipped: readonly SkippedItem[];
  /** Calls made and tokens used; zero for rules. */
  readonly usage: ModelUsage;
}

export interface SkippedItem {
  readonly item: 'entity' | 'relation' | 'fact' | 'message' | 'replacement';
  readonly reason: string;
}

export interface ModelUsage {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

export const NO_USAGE: ModelUsage = { calls: 0, inputTokens: 0, outputTokens: 0 };
