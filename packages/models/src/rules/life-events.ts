import type { Chunk, VerbGroup } from './chunks.ts';
import { type Author, isPerson, type Named, plainName } from './noun-phrases.ts';

/** Of one of the subjects, or of the one who has it. */
export interface LifeEvent {
  readonly subject: Named;
  readonly predicate: string;
  readonly object: Named;
}

const JOB_ENDS = /^(?:quit|resign|retire|be (?:fired|sacked|dismissed|terminated|let go|laid off|made redundant))$/;
const PARTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:be |get )?divorced?$/, 'divorce'],
  [/^(?:break up|split(?: up)?|separate|be separated)$/, 'break up with'],
  [/^(?:be married|marry|wed)$/, 'be married to'],
];
const TASTE = /^(?<taste>.*\b(?:love|like|enjoy|hate|stand|bear|adore|dislike|stop|quit|give up)) (?<activity>\w+ing)$/;
const GOES = /^(?:steal|sell|lose|wreck|total|destroy)$/;

/** What people tell of their life by a verb that names nothing: "I quit", "Tom and I got divorced", "my kayak was stolen", "I turned 35". */
export function lifeEvents(
  verb: VerbGroup,
  chunks: readonly Chunk[],
  start: number,
  { subjects, author }: { readonly subjects: readonly Named[]; readonly author: Author },
): readonly LifeEvent[] {
  if (verb.negation !== undefined) return tasteOf(verb, chunks, start, subjects);
  const fired = firedMe(verb, chunks, start, subjects, author);
  if (fired.length > 0) return fired;
  const particle = chunks[start];
  const takesParticle = particle?.kind === 'adjective' || (particle?.kind === 'preposition' && /^(?:off|up)$/.test(particle.word));
  const wording = takesParticle ? `${verb.predicate} ${particle.word}` : verb.predicate;
  const end = takesParticle ? start + 1 : start;
  const people = subjects.filter((subject) => subject.hasName || isPerson(subject));
  const alone = isAlone(chunks, end);
  if (JOB_ENDS.test(wording) && people.length === subjects.length)
    return alone ? people.map((subject) => ({ subject, predicate: 'quit', object: plainName('job') })) : firedBy(chunks, end, people);
  const ways = chunks[start];
  if (verb.predicate === 'part' && ways?.kind === 'noun' && ways.words.at(-1)?.lower === 'ways') return partings('leave', subjects);
  const parts = alone ? PARTS.find(([pattern]) => pattern.test(wording))?.[1] : undefined;
  if (parts !== undefined) return partings(parts, subjects);
  return [
    ...tasteOf(verb, chunks, start, subjects),
    ...ageOf(verb, chunks, start, people),
    ...lossOf(verb, chunks, start, subjects, author),
    ...homeOf(verb, chunks, start, subjects, author),
  ];
}

/** Nothing follows but when or why. */
function isAlone(chunks: readonly Chunk[], at: number): boolean {
  const [next, then] = [chunks[at], chunks[at + 1]];
  if (next?.kind === 'preposition') return then?.kind === 'time' || /^(?:because of|as|due)$/.test(next.word);
  return next === undefined || /^(?:end|and|comma|time|subordinator)$/.test(next.kind);
}

/** "Acme let me go", "they laid me off" */
function firedMe(verb: VerbGroup, chunks: readonly Chunk[], start: number, subjects: readonly Named[], author: Author): LifeEvent[] {
  const [me, particle] = [chunks[start], chunks[start + 1]];
  if (author.name === undefined || me?.kind !== 'noun' || me.words.length !== 1 || me.words[0]?.lower !== 'me') return [];
  if (particle !== undefined && particle.kind !== 'end' && !isAlone(chunks, start + 2)) return [];
  const second = particle?.kind === 'preposition' ? particle.word : particle?.kind === 'verb' ? particle.predicate : '';
  if (!/^(?:fire|sack|dismiss|lay off|let go)$/.test(/^(?:lay|let)$/.test(verb.predicate) ? `${verb.predicate} ${second}` : verb.predicate))
    return [];
  const subject = plainName(author.name, { hasName: author.named, isAuthor: true, noun: undefined });
  const company = subjects.find(({ hasName }) => hasName);
  return [
    company === undefined ? { subject, predicate: 'quit', object: plainName('job') } : { subject, predicate: 'be fired from', object: company },
  ];
}

