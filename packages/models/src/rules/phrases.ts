import type { Chunk, NounPhrase } from './chunks.ts';
import { type Author, type Named, nameOf, plainName } from './noun-phrases.ts';
import { ATTRIBUTES } from './vocabulary.ts';

export interface Objects {
  readonly named: readonly Named[];
  /** Index behind the phrase. */
  readonly end: number;
  /** True where the phrase turned out to be the subject of the next verb. */
  readonly isSubject: boolean;
}

/** What the noun phrases of one sentence name, singly and in lists. */
export class PhraseReader {
  /** People named so far, for "she". */
  readonly people = new Map<string, Named>();
  readonly #chunks: readonly Chunk[];
  readonly #author: Author;

  constructor(chunks: readonly Chunk[], author: Author) {
    this.#chunks = chunks;
    this.#author = author;
  }

  named(phrase: NounPhrase | undefined): readonly Named[] {
    if (phrase === undefined) return [];
    const pronoun = phrase.words.length === 1 ? phrase.words[0]?.lower : undefined;
    if (pronoun === 'he' || pronoun === 'she') {
      const [only, another] = [...this.people.values()];
      return only !== undefined && another === undefined ? [only] : [];
    }
    const named = nameOf(phrase, this.#author);
    return named === undefined ? [] : [named];
  }

  withOf(head: NounPhrase, of: NounPhrase): readonly Named[] {
    const [outer, inner] = [nameOf(head, this.#author), nameOf(of, this.#author)];
    if (outer === undefined || inner === undefined || outer.isAuthor || inner.isAuthor) return [];
    // "The status of the ticket" is an attribute of the ticket.
    const attribute = outer.noun !== undefined && ATTRIBUTES.has(outer.noun) ? { owner: inner.name, attribute: outer.name } : {};
    return [{ ...outer, ...attribute, name: `${outer.name} of ${inner.name}`, hasName: outer.hasName || inner.hasName, noun: outer.noun }];
  }

  wordAt(at: number, kind: Chunk['kind']): string | undefined {
    const chunk = this.#chunks[at];
    return chunk?.kind === kind && 'word' in chunk ? chunk.word : undefined;
  }

  /** What an attribute can have for a value: also a number or an adjective, which name nothing elsewhere. */
  value(at: number): Named | undefined {
    const chunk = this.#chunks[at];
    if (chunk?.kind === 'adjective') return plainName(chunk.word);
    if (chunk?.kind === 'time' && /\d/.test(chunk.text ?? '')) return plainName(chunk.text ?? '');
    if (chunk?.kind !== 'noun') return undefined;
    const isNumber = this.isMeasure(at) || chunk.words.every((word) => word.part === 'NUM');
    return isNumber ? plainName(textOf(chunk)) : nameOf(chunk, this.#author);
  }

  /** "900 euros", "$950", "40 minutes": how much it is. A day is no measure. */
  isMeasure(at: number): boolean {
    const chunk = this.#chunks[at];
    if (chunk?.kind === 'time') return /^\d[\d.,]* (?:second|minute|hour|day|week|month|year)s?$/.test(chunk.text ?? '');
    return chunk?.kind === 'noun' && /^\p{Sc}?\d[\d.,]*k?(?: \p{L}+)?$/u.test(textOf(chunk));
  }

  /** The noun phrase at an index with those that "and" and commas join to it, and with its "of". */
  objects(start: number): Objects {
    const named: Named[] = [];
    let at = start;
    for (;;) {
      const phrase = this.#chunks[at];
      if (phrase?.kind !== 'noun') return { named, end: at, isSubject: false };
      const next = this.#chunks[at + 1];
      const ofPhrase = this.#chunks[at + 2];
      const joined = next?.kind === 'preposition' && next.word === 'of' && ofPhrase?.kind === 'noun' ? ofPhrase : undefined;
      const end = joined === undefined ? at + 1 : at + 3;
      const after = this.#chunks[end];
      // "I fixed the build and Alice deployed it": Alice does something herself.
      if (after?.kind === 'verb' && after.participle === undefined)
        return named.length > 0 ? { named, end: at - 1, isSubject: false } : { named: [], end, isSubject: true };
      named.push(...(joined === undefined ? this.named(phrase) : this.withOf(phrase, joined)));
      const listed = after?.kind === 'and' || (after?.kind === 'comma' && after.word === ',' && this.#isListed(end));
      if (!listed || this.#chunks[end + 1]?.kind !== 'noun') {
        const both = after?.kind === 'comma' && this.#chunks[end + 1]?.kind === 'and' && this.#chunks[end + 2]?.kind === 'noun';
        if (!both) return { named, end, isSubject: false };
        at = end + 2;
      } else at = end + 1;
    }
  }

  /** A comma joins objects only in a list that ends with "and": "rice, beans and corn". */
  #isListed(at: number): boolean {
    for (let i = at; i < this.#chunks.length; i += 2) {
      const [separator, item] = [this.#chunks[i], this.#chunks[i + 1]];
      if (separator?.kind === 'and') return item?.kind === 'noun';
      if (separator?.kind !== 'comma') return false;
      if (item?.kind === 'and') return true;
      if (item?.kind !== 'noun') return false;
    }
    return false;
  }
}

function textOf(phrase: NounPhrase): string {
  return phrase.words.map((word) => word.text).join(' ');
}
