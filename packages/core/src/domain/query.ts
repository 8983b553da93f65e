import type { IndexFilter, WeightedTerm } from './index-record.ts';

export interface CalendarDate {
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  readonly day?: number;
}

export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** From the first day of one date to the last of another; open on the side that is not named. */
export interface DateSpan {
  readonly from?: CalendarDate;
  readonly until?: CalendarDate;
  readonly before?: CalendarDate;
}

/** A time that a question names. What is relative is so to the day on which it is asked. */
export type QuestionTime =
  | CalendarDate
  | DateSpan
  /** Units from now: yesterday is the day -1, the last three weeks are -3 to 0, tomorrow is the day 1. */
  | { readonly unit: CalendarUnit; readonly first: number; readonly last: number }
  /** Such a day, from 0, Sunday, and so many more: a weekend has 2. Which one depends on whether the question looks ahead, unless it is the next. */
  | { readonly weekday: number; readonly days?: number; readonly isNext?: true }
  /** A day of a month that is not named, and as many as `days`: "on the 14th", "from the 14th to the 16th". */
  | { readonly dayOfMonth: number; readonly days?: number };

/** Whose words a question asks for. */
export interface Voice {
  readonly role: 'user' | 'assistant';
  /** Whether it asks for what one said to the other; else it is only about the user. */
  readonly said: boolean;
}

/** A question, taken apart without a model. */
export interface Query {
  readonly userId: string;
  readonly text: string;
  /** The text as it is searched: without the names of speakers, which stand in every turn and would swamp both vector and keywords (in English "I" instead). */
  readonly denseText: string;
  /** By how much they say. */
  readonly terms: readonly WeightedTerm[];
  /** Normal forms of the word sequences that may name an entity. */
  readonly nameKeys: readonly string[];
  /** Speakers of this memory whom the question names. */
  readonly speakers: readonly string[];
  /** Those of them who are asked about, not spoken to. */
  readonly subjects: readonly string[];
  /** Whether it is about what passed between them and others whom it names. */
  readonly isBetween: boolean;
  /** Absent where the question names a speaker. */
  readonly voice?: Voice;
  readonly times: readonly QuestionTime[];
  /** Whether it asks for what is to come: then a time is one that a memory tells of, not one at which it was told. */
  readonly looksAhead: boolean;
  /** Whether it asks for all of these times: "What did we talk about yesterday?" */
  readonly onlyTime: boolean;
  readonly filter: IndexFilter;
}
