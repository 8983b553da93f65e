import { readPredicate } from '@tandem-memory/core';
import type { Chunk, NounPhrase, VerbGroup } from './chunks.ts';
import { type Author, isPerson, type Named, nameOf, plainName } from './noun-phrases.ts';
import {
  ATTRIBUTES,
  EMPTY_VERBS,
  gerundOf,
  isState,
  NO_HABITS,
  OPINION_VERBS,
  STATE_ADJECTIVES,
  TARGET_PREPOSITIONS,
  TRANSFER_VERBS,
} from './vocabulary.ts';

export interface Triple {
  readonly subject: Named;
  readonly predicate: string;
  readonly object: Named;
  /** "In 2020", said of the verb. */
  readonly year?: string;
}

interface Objects {
  readonly named: readonly Named[];
  /** Index behind the phrase. */
  readonly end: number;
  /** True where the phrase turned out to be the subject of the next verb. */
  readonly isSubject: boolean;
}

const BREAKS_SUBJECT = new Set(['comma', 'subordinator', 'and', 'end']);

/**
 * Subject-verb-object rules over the chunks of one sentence. Careful on purpose: a wrong triple is worse than none, so what is unresolved
 * (pronouns), asked, wished, supposed or merely possible gives nothing.
 */
export function triplesOf(chunks: readonly Chunk[], author: Author): Triple[] {
  return new ClauseReader(chunks, author).read();
}

class ClauseReader {
  readonly #chunks: readonly Chunk[];
  readonly #author: Author;
  readonly #triples: Triple[] = [];
  /** People named so far, for "she". */
  readonly #people = new Map<string, Named>();
  #subjects: readonly Named[] = [];
  #year: string | undefined;

  constructor(chunks: readonly Chunk[], author: Author) {
    this.#chunks = chunks;
    this.#author = author;
  }

