import type { EntityTransfer, Mention } from './change-set.ts';
import type { Entity } from './entity.ts';
import type { NewEpisode } from './episode.ts';
import type { SkippedItem } from './extraction.ts';
import type { Fact } from './fact.ts';
import type { Timestamp } from './time.ts';
import type { Update } from './update-log.ts';

/** An extraction whose names have become entities and whose statements have become facts with ids; nothing is decided or written yet. */
export interface Resolution {
  readonly episodes: readonly NewEpisode[];
  /** Entities that are met: new ones, and known ones with the spellings they gain. */
  readonly entities: readonly Entity[];
  readonly facts: readonly Fact[];
  readonly mentions: readonly Mention[];
  /** Facts of the store with the ids of `facts`. */
  readonly known: ReadonlyMap<string, Fact>;
  /** Facts of the store about the same: in the same slot of the same subject, or with the same two ends. */
  readonly related: readonly Fact[];
  /** When the turns were said that state the facts of one slot, by episode id. */
  readonly saidAt: ReadonlyMap<string, Timestamp>;
  /** By episode id: places in the order in which turns were told, where it matters; those of one place were told at once. Default: nobody knows. */
  readonly toldOrder?: ReadonlyMap<string, number>;
  /** By fact id: the known facts that the extractor named as replaced by it. */
  readonly replaces: ReadonlyMap<string, readonly Fact[]>;
  /** Ids of facts that correct what was said before: that never held. */
  readonly corrections: ReadonlySet<string>;
  /** Names that were taken for known entities by more than their normal form. */
  readonly merges: readonly Update[];
  readonly skipped: readonly SkippedItem[];
  /** Known entities that somebody says are one. Default: none. */
  readonly transfers?: readonly EntityTransfer[];
  /** Merges that hold already and are told again. Default: none. */
  readonly retoldMerges?: readonly Update[];
  /** True where the text of the turn was changed: what an earlier text of it took back holds anew if this one states it again. Default false. */
  readonly retold?: boolean;
}
