import type { ExtractedEntity } from '@tandem-memory/core';
import { type Author, type Named, plainName } from './noun-phrases.ts';
import type { Triple } from './triples.ts';

export interface ReadSentence {
  readonly text: string;
  readonly isStatement: boolean;
  readonly names: readonly ExtractedEntity[];
  readonly triples: readonly Triple[];
  /** The clause behind "because", as it stands. */
  readonly cause: string | undefined;
  /** It says that an earlier statement was wrong, not that the world has changed. */
  readonly corrects: boolean;
  readonly correction: Correction | undefined;
}

/** "I meant Bergen, not Oslo": a word for another. */
export interface Correction {
  readonly right: string;
  readonly wrong: string | undefined;
}

/** Characters of a text in another language than English that are read. */
const MAX_CHARACTERS = 4000;

/** The sentences of a text in any language. "Am 3. März": the point behind a number ends none. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, MAX_CHARACTERS)
    .split(/(?<=\D[.!?])\s+|(?<=[。！？])|\n+/)
    .flatMap((sentence) => (sentence.trim() === '' ? [] : [sentence.trim()]));
}

/**
 * The statement of the turns before, with the right word in the place of the wrong one. Without the wrong word only where a single statement
 * can be meant.
 */
export function correctedTriples({ right, wrong }: Correction, before: readonly Triple[]): Triple[] {
  const meant = wrong === undefined ? before : before.filter((triple) => triple.object.name.toLowerCase() === wrong.toLowerCase());
  const [only, another] = meant;
  if (only === undefined || (wrong === undefined && another !== undefined)) return [];
  return meant.slice(-1).map((triple) => ({ ...triple, object: { ...triple.object, name: right } }));
}

/** Whom a clause is about: "unknown" is somebody of whom the text does not tell who it is. */
export type Subject = Named | 'unknown';

export function me(author: Author): Subject {
  return author.name === undefined ? 'unknown' : plainName(author.name, { hasName: author.named, isAuthor: true, noun: undefined });
}

/** The author's mother, by the word that they have for her. */
export function relative(kin: string, author: Author): Subject {
  return author.name === undefined ? 'unknown' : plainName(`${author.name}'s ${kin}`, { hasName: true, owner: author.name, role: kin });
}

/** One verb for "at Naver" and "in Suwon": of what one works at the words alone don't tell that it is a company. */
export function tripleOf(subject: Named, predicate: string, object: string): Triple {
  return { subject, predicate, object: plainName(object, { hasName: !/work (?:at|in)$/.test(predicate) }) };
}
