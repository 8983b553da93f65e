import type { Chunk, VerbGroup } from './chunks.ts';
import { type Author, isPerson, type Named, plainName } from './noun-phrases.ts';

export interface LifeEvent {
  readonly subject: Named;
  readonly predicate: string;
  readonly object: Named;
}

/** A verb with who does it, and what follows it in its sentence. */
export interface VerbClause {
  readonly verb: VerbGroup;
  readonly subjects: readonly Named[];
  readonly rest: readonly Chunk[];
  readonly author: Author;
}

const JOB = plainName('job');
const JOB_ENDS = /^(?:quit|resign|retire|be (?:fired|sacked|dismissed|terminated|let go|laid off|made redundant))$/;
const FIRES = /^(?:fire|sack|dismiss|lay off|let go)$/;
const LEAVES = /^(?:leave|dump|divorce)$/;
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:(?:be |get )?divorced?|no longer be married)$/, 'divorce'],
  [/^(?:break up|split(?: up)?|separate|be separated)$/, 'break up with'],
  [/^part ways$/, 'leave'],
  [/^(?:be married|marry|wed)$/, 'be married to'],
];
const TASTE = /^(?<taste>.*\b(?:love|like|enjoy|hate|stand|bear|adore|dislike|stop|quit|give up)) (?<activity>\w+ing)$/;
const GOES = /^(?:steal|sell|lose|wreck|total|destroy)$/;

/** What people tell of their life by a verb that names nothing: "I quit", "Tom and I got divorced", "my kayak was stolen", "I turned 35". */
export function lifeEvents(clause: VerbClause): readonly LifeEvent[] {
  const { verb, subjects } = clause;
  const { wording, behind } = wordingOf(clause);
  const parts = isAlone(behind) ? PARTS.find(([pattern]) => pattern.test(wording))?.[1] : undefined;
  if (parts !== undefined) return partings(parts, subjects);
  if (verb.negation !== undefined) return tasteOf(clause);
  const left = leftMe(clause);
  if (left.length > 0) return left;
  const people = subjects.filter((subject) => subject.hasName || isPerson(subject));
  if (JOB_ENDS.test(wording) && people.length === subjects.length)
    return isAlone(behind) ? people.map((subject) => ({ subject, predicate: 'quit', object: JOB })) : firedBy(behind, people);
  return [...tasteOf(clause), ...ageOf(clause), ...lossOf(clause), ...homeOf(clause)];
}

/** The verb with what it is nothing without: "be laid off", "break up", "part ways"; and what stands behind that. */
function wordingOf({ verb, rest }: VerbClause): { readonly wording: string; readonly behind: readonly Chunk[] } {
  const [next] = rest;
  const isWays = next?.kind === 'noun' && next.words.length === 1 && next.words[0]?.lower === 'ways';
  const particle =
    next?.kind === 'adjective' || (next?.kind === 'preposition' && /^(?:off|up)$/.test(next.word)) ? next.word : isWays ? 'ways' : undefined;
  return particle === undefined ? { wording: verb.predicate, behind: rest } : { wording: `${verb.predicate} ${particle}`, behind: rest.slice(1) };
}

/** Nothing follows but when or why. */
function isAlone([next, then]: readonly Chunk[]): boolean {
  if (next?.kind === 'preposition') return then?.kind === 'time' || /^(?:because of|as|due)$/.test(next.word);
  return next === undefined || /^(?:end|and|comma|time|subordinator)$/.test(next.kind);
}

/** "Acme let me go", "they laid me off", "Tom left me" */
function leftMe({ verb, subjects, rest, author }: VerbClause): LifeEvent[] {
  const [me, next, ...others] = rest;
  if (author.name === undefined || me?.kind !== 'noun' || me.words.length !== 1 || me.words[0]?.lower !== 'me') return [];
  const particle = next?.kind === 'preposition' && next.word === 'off' ? 'off' : next?.kind === 'verb' ? next.predicate : undefined;
  const wording = particle === undefined ? verb.predicate : `${verb.predicate} ${particle}`;
  if (!FIRES.test(wording) && !LEAVES.test(wording)) return [];
  if (!isAlone(particle === undefined ? rest.slice(1) : others)) return [];
  const subject = plainName(author.name, { hasName: author.named, isAuthor: true, noun: undefined });
  const company = subjects.find(({ hasName, role }) => hasName || role !== undefined);
  if (LEAVES.test(wording))
    return company === undefined ? [] : [{ subject, predicate: wording === 'divorce' ? wording : 'break up with', object: company }];
  return [company === undefined ? { subject, predicate: 'quit', object: JOB } : { subject, predicate: 'be fired from', object: company }];
}

