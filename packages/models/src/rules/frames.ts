import type { PredicateReading } from '@tandem-memory/core';
import type { Chunk, VerbGroup } from './chunks.ts';
import { clauseAround } from './clauses.ts';
import type { Token } from './english-tagger.ts';
import { isProductName } from './product-names.ts';

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}

/** Works and states of mind that have a world of their own. */
const FICTION = words(
  'novel book story tale film movie show series play game sims simulation simulator rpg roleplay campaign comic manga anime song poem script fiction dream nightmare daydream fantasy imagination head mind theory',
);
const LIFE_STAGES = words(
  'child kid boy girl baby toddler teen teenager youngster student pupil childhood youth teens twenties thirties forties fifties',
);
/** Open a clause that says when: what stands in it was so at some other time. */
const WHEN = words('when whenever while before until till once');
const PASSING = words('temporarily briefly provisionally originally initially formerly');
/** What goes on: with these "for three years" is how long it has been so by now. */
const LASTING_VERBS = words('be live work reside dwell study have own');
/** Bring a new state about: while they go on it is yet to come. */
const CHANGES = new Set('move relocate join start marry switch settle'.split(' '));
const SAME_IN_THE_PAST = /^(?:quit|let|cut|put|split|shed)$/;
const RECURRING = /^(?:week|weekdays?|weekends?|winters?|summers?|springs?|autumns?|mornings?|afternoons?|evenings?|nights?|\w+days)$/;
const MOMENT = /^(?:while|moment|bit)$/;
const THEN = /(?:^| )(?:before (?:that|then|this)|back then|at the time|in those days|growing up)(?= |$)/;
const HOUR = /\d ?(?:[ap]\.?m\b|o'clock|:\d\d)|\b(?:noon|midnight|morning|afternoon|evening|night|tonight)\b/;

/**
 * Gives each verb what limits its statement, where something does: a world of fiction, a stage of life that is over, another time, a span that
 * ended. "In the novel I moved to Corran" tells of no home, "I moved to Corran for a month" of none that lasts.
 */
export function withLimits(chunks: readonly Chunk[], tokens: readonly Token[]): Chunk[] {
  let before: string | undefined;
  return chunks.map((chunk, at) => {
    if (chunk.kind !== 'verb') return chunk;
    const sharesFrame = /^(?:and|comma|subordinator)$/.test(chunks[at - 1]?.kind ?? '');
    const frame = frameOf(chunks, at, tokens) ?? (sharesFrame ? before : undefined);
    before = frame;
    const limit = frame ?? spanOf(chunks, at, chunk, tokens) ?? returnOf(chunks, at, chunk, tokens) ?? partOf(chunks, at, chunk, tokens);
    return limit === undefined ? chunk : { ...chunk, limit };
  });
}

/**
 * What ends something, or takes its place, with what limits it: so read it does neither. "I'm leaving Acme" is yet to come, "I sell kayaks" a habit;
 * "Rosa joins Acme" is news.
 */
export function limited(
  { limit, progressive, negation, lemma, habit }: VerbGroup,
  said: { readonly predicate: string; readonly hasSlot: boolean; readonly holds: PredicateReading['holds']; readonly isAuthor: boolean },
): string {
  const { predicate, hasSlot, holds } = said;
  const isUnderWay = negation === undefined && (holds === 'ended' || (hasSlot && CHANGES.has(lemma)));
  const isPresent = said.isAuthor && habit !== undefined && !SAME_IN_THE_PAST.test(lemma);
  if (isPresent && isUnderWay) return hasSlot ? `will ${predicate}` : `${predicate} regularly`;
  if (progressive === 'now' && isUnderWay) return `will ${predicate}`;
  if (progressive === 'then' && isUnderWay) return `${predicate} under way`;
  return limit !== undefined && (hasSlot || /^(?:denied|ended|past)$/.test(holds)) ? `${predicate} ${limit}` : predicate;
}

/** What the form of its object makes of a verb: "sold kayaks" are any, "dropped the kayak" let it fall, "joined Ben for lunch" and "the choir" are no job. */
export function limitByObject(lemma: string, phrase: Chunk | undefined, behind: Chunk | undefined): string | undefined {
  if (phrase?.kind !== 'noun') return undefined;
  const [first, head] = [phrase.words[0], phrase.words.at(-1)];
  const isDefinite = first?.part === 'DET' || /^(?:my|our)$/.test(first?.lower ?? '');
  if (lemma === 'join' && (isDefinite || (behind?.kind === 'preposition' && behind.word === 'for'))) return 'beside';
  if (lemma === 'drop' && isDefinite && !phrase.hasName) return 'down';
  const isSome = first?.part !== 'DET' && first?.part !== 'PRON' && head?.part === 'NOUN' && head.lower !== head.lemma;
  return isSome && /^(?:sell|lose|give|donate|trade|swap|throw)$/.test(lemma) ? 'some' : undefined;
}

/** The world or the time that a clause is told of. */
function frameOf(chunks: readonly Chunk[], verbAt: number, tokens: readonly Token[]): string | undefined {
  const [start, end] = clauseAround(chunks, verbAt);
  for (const [at, phrase] of chunks.entries()) {
    const preposition = chunks[at - 1];
    if (phrase.kind !== 'noun' || preposition?.kind !== 'preposition') continue;
    const head = phrase.words.at(-1)?.lower ?? '';
    // "In film" is a trade.
    const isFiction = FICTION.has(head) && (phrase.words.length > 1 || head === 'theory');
    const isWorld = preposition.word === 'in' && (isFiction || (at < verbAt && isProductName(textOf(phrase))));
    const isStage = /^(?:as|in|during)$/.test(preposition.word) && LIFE_STAGES.has(head) && at >= start && at <= end;
    if (isWorld || isStage) return `${preposition.word} ${head}`;
  }
  // "A game where I moved to Corran"
  const isStory = (chunk: Chunk) => chunk.kind === 'noun' && FICTION.has(chunk.words.at(-1)?.lower ?? '');
  const story = chunks.findLastIndex((chunk, at) => at < verbAt && isStory(chunk));
  if (story >= 0 && between(chunks, story, verbAt, tokens).some((word) => /^(?:where|which|about|how|it)$/.test(word))) return 'in story';
  if (isPerfectOfPast(chunks[verbAt], tokens)) return 'by then';
  const opening = openingOf(chunks, verbAt, tokens);
  if (opening !== undefined) return opening;
  // "I moved to Corran when I was ten", "before I met Tom", "before that"
  const other = chunks.findIndex(
    (chunk, at) => chunk.kind === 'verb' && at !== verbAt && isTimeOf(chunk, openingOf(chunks, at, tokens), at > verbAt),
  );
  if (other >= 0) return 'when';
  return THEN.test(between(chunks, start - 1, end + 1, tokens).join(' ')) ? 'then' : undefined;
}

function isTimeOf(verb: VerbGroup, opening: string | undefined, isBehind: boolean): boolean {
  return (verb.past && verb.lemma === 'be' && /^(?:when|while)$/.test(opening ?? '')) || (isBehind && opening === 'before');
}

/** The word of time that opens the clause of a verb: "when I moved". */
function openingOf(chunks: readonly Chunk[], verbAt: number, tokens: readonly Token[]): string | undefined {
  const previous = chunks.findLastIndex((chunk, at) => at < verbAt && /^(?:verb|comma|and)$/.test(chunk.kind));
  return between(chunks, previous, verbAt, tokens).find((word) => WHEN.has(word));
}

/** "For a month", "until May", "temporarily"; "I live in Corran in winter"; and of who left at an hour that they went out. */
function spanOf(chunks: readonly Chunk[], verbAt: number, { lemma }: VerbGroup, tokens: readonly Token[]): string | undefined {
  const [, end] = clauseAround(chunks, verbAt);
  const said = between(chunks, verbAt - 1, end + 1, tokens);
  if (lemma === 'leave' && (HOUR.test(said.join(' ')) || said.includes('early'))) return 'at hour';
  for (const [at, preposition] of chunks.entries()) {
    const span = chunks[at + 1];
    if (at <= verbAt || at > end || preposition.kind !== 'preposition' || span === undefined) continue;
    if (LASTING_VERBS.has(lemma)) {
      if (/^(?:in|on|at|during)$/.test(preposition.word) && span.kind === 'time' && RECURRING.test(span.text ?? '')) return 'at times';
    } else if (/^(?:until|till)$/.test(preposition.word)) return 'until';
    else if (preposition.word === 'for' && (span.kind === 'time' || (span.kind === 'noun' && MOMENT.test(span.words.at(-1)?.lower ?? ''))))
      return 'for a time';
  }
  if (LASTING_VERBS.has(lemma)) return undefined;
  if (/^(?:give|stop)$/.test(lemma) && isForAFeast(tokens.slice(chunks[verbAt]?.at ?? 0))) return 'for a time';
  return said.find((word, at) => PASSING.has(word) || (word === 'once' && said[at - 1] !== 'at'));
}

/** "I no longer work nights at Acme", "... live alone in Corran": what is over is how, not where. */
function partOf(chunks: readonly Chunk[], verbAt: number, verb: VerbGroup, tokens: readonly Token[]): string | undefined {
  if (verb.negation === undefined || !/^(?:live|work|stay|study)$/.test(verb.lemma)) return undefined;
  const [, end] = clauseAround(chunks, verbAt);
  const isNamed = (at: number) => {
    const [before, phrase] = [chunks[at - 1], chunks[at]];
    return phrase?.kind === 'noun' && phrase.hasName && before?.kind === 'preposition' && /^(?:at|in|for)$/.test(before.word);
  };
  if (isNamed(verbAt + 2)) {
    const manner = between(chunks, verbAt, verbAt + 1, tokens);
    return manner.some((word) => /^(?:alone|together|remotely|full-time|part-time)$/.test(word)) ? 'in part' : undefined;
  }
  return chunks.some((_, at) => at > verbAt + 2 && at <= end && isNamed(at)) ? 'in part' : undefined;
}

/** "Gave up meat for Lent": a thing without a name, for something that has one. */
function isForAFeast(tokens: readonly Token[]): boolean {
  const at = tokens.findIndex(({ lower }) => lower === 'for');
  return at > 0 && /^\p{Lu}/u.test(tokens[at + 1]?.text ?? '') && tokens.slice(0, at).every(({ text }) => /^\p{Ll}/u.test(text));
}

/** "... and came back": the one who moved is where they were. */
function returnOf(chunks: readonly Chunk[], verbAt: number, verb: VerbGroup, tokens: readonly Token[]): string | undefined {
  const later = chunks.findIndex((chunk, at) => {
    if (at <= verbAt || chunk.kind !== 'verb' || chunk.negation !== undefined) return false;
    const [, end] = clauseAround(chunks, at);
    const said = between(chunks, at - 1, end + 1, tokens);
    const back = said.findIndex((word, i) => word === 'back' && !/^(?:my|our|the|a)$/.test(said[i - 1] ?? ''));
    const it = chunks[at + 1];
    const isFound = /^(?:find|recover)$/.test(chunk.lemma) && it?.kind === 'noun' && /^(?:it|them|him|her)$/.test(it.words[0]?.lower ?? '');
    if (isFound || (/^(?:start|begin)$/.test(chunk.lemma) && said.includes('again'))) return true;
    // "Quit and went back to school" is no return to what was quit.
    return chunk.lemma === 'return' || (back > 0 && (said[back + 1] !== 'to' || /^(?:move|relocate)$/.test(verb.lemma)));
  });
  const isThereAndBack = / and back(?: again)?(?: [.,;!]|$)/.test(between(chunks, verbAt - 1, chunks.length, tokens).join(' '));
  return later < 0 && !isThereAndBack ? undefined : 'and back';
}

/** The words behind the chunk at one index and before that at another. */
function between(chunks: readonly Chunk[], first: number, last: number, tokens: readonly Token[]): string[] {
  const start = first < 0 ? 0 : (chunks[first + 1]?.at ?? tokens.length);
  const from = first < 0 ? 0 : Math.min(start, (chunks[first]?.at ?? 0) + 1);
  return tokens.slice(from, chunks[last]?.at ?? tokens.length).map((token) => token.lower);
}

function textOf(phrase: Chunk & { readonly kind: 'noun' }): string {
  return phrase.words
    .filter((word) => word.part === 'PROPN')
    .map((word) => word.text)
    .join(' ');
}

/** "I had moved": before something else that is past itself. */
function isPerfectOfPast(verb: Chunk | undefined, tokens: readonly Token[]): boolean {
  const [had, participle] = [tokens[verb?.at ?? 0], tokens[(verb?.at ?? 0) + 1]];
  return /^(?:had|['’]d)$/.test(had?.lower ?? '') && participle?.part === 'VERB' && participle.lower !== participle.lemma;
}