function firedBy(chunks: readonly Chunk[], at: number, people: readonly Named[]): LifeEvent[] {
  const [by, company] = [chunks[at], chunks[at + 1]];
  if (by?.kind !== 'preposition' || by.word !== 'by' || company?.kind !== 'noun' || !company.hasName) return [];
  const name = company.words.filter(({ part }) => part === 'PROPN').map(({ text }) => text);
  return people.map((subject) => ({ subject, predicate: 'be fired from', object: plainName(name.join(' '), { hasName: true, noun: undefined }) }));
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
function tasteOf(verb: VerbGroup, chunks: readonly Chunk[], start: number, subjects: readonly Named[]): LifeEvent[] {
  const { taste, activity } = TASTE.exec(verb.predicate)?.groups ?? {};
  const next = chunks[start];
  const anyMore = next?.kind === 'noun' && next.words[0]?.lower === 'any' && next.words.length === 2;
  const isSince = next?.kind === 'preposition' && /^(?:after|since|during)$/.test(next.word);
  if (taste === undefined || activity === undefined || !(anyMore || isSince || isAlone(chunks, start))) return [];
  return subjects.map((subject) => ({ subject, predicate: taste, object: plainName(activity) }));
}

function ageOf(verb: VerbGroup, chunks: readonly Chunk[], start: number, people: readonly Named[]): LifeEvent[] {
  const value = chunks[start];
  const text = value?.kind === 'time' ? value.text : value?.kind === 'noun' ? value.words.map((word) => word.text).join(' ') : undefined;
  const { age, unit } = /^(?<age>\d{1,3})(?<unit> years)?(?: (?:now|today|yesterday|last \w+|this \w+))?$/.exec(text ?? '')?.groups ?? {};
  const next = chunks[start + 1];
  const isOld = next?.kind === 'adjective' && next.word === 'old';
  const isSaid = verb.lemma === 'turn' || (verb.lemma === 'be' && !verb.past);
  if (age === undefined || Number(age) > 120 || !isSaid || (unit !== undefined && !isOld) || !(isOld || isAlone(chunks, start + 1))) return [];
  // A name may be that of anything that has a number.
  const old = people.filter((subject) => isPerson(subject) || isOld || verb.lemma === 'turn');
  return old.map((subject) => ({ subject, predicate: verb.predicate.startsWith('will ') ? 'will be age' : 'age', object: plainName(age) }));
}

/** "My kayak was stolen", "my dog died", "Miso died": whom one had one has lost. */
function lossOf(verb: VerbGroup, chunks: readonly Chunk[], start: number, subjects: readonly Named[], author: Author): LifeEvent[] {
  const out = chunks[start];
  const isSoldOut = out?.kind === 'preposition' && /^(?:out|off|for)$/.test(out.word);
  const isGone = (verb.passive && GOES.test(verb.lemma) && !isSoldOut) || (!verb.passive && /^die$/.test(verb.predicate));
  if (!isGone) return [];
  return subjects.flatMap((thing) => {
    const owner = thing.owner ?? (thing.hasName && !verb.passive ? author.name : undefined);
    return owner === undefined ? [] : [{ subject: ownerOf({ ...thing, owner }, author), predicate: 'lose', object: withoutOwner(thing) }];
  });
}

/** "My home is in Corran", "my new job is at Globex" */
function homeOf(verb: VerbGroup, chunks: readonly Chunk[], start: number, subjects: readonly Named[], author: Author): LifeEvent[] {
  const [preposition, place] = [chunks[start], chunks[start + 1]];
  const thing = subjects.find(({ owner, noun }) => owner !== undefined && /^(?:home|job)$/.test(noun ?? ''));
  if (verb.predicate !== 'be' || verb.past || thing === undefined || preposition?.kind !== 'preposition' || place?.kind !== 'noun' || !place.hasName)
    return [];
  const predicate = thing.noun === 'home' ? 'live in' : 'work at';
  if (!predicate.endsWith(preposition.word) || !/^(?:.*'s )?(?:new )?(?:home|job)$/.test(thing.name)) return [];
  const name = plainName(place.words.map((word) => word.text).join(' '), { hasName: true, noun: undefined });
  return [{ subject: ownerOf(thing, author), predicate, object: name }];
}

function ownerOf({ owner = '' }: Named, author: Author): Named {
  return plainName(owner, { hasName: true, isAuthor: owner === author.name, noun: undefined });
}

/** "User's dog" is the dog that they have. */
function withoutOwner(thing: Named): Named {
  return { ...thing, name: thing.name.replace(`${thing.owner}'s `, ''), owner: undefined };
}
