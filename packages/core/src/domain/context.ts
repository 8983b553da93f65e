import type { ChannelScore, Hop, ScoreParts } from './candidate.ts';
import type { Outdated } from './episode.ts';
import type { Metadata } from './json.ts';
import type { Role } from './message.ts';
import type { RecordKind } from './record-kind.ts';
import type { Timestamp } from './time.ts';

/** One recalled memory. `text` is the original, letter for letter; escaping happens only in the packed text. */
export interface ContextItem {
  readonly id: string;
  readonly kind: RecordKind;
  readonly text: string;
  readonly at?: Timestamp;
  /** World time until when it held; absent where it still holds, as far as is known. */
  readonly until?: Timestamp;
  /** A turn of which something no longer holds. */
  readonly outdated?: Outdated;
  /** The same in the author's own zone, for people: `2024-03-01 18:30`, or the day of a fact in the zone of the turn that told it. */
  readonly localTime: string;
  readonly role: Role;
  readonly speaker?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  readonly metadata: Metadata;
  readonly score: number;
  /** Episodes that the item rests on: a raw turn's own id first, then those of duplicates that were folded into it. */
  readonly evidence: readonly string[];
  /** Facts read out of the same turn, folded into it. */
  readonly facts: readonly string[];
  readonly channels: readonly ChannelScore[];
  /** What each consideration added to the score; the parts sum up to it. */
  readonly parts: ScoreParts;
  readonly path: readonly Hop[];
  /** Number to cite the item by in the packed text, counted from 1. */
  readonly citation: number;
  /** Tokens of its line in the packed text. */
  readonly tokens: number;
  /** True where the packed text holds only its beginning, since nothing fitted whole. `text` is whole all the same. */
  readonly shortened?: boolean;
}

export interface TokenReport {
  readonly counter: string;
  readonly budget: number;
  readonly used: number;
  readonly byComponent: Readonly<Record<string, number>>;
}

/** A memory that was found but left out of the context. */
export interface OmittedItem {
  readonly id: string;
  readonly kind: RecordKind;
  readonly reason: 'budget' | 'duplicate' | 'threshold' | 'top-k';
  readonly score: number;
  /** Tokens of its line, where the budget left it out. */
  readonly tokens?: number;
  /** The record that says the same and stayed, where one of those recalled does. */
  readonly duplicateOf?: string;
  /** The first words, for people who look into why. */
  readonly preview: string;
}

export interface Context {
  readonly query: string;
  readonly items: readonly ContextItem[];
  /** The items as text for a prompt, within the budget, fenced as data. Empty where nothing was found. */
  readonly text: string;
  readonly tokens: TokenReport;
  /** How sure one can be, 0 to 1, that the memory holds the answer; .5 is even odds. Does not depend on the budget. */
  readonly answerability: number;
  readonly omitted: readonly OmittedItem[];
  /** What was missing while answering, in words; empty when everything answered. */
  readonly degraded: readonly string[];
  /** The question that this answer was made for, where it came out of the semantic cache. */
  readonly cachedFrom?: string;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}
