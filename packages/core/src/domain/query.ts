import type { IndexFilter, WeightedTerm } from './index-record.ts';

export interface CalendarDate {
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
}

/** A question, taken apart without a model. */
export interface Query {
  readonly userId: string;
  readonly text: string;
  /** The text as it is searched: without the names of speakers, which stand in every turn and would swamp both vector and keywords (in English "I" instead). */
  readonly denseText: string;
  readonly terms: readonly WeightedTerm[];
  /** Normal forms of the word sequences that may name an entity. */
  readonly nameKeys: readonly string[];
  /** Speakers of this memory whom the question names. */
  readonly speakers: readonly string[];
  /** Calendar dates that the question names; parts that it leaves open are undefined. */
  readonly dates: readonly CalendarDate[];
  readonly filter: IndexFilter;
}
