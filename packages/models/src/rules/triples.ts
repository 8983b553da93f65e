import { readPredicate } from '@tandem-memory/core';
import type { Chunk, NounPhrase, VerbGroup } from './chunks.ts';
import { opensClause, yearOf } from './clauses.ts';
import { limitByObject, limited } from './frames.ts';
import { lifeEvents } from './life-events.ts';
import { type Author, isPerson, type Named, nameOf, plainName } from './noun-phrases.ts';
import { type Objects, PhraseReader } from './phrases.ts';
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

/** Of two objects the first receives the second. */
const RECEIVED = new Set('leave give send sell offer lend buy show bring pass hand owe tell teach'.split(' '));
const PUT = new Set('at in on with under by near behind inside outside'.split(' '));
const MEASURE = /^\p{Sc}?\d/u;

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
  readonly #phrases: PhraseReader;
  #subjects: readonly Named[] = [];
  #year: string | undefined;
  #verb: VerbGroup | undefined;

  constructor(chunks: readonly Chunk[], author: Author) {
    this.#chunks = chunks;
    this.#author = author;
    this.#phrases = new PhraseReader(chunks, author);
  }

  read(): Triple[] {
    let opinion = false;
    let told = false;
    for (const [at, chunk] of this.#chunks.entries()) {
      if (chunk.kind === 'noun') this.#noteRole(chunk);
      // Under a condition nothing is stated, on either side of it.
      if (chunk.kind === 'subordinator' && /^(?:if|unless)$/.test(chunk.word)) return [];
      if (chunk.kind === 'subordinator' && /^(?:whether|or)$/.test(chunk.word)) return this.#triples;
      // "It is not true that I moved"
      if (chunk.kind === 'subordinator' && chunk.word === 'that' && this.#verb?.negation !== undefined) opinion = true;
      if (chunk.kind !== 'verb') continue;
      const before = this.#subjects;
      this.#subjects = this.#subjectsBefore(at);
      // "I must tell you I started a class": what people say of themselves is a statement all the same.
      if (told && before.some((subject) => subject.isAuthor) && this.#subjects.some((subject) => subject.isAuthor)) opinion = false;
      told = chunk.lemma === 'tell';
      for (const subject of this.#subjects)
        if ((subject.hasName || isPerson(subject)) && !subject.isAuthor) this.#phrases.people.set(subject.name, subject);
      // What follows is somebody's thought; its subject must not be taken up again by "and" either.
      // "Guess what, I moved"
      const what = this.#chunks[at + 1];
      if (OPINION_VERBS.has(chunk.lemma) && !(at === 0 && what?.kind === 'noun' && what.words[0]?.lower === 'what')) opinion = true;
      if (opinion || chunk.hypothetical) continue;
      this.#verb = chunk;
      const clause = { verb: chunk, subjects: this.#subjects, rest: this.#chunks.slice(at + 1), author: this.#author };
      for (const { subject, predicate, object } of lifeEvents(clause)) this.#add(subject, predicate, object);
      // "I do yoga": with a bare noun it says what.
      const object = this.#chunks[at + 1];
      const isActivity = chunk.lemma === 'do' && object?.kind === 'noun' && object.words.every((word) => word.part === 'NOUN');
      if (EMPTY_VERBS.has(chunk.lemma) && chunk.predicate !== 'be done' && !isActivity) continue;
      this.#year = yearOf(this.#chunks, at);
      if (this.#subjects.length > 0) this.#complements(chunk, at + 1);
      this.#year = undefined;
    }
    return this.#triples;
  }

  /** "My sister Emma" states something by itself. */
  #noteRole(phrase: NounPhrase): void {
    const named = nameOf(phrase, this.#author);
    if (named?.role === undefined || named.owner === undefined) return;
    this.#add(named, `be ${named.role} of`, { ...named, name: named.owner, isAuthor: true, role: undefined });
    this.#phrases.people.set(named.name, named);
  }

  #subjectsBefore(at: number): readonly Named[] {
    const previous = this.#chunks[at - 1];
    if (previous?.kind === 'and') return this.#subjects;
    if (previous?.kind === 'relative') return this.#subjectsOfRelative(at - 1);
    if (previous?.kind === 'comma') {
      // "Sarah, my boss, hates": the first of the two is meant.
      const [apposition, comma, first] = [this.#chunks[at - 2], this.#chunks[at - 3], this.#chunks[at - 4]];
      return apposition?.kind === 'noun' && comma?.kind === 'comma' && first?.kind === 'noun' ? this.#phrases.named(first) : [];
    }
    if (previous?.kind !== 'noun') return [];
    const [before, beforeThat] = [this.#chunks[at - 2], this.#chunks[at - 3]];
    // The form alone says that it is a subject.
    const isNominative = previous.words.length === 1 && /^(?:i|we|he|she)$/.test(previous.words[0]?.lower ?? '');
    if (isNominative && !(before?.kind === 'and' && beforeThat?.kind === 'noun' && opensClause(this.#chunks, at - 4)))
      return this.#phrases.named(previous);
    if (before?.kind === 'preposition' && beforeThat?.kind === 'noun') {
      // "The owner of the hall", "the crash in production": the head comes first, if nothing else does.
      if (!opensClause(this.#chunks, at - 4)) return [];
      const head = nameOf(beforeThat, this.#author)?.noun ?? '';
      return before.word === 'of' || ATTRIBUTES.has(head) ? this.#phrases.withOf(beforeThat, previous) : this.#phrases.named(beforeThat);
    }
    if (before?.kind === 'and' && beforeThat?.kind === 'noun' && opensClause(this.#chunks, at - 4))
      return [...this.#phrases.named(beforeThat), ...this.#phrases.named(previous)];
    return opensClause(this.#chunks, at - 2) ? this.#phrases.named(previous) : [];
  }

  /** "Emma, who lives in Tarn"; in "I am a nurse who works nights" the one who works is I. */
  #subjectsOfRelative(at: number): readonly Named[] {
    const nounAt = this.#chunks[at - 1]?.kind === 'comma' ? at - 2 : at - 1;
    const [noun, before] = [this.#chunks[nounAt], this.#chunks[nounAt - 1]];
    if (noun?.kind !== 'noun') return [];
    return before?.kind === 'verb' && before.lemma === 'be' ? this.#subjects : this.#phrases.named(noun);
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
    // "Is down to 76 kg"
    const isUp = /^(?:up|down)$/.test(this.#phrases.wordAt(start, 'preposition') ?? '');
    let at = isUp ? start + 1 : start;
    const changes = /^(?:change|go|move|switch|drop|rise|raise|increase|decrease|reduce|lower|extend|postpone|reschedule)$/.test(verb.lemma);
    if (!(changes || (isUp && verb.lemma === 'be' && !verb.past)) || verb.negation !== undefined) return false;
    if (!this.#isAttribute() && !(this.#isThing() && this.#phrases.isMeasure(at + 1))) return false;
    if (this.#phrases.wordAt(at, 'preposition') === 'from') at += 2;
    if (this.#phrases.wordAt(at, 'preposition') !== 'to') return false;
    const value = this.#phrases.value(at + 1);
    return value !== undefined && this.#ownership(verb, { named: [value], end: at + 2, isSubject: false });
  }

  #copula(verb: VerbGroup, start: number): void {
    const next = this.#chunks[start];
    const after = this.#chunks[start + 1];
    if (verb.past && this.#isAttribute()) return;
    if (verb.negation !== undefined && this.#isAttribute() && after?.kind === 'subordinator' && after.word === 'but') {
      // "not blue but green"
      const value = this.#phrases.value(start + 2);
      if (value !== undefined) this.#ownership({ ...verb, negation: undefined }, { named: [value], end: start + 3, isSubject: false });
      return;
    }
    if (this.#isThing() && this.#phrases.isMeasure(start) && verb.negation === undefined) {
      // "My rent is 900 euros"; what it was says nothing of what it is.
      const value = this.#phrases.value(start);
      if (value !== undefined && !verb.past) this.#ownership(verb, { named: [value], end: start + 1, isSubject: false });
      return;
    }
    const isBareValue =
      next?.kind === 'time' || this.#phrases.isMeasure(start) || (next?.kind === 'noun' && next.words.every((word) => word.part === 'NUM'));
    if (isBareValue && this.#isAttribute()) {
      const value = this.#phrases.value(start);
      if (value !== undefined) this.#ownership(verb, { named: [value], end: start + 1, isSubject: false });
      return;
    }
    if (next?.kind === 'adjective') {
      const state = { named: [plainName(next.word)], end: start + 1, isSubject: false };
      if (after?.kind === 'preposition') this.#link(`${verb.predicate} ${next.word} ${after.word}`, this.#phrases.objects(start + 2));
      else if (!(this.#isAttribute() && this.#ownership(verb, state)) && (STATE_ADJECTIVES.has(next.word) || isState(next.word)))
        this.#link(verb.predicate, state);
      return;
    }
    if (next?.kind === 'preposition') this.#prepositions(verb, start, false);
    if (next?.kind !== 'noun') return;
    const role = nameOf(next, this.#author);
    if (after?.kind === 'preposition' && role?.noun !== undefined) {
      const place = this.#phrases.objects(start + 2);
      this.#link(`${verb.predicate} ${role.name.toLowerCase()} ${after.word}`, place);
      if (after.word === 'of' || place.named.some((named) => named.hasName)) return;
    }
    const objects = this.#phrases.objects(start);
    if (this.#ownership(verb, objects)) return;
    // "I am game", "I'm meeting": without an article it is no class that one belongs to.
    const bare = next.words[0]?.part !== 'DET' && !next.hasName && !STATE_ADJECTIVES.has(next.words.at(-1)?.lower ?? '');
    // "Carla is no longer my boss": of the boss it was said who it is.
    const [subject] = this.#subjects;
    const isHeld = (role: Named) => readPredicate('be', subject?.name ?? '', role.name).slot !== undefined && subject?.hasName === true;
    const roles = objects.named.filter((named) => named.owner !== undefined && isPerson(named) && (verb.negation !== undefined || isHeld(named)));
    for (const subject of this.#subjects) for (const named of roles) this.#add(named, verb.predicate, subject);
    if (roles.length === 0 && !(bare && this.#subjects.some((subject) => subject.isAuthor))) this.#link(verb.predicate, objects);
  }

  #isAttribute(): boolean {
    return this.#subjects.some((subject) =>
      subject.name
        .toLowerCase()
        .split(' ')
        .some((word) => ATTRIBUTES.has(word)),
    );
  }

  /** Neither a name nor somebody: "my rent". */
  #isThing(): boolean {
    return this.#subjects.every((subject) => subject.noun !== undefined && !isPerson(subject)) && !this.#isAttribute();
  }

  /** "My favourite colour is green", "John's car is a Tesla": what the owner has. "The deadline is 5 May" is the deadline's own value. */
  #ownership(verb: VerbGroup, objects: Objects): boolean {
    const [subject] = this.#subjects;
    const isSet = subject?.noun !== undefined && (ATTRIBUTES.has(subject.noun) || objects.named.some(({ name }) => MEASURE.test(name)));
    if (subject?.owner === undefined && isSet && verb.negation === undefined) {
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
    const attribute = (subject.attribute ?? subject.name.replace(`${subject.owner}'s `, '')).toLowerCase();
    for (const object of objects.named) {
      const isMeasure = MEASURE.test(object.name) && readPredicate(attribute, object.name).slot === undefined;
      this.#add(owner, isMeasure ? `${attribute} is` : attribute, object);
    }
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
      // Who is employed by Acme has a job there.
      const agent = verb.passive && words.join(' ') === 'by' && !/^(?:employ|hire)$/.test(verb.lemma);
      const objects = this.#phrases.objects(at);
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
    // "gives me headaches", "left Acme a voicemail": the thing is the object, the person only receives it.
    const receives = phrase?.kind === 'noun' && (RECEIVED.has(verb.lemma) || (phrase.words[0]?.part === 'PRON' && phrase.words.length === 1));
    if (receives && following?.kind === 'noun') at++;
    const objects = this.#phrases.objects(at);
    if (objects.isSubject || objects.named.length === 0) return;
    const preposition = this.#chunks[objects.end];
    const behind = this.#chunks[objects.end + 1];
    const isOwnJob = objects.named.some(({ name }) => readPredicate(verb.predicate, name).slot === 'employer');
    // "I left my kayak at Ben's house": it is there, and still mine.
    if (
      /^(?:leave|drop)$/.test(verb.lemma) &&
      !isOwnJob &&
      preposition?.kind === 'preposition' &&
      PUT.has(preposition.word) &&
      behind?.kind === 'noun'
    ) {
      this.#prepositions(verb, objects.end, true);
      return;
    }
    // "I don't rent the garage out", "I gave coffee up": the particle belongs to the verb.
    if (
      preposition?.kind === 'preposition' &&
      /^(?:up|off|out|down|away)$/.test(preposition.word) &&
      (behind === undefined || /^(?:end|and|comma|time)$/.test(behind.kind))
    ) {
      this.#link(`${verb.predicate} ${preposition.word}`, objects);
      return;
    }
    // As a designer one works there.
    if (verb.predicate === 'join' && preposition?.kind === 'preposition' && preposition.word === 'as' && behind?.kind === 'noun') {
      this.#link('start at', objects);
      return;
    }
    // "I sold the boat for my uncle": it was his.
    const isForAnother =
      preposition?.kind === 'preposition' && preposition.word === 'for' && this.#phrases.objects(objects.end + 1).named.some(isPerson);
    const limit = isForAnother ? 'for another' : limitByObject(verb.lemma, phrase, preposition);
    if (limit !== undefined) this.#verb = { ...verb, limit };
    if (TRANSFER_VERBS.has(verb.lemma) && preposition?.kind === 'preposition' && TARGET_PREPOSITIONS.has(preposition.word)) {
      const target = this.#phrases.objects(objects.end + 1);
      for (const moved of objects.named) for (const object of target.named) this.#add(moved, `${verb.predicate} ${preposition.word}`, object);
      return;
    }
    const named = this.#chunks[objects.end];
    const name = this.#phrases.objects(objects.end + 1);
    if (named?.kind === 'verb' && /^(?:named|called)$/.test(named.participle ?? '') && name.named.length > 0) {
      this.#link(verb.predicate, name);
      for (const subject of name.named) for (const object of objects.named) this.#add(subject, 'be', object);
      return;
    }
    this.#link(verb.predicate, objects);
    // "I lost my job at Acme", "I got a job at Globex"
    const isJob = objects.named.some(({ name }) => readPredicate('quit', name).slot === 'employer');
    const jobEvent = isOwnJob ? 'leave' : isJob && /^(?:get|take|find|land)$/.test(verb.predicate) ? 'start at' : undefined;
    if (jobEvent !== undefined && preposition?.kind === 'preposition' && /^(?:at|with|for)$/.test(preposition.word))
      this.#link(jobEvent, this.#phrases.objects(objects.end + 1));
    else this.#prepositions(verb, objects.end, true);
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
    const readingOf = (wording: string) => readPredicate(wording, object.name, subject.name);
    const { slot, holds } = readingOf(predicate);
    const withArticle = readingOf(`${predicate} a`);
    // "My wife is a Dane" names nobody, "I sold a kayak" not the one that is known: the article makes the difference.
    const differs = value.indefinite === true && (slot !== withArticle.slot || holds !== withArticle.holds);
    const said = { predicate: differs ? `${predicate} a` : predicate, hasSlot: slot !== undefined, holds, isAuthor: subject.isAuthor };
    const wording = this.#verb === undefined ? said.predicate : limited(this.#verb, said);
    if (subject.name.toLowerCase() !== object.name.toLowerCase())
      this.#triples.push({ subject, predicate: wording, object, ...(this.#year === undefined ? {} : { year: this.#year }) });
    // "My kayak" is the one of which Lia said that she has a kayak.
    const isOwn = holds === 'ended' && subject.hasName && value.owner === subject.name && !isPerson(value);
    if (isOwn) this.#add(subject, predicate, { ...value, name: value.name.replace(`${value.owner}'s `, ''), owner: undefined });
  }
}
