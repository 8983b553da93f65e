import type { Metadata } from './json.ts';
import type { Role } from './message.ts';
import type { Scope } from './scope.ts';
import type { Timestamp } from './time.ts';

export type EpisodeKind = 'message' | 'text' | 'chunk';

/**
 * `pending`: saved, not read yet. `outlined`: read by the built-in rules only, a model may read it anew (`reextract`). `extracted`: read.
 * `failed`: the reader gave up, `failure` says why. `verbatim`: not to be read.
 */
export const EPISODE_STATES = ['pending', 'outlined', 'extracted', 'failed', 'verbatim'] as const;
export type EpisodeState = (typeof EPISODE_STATES)[number];

/** What became of the statements of a turn: facts that were read out of it ended. */
export interface Outdated {
  /** World time since when they no longer hold. */
  readonly since: Timestamp;
  /** The turn that says what holds instead of what ended last. */
  readonly by?: string;
  /** True where the turn says more than what ended. */
  readonly inPart: boolean;
  /** What ended, in words; questions that share none of them are not concerned. */
  readonly about: string;
}

/** One raw turn, text or document chunk, exactly as it came: the ground truth that all else is derived from. */
export interface Episode extends Scope {
  readonly id: string;
  readonly kind: EpisodeKind;
  readonly role: Role;
  readonly speaker?: string;
  readonly content: string;
  /** World time: when it was said or written. */
  readonly at: Timestamp;
  /** The author's offset from UTC, for reading "yesterday" and for showing the time. */
  readonly utcOffsetMinutes: number;
  /** Record time: when the engine saved it. */
  readonly createdAt: Timestamp;
  /** The document or file it came from. */
  readonly sourceId?: string;
  /** Episodes of one thread follow each other: a session, a document, or the messages of one call. */
  readonly threadId?: string;
  /** Order within the thread, counted from 0; given by the graph store at commit. */
  readonly position: number;
  readonly metadata: Metadata;
  readonly state: EpisodeState;
  readonly failure?: string;
  /** When its text or metadata was last changed. */
  readonly updatedAt?: Timestamp;
  readonly outdated?: Outdated;
}

/** An episode on its way into the store: its place in the thread is not known yet, save for one that was exported with it. */
export type NewEpisode = Omit<Episode, 'position'> & { readonly position?: number };
