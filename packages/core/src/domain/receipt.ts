import type { Decision } from './change-set.ts';
import type { EpisodeState } from './episode.ts';
import type { ModelUsage, SkippedItem } from './extraction.ts';

export interface StoredEpisode {
  readonly id: string;
  readonly state: EpisodeState;
  /** False where the same turn was stored before. */
  readonly created: boolean;
  readonly failure?: string;
}

/** What `store()` did, in full: nothing is reported as stored that is not, and nothing is lost without a line here. */
export interface Receipt {
  readonly episodes: readonly StoredEpisode[];
  /** Entities that this call created or met again. */
  readonly entities: readonly { readonly id: string; readonly name: string; readonly type: string }[];
  readonly facts: readonly { readonly id: string; readonly text: string }[];
  readonly decisions: readonly Decision[];
  readonly skipped: readonly SkippedItem[];
  readonly usage: ModelUsage;
  /** True when the indexes hold everything of this call; false when the relay will bring it later, or a record was refused (`degraded` says which). */
  readonly indexed: boolean;
  readonly degraded: readonly string[];
  /** Kind of each secret in whose place a mask was stored, such as `card number`. */
  readonly masked?: readonly string[];
  /** Chunks of an earlier version of the document that its new text no longer has and that were removed. */
  readonly replaced?: number;
}