function firedBy([by, company]: readonly Chunk[], people: readonly Named[]): LifeEvent[] {
  if (by?.kind !== 'preposition' || by.word !== 'by' || company?.kind !== 'noun' || !company.hasName) return [];
  return people.map((subject) => ({ subject, predicate: 'be fired from', object: nameIn(company) }));
}

/** "Tom and I": of each other. Of "we" alone the marriage, whoever it was with. */
function partings(predicate: string, subjects: readonly Named[]): LifeEvent[] {
  const [first, second, third] = subjects;
  if (first === undefined || third !== undefined) return [];
  if (second !== undefined) {
    const [subject, object] = second.isAuthor ? [second, first] : [first, second];
    return [{ subject, predicate, object }];
  }
  return predicate === 'divorce' && isPerson(first) ? [{ subject: first, predicate: 'end', object: plainName('marriage') }] : [];
}

/** "I love running", "I can't stand running any more": what one does, as the object of a taste. */
function tasteOf({ verb, subjects, rest }: VerbClause): LifeEvent[] {
  const { taste, activity } = TASTE.exec(verb.predicate)?.groups ?? {};
  const [next] = rest;
  const isAnyMore = next?.kind === 'noun' && next.words[0]?.lower === 'any' && next.words.length === 2;
  const isSince = next?.kind === 'preposition' && /^(?:after|since|during)$/.test(next.word);
  if (taste === undefined || activity === undefined || !(isAnyMore || isSince || isAlone(rest))) return [];
  return subjects.map((subject) => ({ subject, predicate: taste, object: plainName(activity) }));
}

/** "I'm 34", "my sister is 34 years old", "I turned 35 today" */
function ageOf({ verb, subjects, rest }: VerbClause): LifeEvent[] {
  const [value, next] = rest;
  const text = value?.kind === 'time' ? value.text : value?.kind === 'noun' ? value.words.map((word) => word.text).join(' ') : undefined;
  const { age, unit } = /^(?<age>\d{1,3})(?<unit> years)?(?: (?:now|today|yesterday|last \w+|this \w+))?$/.exec(text ?? '')?.groups ?? {};
  const isOld = next?.kind === 'adjective' && next.word === 'old';
  const turns = verb.lemma === 'turn';
  if (age === undefined || Number(age) > 120 || !(turns || (verb.lemma === 'be' && !verb.past))) return [];
  if (unit === undefined ? !(isOld || isAlone(rest.slice(1))) : !isOld) return [];
  // A name may be that of anything that has a number.
  const people = subjects.filter((subject) => isPerson(subject) || (subject.hasName && (isOld || turns)));
  return people.map((subject) => ({ subject, predicate: verb.predicate.startsWith('will ') ? 'will be age' : 'age', object: plainName(age) }));
}

/** "My kayak was stolen", "my dog died", "Miso died": whom one had one has lost. */
function lossOf({ verb, subjects, rest, author }: VerbClause): LifeEvent[] {
  const [next] = rest;
  const isSoldOut = next?.kind === 'preposition' && /^(?:out|off|for)$/.test(next.word);
  if (verb.passive ? !GOES.test(verb.lemma) || isSoldOut : verb.predicate !== 'die') return [];
  return subjects.flatMap((thing) => {
    const owner = thing.owner ?? (thing.hasName && !verb.passive ? author.name : undefined);
    if (owner === undefined) return [];
    // "User's dog" is the dog that they have.
    const object = { ...thing, name: thing.name.replace(`${owner}'s `, ''), owner: undefined };
    return [{ subject: personOf(owner, author), predicate: 'lose', object }];
  });
}

/** "My home is in Corran", "my new job is at Globex" */
function homeOf({ verb, subjects, rest, author }: VerbClause): LifeEvent[] {
  const [preposition, place] = rest;
  if (verb.predicate !== 'be' || verb.past || preposition?.kind !== 'preposition' || place?.kind !== 'noun' || !place.hasName) return [];
  return subjects.flatMap(({ owner, name }) => {
    const kind = /^(?:.*'s )?(?:new )?(home|job)$/.exec(name)?.[1];
    const predicate = kind === 'home' ? 'live in' : 'work at';
    if (owner === undefined || kind === undefined || !predicate.endsWith(` ${preposition.word}`)) return [];
    return [{ subject: personOf(owner, author), predicate, object: nameIn(place) }];
  });
}

function personOf(name: string, author: Author): Named {
  return plainName(name, { hasName: true, isAuthor: name === author.name, noun: undefined });
}

function nameIn(phrase: Chunk & { readonly kind: 'noun' }): Named {
  const names = phrase.words.filter(({ part }) => part === 'PROPN').map(({ text }) => text);
  return plainName(names.join(' '), { hasName: true, noun: undefined });
}
