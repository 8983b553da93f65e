import type { ChannelScore, Hop } from './candidate.ts';
import type { RecordKind } from './change-set.ts';
import type { Metadata } from './json.ts';
import type { Role } from './message.ts';
import type { Timestamp } from './time.ts';

/** One recalled memory. `text` is the original, letter for letter; escaping happens only in the packed text. */
export interface ContextItem {
  readonly id: string;
  readonly kind: RecordKind;
  readonly text: string;
  readonly at?: Timestamp;
  /** World time until when it held; absent where it still holds, as far as is known. */
  readonly until?: Timestamp;
  /** The same in the author's own zone, for people: `2024-03-01 18:30`, or the day of a fact. */
  readonly localTime: string;
  readonly role: Role;
  readonly speaker?: string;
  readonly sessionId?: string;
  readonly sourceId?: string;
  readonly metadata: Metadata;
  readonly score: number;
  /** Episodes that the item rests on; the item's own id for a raw turn. */
  readonly evidence: readonly string[];
  /** Facts read out of the same turn, folded into it. */
  readonly facts: readonly string[];
  readonly channels: readonly ChannelScore[];
  readonly path: readonly Hop[];
  /** Number to cite the item by in the packed text, counted from 1. */
  readonly citation: number;
  /** Tokens of its line in the packed text. */
  readonly tokens: number;
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
  readonly tokens?: number;
}

export interface Context {
  readonly query: string;
  readonly items: readonly ContextItem[];
  /** The items as text for a prompt, within the budget, fenced as data. Empty where nothing was found. */
  readonly text: string;
  readonly tokens: TokenReport;
  readonly omitted: readonly OmittedItem[];
  /** What was missing while answering, in words; empty when everything answered. */
  readonly degraded: readonly string[];
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
}
