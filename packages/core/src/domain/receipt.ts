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

/** Two names that are one entity from now on, by more than their normal form. */
export interface JoinedNames {
  /** What undoes it: `undoMerge(id)`, `tandem merges undo <id>`. */
  readonly id: string;
  readonly entityId: string;
  /** The known name, and the one that was taken for it. */
  readonly name: string;
  readonly spelling: string;
  /** Why: `alias` where somebody said so, else how the names compare (`MatchStep`). */
  readonly step: string;
  /** The turn that brought it about. */
  readonly episodeId?: string;
}

/** What `store()` did, in full: nothing is reported as stored that is not, and nothing is lost without a line here. */
export interface Receipt {
  readonly episodes: readonly StoredEpisode[];
  /** Entities that this call created or met again. */
  readonly entities: readonly { readonly id: string; readonly name: string; readonly type: string }[];
  readonly facts: readonly { readonly id: string; readonly text: string }[];
  readonly decisions: readonly Decision[];
  /** Names that this call joined. */
  readonly merges: readonly JoinedNames[];
  readonly skipped: readonly SkippedItem[];
  readonly usage: ModelUsage;
  /** True when the indexes hold everything of this call; false when the relay will bring it later, or a record was refused (`degraded` says which). */
  readonly indexed: boolean;
  readonly degraded: readonly string[];
  /** Kind of each secret in whose place a mask was stored, such as `card number`. */
  readonly masked?: readonly string[];
  /** Chunks of an earlier version of the document that its new text no longer has and that were removed. */
  readonly replaced?: number;
  /** Chunks whose text was there before and that took over the document's new metadata, title or heading. */
  readonly revised?: number;
}
