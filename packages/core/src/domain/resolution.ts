import type { Mention } from './change-set.ts';
import type { Entity } from './entity.ts';
import type { NewEpisode } from './episode.ts';
import type { SkippedItem } from './extraction.ts';
import type { Fact } from './fact.ts';

/** An extraction whose names have become entities and whose statements have become facts with ids; nothing is decided or written yet. */
export interface Resolution {
  readonly episodes: readonly NewEpisode[];
  /** Entities that are met: new ones, and known ones with the spellings they gain. */
  readonly entities: readonly Entity[];
  readonly facts: readonly Fact[];
  readonly mentions: readonly Mention[];
  /** Facts of the store with the ids of `facts`. */
  readonly known: ReadonlyMap<string, Fact>;
  readonly skipped: readonly SkippedItem[];
}