  read(): Triple[] {
    let opinion = false;
    let told = false;
    for (const [at, chunk] of this.#chunks.entries()) {
      if (chunk.kind === 'noun') this.#noteRole(chunk);
      // Under a condition nothing is stated, on either side of it.
      if (chunk.kind === 'subordinator' && /^(?:if|unless)$/.test(chunk.word)) return [];
      if (chunk.kind === 'subordinator' && /^(?:whether|or)$/.test(chunk.word)) return this.#triples;
      if (chunk.kind !== 'verb') continue;
      const before = this.#subjects;
      this.#subjects = this.#subjectsBefore(at);
      // "I must tell you I started a class": what people say of themselves is a statement all the same.
      if (told && before.some((subject) => subject.isAuthor) && this.#subjects.some((subject) => subject.isAuthor)) opinion = false;
      told = chunk.lemma === 'tell';
      for (const subject of this.#subjects) if ((subject.hasName || isPerson(subject)) && !subject.isAuthor) this.#people.set(subject.name, subject);
      // What follows is somebody's thought; its subject must not be taken up again by "and" either.
      if (OPINION_VERBS.has(chunk.lemma)) opinion = true;
      if (opinion || chunk.hypothetical || (EMPTY_VERBS.has(chunk.lemma) && chunk.predicate !== 'be done')) continue;
      this.#year = this.#yearOf(at);
      if (this.#subjects.length > 0) this.#complements(chunk, at + 1);
      this.#year = undefined;
    }
    return this.#triples;
  }

  /** "I moved to Corran in 2020", "in 2019 I moved": not the year of another verb ("at a company founded in 1998"). */
  #yearOf(verbAt: number): string | undefined {
    const yearAt = (at: number) => {
      const phrase = this.#chunks[at + 1];
      const isIn = /^(?:in|during)$/.test(this.#wordAt(at, 'preposition') ?? '') && phrase?.kind === 'noun' && phrase.words.length === 1;
      const written = isIn ? phrase.words[0]?.text : undefined;
      return written !== undefined && /^(?:19|20)\d\d$/.test(written) ? written : undefined;
    };
    for (let at = verbAt + 1; /^(?:noun|preposition|time|and)$/.test(this.#chunks[at]?.kind ?? ''); at++) {
      // "... and in 2019 I moved": of the next clause.
      if (this.#chunks[at]?.kind === 'and' && this.#chunks[at + 1]?.kind === 'preposition') break;
      const year = yearAt(at);
      if (year !== undefined) return year;
    }
    const before = this.#chunks[verbAt - 2]?.kind === 'comma' ? verbAt - 4 : verbAt - 3;
    return this.#opensClause(before - 1) ? yearAt(before) : undefined;
  }

  /** "My sister Emma" states something by itself. */
  #noteRole(phrase: NounPhrase): void {
    const named = nameOf(phrase, this.#author);
    if (named?.role === undefined || named.owner === undefined) return;
    this.#add(named, `be ${named.role} of`, { ...named, name: named.owner, isAuthor: true, role: undefined });
    this.#people.set(named.name, named);
  }

  #subjectsBefore(at: number): readonly Named[] {
    const previous = this.#chunks[at - 1];
    if (previous?.kind === 'and') return this.#subjects;
    if (previous?.kind === 'relative') return this.#subjectsOfRelative(at - 1);
    if (previous?.kind === 'comma') {
      // "Sarah, my boss, hates": the first of the two is meant.
      const [apposition, comma, first] = [this.#chunks[at - 2], this.#chunks[at - 3], this.#chunks[at - 4]];
      return apposition?.kind === 'noun' && comma?.kind === 'comma' && first?.kind === 'noun' ? this.#named(first) : [];
    }
    if (previous?.kind !== 'noun') return [];
    const [before, beforeThat] = [this.#chunks[at - 2], this.#chunks[at - 3]];
    // The form alone says that it is a subject.
    const isNominative = previous.words.length === 1 && /^(?:i|we|he|she)$/.test(previous.words[0]?.lower ?? '');
    if (isNominative && !(before?.kind === 'and' && beforeThat?.kind === 'noun' && this.#opensClause(at - 4))) return this.#named(previous);
    if (before?.kind === 'preposition' && beforeThat?.kind === 'noun') {
      // "The owner of the hall", "the crash in production": the head comes first, if nothing else does.
      if (!this.#opensClause(at - 4)) return [];
      const head = nameOf(beforeThat, this.#author)?.noun ?? '';
      return before.word === 'of' || ATTRIBUTES.has(head) ? this.#withOf(beforeThat, previous) : this.#named(beforeThat);
    }
    if (before?.kind === 'and' && beforeThat?.kind === 'noun' && this.#opensClause(at - 4))
      return [...this.#named(beforeThat), ...this.#named(previous)];
    return this.#opensClause(at - 2) ? this.#named(previous) : [];
  }

  #opensClause(at: number): boolean {
    const chunk = this.#chunks[at];
    if (chunk?.kind === 'time') return this.#opensClause(at - 1);
    return chunk === undefined || BREAKS_SUBJECT.has(chunk.kind);
  }

  /** "Emma, who lives in Tarn"; in "I am a nurse who works nights" the one who works is I. */
  #subjectsOfRelative(at: number): readonly Named[] {
    const nounAt = this.#chunks[at - 1]?.kind === 'comma' ? at - 2 : at - 1;
    const [noun, before] = [this.#chunks[nounAt], this.#chunks[nounAt - 1]];
    if (noun?.kind !== 'noun') return [];
    return before?.kind === 'verb' && before.lemma === 'be' ? this.#subjects : this.#named(noun);
  }

  #named(phrase: NounPhrase | undefined): readonly Named[] {
    if (phrase === undefined) return [];
    const pronoun = phrase.words.length === 1 ? phrase.words[0]?.lower : undefined;
    if (pronoun === 'he' || pronoun === 'she') {
      const [only, another] = [...this.#people.values()];
      return only !== undefined && another === undefined ? [only] : [];
    }
    const named = nameOf(phrase, this.#author);
    return named === undefined ? [] : [named];
  }

  #withOf(head: NounPhrase, of: NounPhrase): readonly Named[] {
    const [outer, inner] = [nameOf(head, this.#author), nameOf(of, this.#author)];
    if (outer === undefined || inner === undefined || outer.isAuthor || inner.isAuthor) return [];
    // "The status of the ticket" is an attribute of the ticket.
    const attribute = outer.noun !== undefined && ATTRIBUTES.has(outer.noun) ? { owner: inner.name, attribute: outer.name } : {};
    return [{ ...outer, ...attribute, name: `${outer.name} of ${inner.name}`, hasName: outer.hasName || inner.hasName, noun: outer.noun }];
  }

  #complements(verb: VerbGroup, start: number): void {
    const next = this.#chunks[start];
    if (this.#change(verb, start)) return;
    const isAlone = next === undefined || /^(?:end|and|comma|time)$/.test(next.kind);
    const then = this.#chunks[start + 1]?.kind;
    const isWhen =
      (next?.kind === 'preposition' && then === 'time') || (next?.kind === 'noun' && next.words[0]?.lower === 'any' && next.words.length === 2);
    const state = verb.passive ? verb.predicate.replace(/^(?:(?:not|never|no longer) )?be /, '') : '';
    if (verb.lemma === 'be' && !verb.passive) this.#copula(verb, start);
    else if (isState(state) && isAlone) this.#state(verb, state, start);
    else if (
      (isAlone || isWhen) &&
      verb.habit !== undefined &&
      !NO_HABITS.has(verb.habit) &&
      this.#subjects.every((subject) => subject.hasName || isPerson(subject))
    )
      // "I smoke", so that "I quit smoking" and "I used to smoke" end it.
      this.#link(verb.predicate.replace(/\S+$/, 'do'), { named: [plainName(gerundOf(verb.habit))], end: start, isSubject: false });
    else if (next?.kind === 'preposition' || next?.kind === 'time') this.#prepositions(verb, start, false);
    else if (next?.kind === 'noun') this.#directObject(verb, start);
  }

  /** "The ticket is blocked", "the status of the ticket is done". */
  #state(verb: VerbGroup, word: string, end: number): void {
    const state = { named: [plainName(word)], end, isSubject: false };
    const predicate = verb.negation === undefined ? 'be' : `${verb.negation} be`;
    if (!(this.#isAttribute() && this.#ownership(verb, state))) this.#link(predicate, state);
  }

  /** "My favourite colour changed from blue to green": the new value is what it is now. */
  #change(verb: VerbGroup, start: number): boolean {
    if (
      !/^(?:change|go|move|switch|drop|rise|raise|increase|decrease|reduce|lower|extend|postpone|reschedule)$/.test(verb.lemma) ||
      verb.negation !== undefined ||
      !this.#isAttribute()
    )
      return false;
    let at = start;
    if (this.#wordAt(at, 'preposition') === 'from') at += 2;
    if (this.#wordAt(at, 'preposition') !== 'to') return false;
    const value = this.#value(at + 1);
    return value !== undefined && this.#ownership(verb, { named: [value], end: at + 2, isSubject: false });
  }

  #wordAt(at: number, kind: Chunk['kind']): string | undefined {
    const chunk = this.#chunks[at];
    return chunk?.kind === kind && 'word' in chunk ? chunk.word : undefined;
  }

  /** What an attribute can have for a value: also a number or an adjective, which name nothing elsewhere. */
  #value(at: number): Named | undefined {
    const chunk = this.#chunks[at];
    if (chunk?.kind === 'adjective') return plainName(chunk.word);
    if (chunk?.kind === 'time' && /\d/.test(chunk.text ?? '')) return plainName(chunk.text ?? '');
    if (chunk?.kind !== 'noun') return undefined;
    const isNumber = chunk.words.every((word) => word.part === 'NUM') && chunk.words.length > 0;
    return isNumber ? plainName(chunk.words.map((word) => word.text).join(' ')) : nameOf(chunk, this.#author);
  }

  #copula(verb: VerbGroup, start: number): void {
    const next = this.#chunks[start];
    const after = this.#chunks[start + 1];
    if (verb.past && this.#isAttribute()) return;
    if (verb.negation !== undefined && this.#isAttribute() && after?.kind === 'subordinator' && after.word === 'but') {
      // "not blue but green"
      const value = this.#value(start + 2);
      if (value !== undefined) this.#ownership({ ...verb, negation: undefined }, { named: [value], end: start + 3, isSubject: false });
      return;
    }
    const isBareValue = next?.kind === 'time' || (next?.kind === 'noun' && next.words.every((word) => word.part === 'NUM'));
    if (isBareValue && this.#isAttribute()) {
      const value = this.#value(start);
      if (value !== undefined) this.#ownership(verb, { named: [value], end: start + 1, isSubject: false });
      return;
    }
    if (next?.kind === 'adjective') {
      const state = { named: [plainName(next.word)], end: start + 1, isSubject: false };
      if (after?.kind === 'preposition') this.#link(`${verb.predicate} ${next.word} ${after.word}`, this.#objects(start + 2));
      else if (!(this.#isAttribute() && this.#ownership(verb, state)) && (STATE_ADJECTIVES.has(next.word) || isState(next.word)))
        this.#link(verb.predicate, state);
      return;
    }
    if (next?.kind === 'preposition') this.#prepositions(verb, start, false);
    if (next?.kind !== 'noun') return;
    const role = nameOf(next, this.#author);
    if (after?.kind === 'preposition' && role?.noun !== undefined) {
      const place = this.#objects(start + 2);
      this.#link(`${verb.predicate} ${role.name.toLowerCase()} ${after.word}`, place);
      if (after.word === 'of' || place.named.some((named) => named.hasName)) return;
    }
    const objects = this.#objects(start);
    if (this.#ownership(verb, objects)) return;
    // "I am game", "I'm meeting": without an article it is no class that one belongs to.
    const bare = next.words[0]?.part !== 'DET' && !next.hasName && !STATE_ADJECTIVES.has(next.words.at(-1)?.lower ?? '');
    if (!bare || !this.#subjects.some((subject) => subject.isAuthor)) this.#link(verb.predicate, objects);
  }

  #isAttribute(): boolean {
    return this.#subjects.some((subject) =>
      subject.name
        .toLowerCase()
        .split(' ')
        .some((word) => ATTRIBUTES.has(word)),
    );
  }

  /** "My favourite colour is green", "John's car is a Tesla": what the owner has. "The deadline is 5 May" is the deadline's own value. */
  #ownership(verb: VerbGroup, objects: Objects): boolean {
    const [subject] = this.#subjects;
    if (subject?.owner === undefined && subject?.noun !== undefined && ATTRIBUTES.has(subject.noun) && verb.negation === undefined) {
      this.#link('be set to', objects);
      return true;
    }
    if (subject?.owner === undefined || subject.noun === undefined || isPerson(subject) || verb.negation !== undefined || objects.isSubject)
      return false;
    const owner = {
      ...subject,
      name: subject.owner,
      isAuthor: subject.owner === this.#author.name,
      hasName: true,
      noun: undefined,
      owner: undefined,
      attribute: undefined,
    };
    for (const object of objects.named)
      this.#add(owner, (subject.attribute ?? subject.name.replace(`${subject.owner}'s `, '')).toLowerCase(), object);
    return true;
  }

  /** "lives in Tarn with Emma": each preposition with its noun; a common noun only directly behind the verb. */
  #prepositions(verb: VerbGroup, start: number, afterObject: boolean): void {
    let at = start;
    let first = true;
    while (this.#chunks[at]?.kind === 'preposition' || this.#chunks[at]?.kind === 'time') {
      const words: string[] = [];
      for (let chunk = this.#chunks[at]; chunk?.kind === 'preposition'; chunk = this.#chunks[++at]) words.push(chunk.word);
      if (this.#chunks[at]?.kind === 'time') {
        at++;
        continue;
      }
      const agent = verb.passive && words.join(' ') === 'by';
      const objects = this.#objects(at);
      if (agent) {
        const active = verb.negation === undefined ? verb.lemma : `${verb.negation} ${verb.lemma}`;
        for (const doer of objects.named) for (const subject of this.#subjects) this.#add(doer, active, subject);
        return;
      }
      // "I am over the moon" is no place.
      const idiom = verb.lemma === 'be' && !verb.passive && this.#subjects.some((subject) => subject.isAuthor);
      const takes = objects.named.filter((named) => named.hasName || (first && !afterObject && !idiom));
      this.#link(`${verb.predicate} ${words.join(' ')}`, { ...objects, named: takes });
      if (objects.end === at) return;
      at = objects.end;
      first = false;
    }
  }

  #directObject(verb: VerbGroup, start: number): void {
    let at = start;
    const phrase = this.#chunks[at];
    const following = this.#chunks[at + 1];
    // "gives me headaches": the thing is the object, the person only receives it.
    if (phrase?.kind === 'noun' && phrase.words[0]?.part === 'PRON' && phrase.words.length === 1 && following?.kind === 'noun') at++;
    const objects = this.#objects(at);
    if (objects.isSubject || objects.named.length === 0) return;
    const preposition = this.#chunks[objects.end];
    if (TRANSFER_VERBS.has(verb.lemma) && preposition?.kind === 'preposition' && TARGET_PREPOSITIONS.has(preposition.word)) {
      const target = this.#objects(objects.end + 1);
      for (const moved of objects.named) for (const object of target.named) this.#add(moved, `${verb.predicate} ${preposition.word}`, object);
      return;
    }
    const named = this.#chunks[objects.end];
    const name = this.#objects(objects.end + 1);
    if (named?.kind === 'verb' && /^(?:named|called)$/.test(named.participle ?? '') && name.named.length > 0) {
      this.#link(verb.predicate, name);
      for (const subject of name.named) for (const object of objects.named) this.#add(subject, 'be', object);
      return;
    }
    this.#link(verb.predicate, objects);
    this.#prepositions(verb, objects.end, true);
  }

  /** The noun phrase at an index with those that "and" and commas join to it, and with its "of". */
  #objects(start: number): Objects {
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
      named.push(...(joined === undefined ? this.#named(phrase) : this.#withOf(phrase, joined)));
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

  #link(predicate: string, objects: Objects): void {
    if (objects.isSubject) return;
    for (const subject of this.#subjects) {
      for (const object of objects.named) this.#add(subject, object.negated ? `not ${predicate}` : predicate, object);
    }
  }

  #add(subject: Named, predicate: string, value: Named): void {
    const counts = value.quantity !== undefined && readPredicate(predicate, value.name).slot !== undefined;
    const object = counts ? { ...value, name: `${value.quantity} ${value.name}` } : value;
    const slotOf = (wording: string) => readPredicate(wording, object.name, subject.name).slot;
    // "My wife is a Dane" names nobody: the article makes the difference.
    const wording = value.indefinite === true && slotOf(predicate) !== slotOf(`${predicate} a`) ? `${predicate} a` : predicate;
    if (subject.name.toLowerCase() !== object.name.toLowerCase())
      this.#triples.push({ subject, predicate: wording, object, ...(this.#year === undefined ? {} : { year: this.#year }) });
  }
}
