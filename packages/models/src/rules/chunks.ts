import type { Token } from './english-tagger.ts';
import { HYPOTHETICAL, TIME_MODIFIERS, TIME_WORDS } from './vocabulary.ts';

export interface NounPhrase {
  readonly kind: 'noun';
  readonly words: readonly Token[];
  readonly hasName: boolean;
}
export interface VerbGroup {
  readonly kind: 'verb';
  /** Lemma with what belongs to it: "will migrate", "want to visit", "not like". */
  readonly predicate: string;
  /** Lemma of the first full verb, or "be" / "have". */
  readonly lemma: string;
  readonly passive: boolean;
  readonly negation: string | undefined;
  /** "Lived", "was": of a state, which may be over; "moved" and "has lived" say what is now. */
  readonly past: boolean;
  /** Would, could, might, nearly, not always: nothing is stated. */
  readonly hypothetical: boolean;
  /** The verb of "I smoke", "I used to smoke", "I don't smoke": what somebody does, not what happened once. */
  readonly habit: string | undefined;
  /** "Is moving", "was moving": under way, or to come. */
  readonly progressive: 'now' | 'then' | undefined;
  /** What limits its statement ("for a month"), of which `withLimits` tells. */
  readonly limit?: string;
  /** A bare participle, which may belong to the noun before it ("a dog named Rex"). */
  readonly participle: string | undefined;
}
interface Mark {
  /** adjective, preposition, and, comma, because/if/that/..., who/which, expression of time, end of the sentence */
  readonly kind: 'adjective' | 'preposition' | 'and' | 'comma' | 'subordinator' | 'relative' | 'time' | 'end';
  readonly word: string;
  /** Of an expression of time: as it stands, with its numbers. */
  readonly text?: string;
}
/** `at`: index of its first word in the sentence. */
export type Chunk = (NounPhrase | VerbGroup | Mark) & { readonly at: number };

const IN_NOUN = new Set(['ADJ', 'NOUN', 'PROPN', 'NUM']);
const POSSESSIVE = /^(?:my|our|his|her|their|your|its)$/;
/** "I nearly moved" did not happen; "I don't always drink coffee" denies nothing. */
const HARDLY = /^(?:nearly|almost)$/;
const NOT_ALWAYS = /^(?:always|often|usually|only|regularly|normally|necessarily|generally)$/;
const NEGATION = /^(?:not|n['’]t|never|no longer)$/;

/** Groups tagged words into noun phrases, verb groups and the marks between them. */
export function chunk(tokens: readonly Token[]): Chunk[] {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at < tokens.length) {
    const taken = nounPhrase(tokens, at) ?? verbGroup(tokens, at) ?? mark(tokens, at);
    if (taken.chunk !== undefined) chunks.push({ ...taken.chunk, at });
    at = taken.end;
  }
  return chunks;
}

interface Taken {
  readonly chunk: NounPhrase | VerbGroup | Mark | undefined;
  readonly end: number;
}

function isTime(tokens: readonly Token[], at: number): boolean {
  const [token, next] = [tokens[at], tokens[at + 1]];
  if (token === undefined || token.part === 'VERB' || token.part === 'AUX') return false;
  const word = token.lower.replace(/\.$/, '');
  // "A weekend class" is a class.
  const modifiesNoun = token.part === 'NOUN' && next?.part === 'NOUN' && !TIME_WORDS.has(next.lower);
  return (
    (TIME_WORDS.has(word) && !modifiesNoun) ||
    (TIME_MODIFIERS.has(token.lower) && next !== undefined && TIME_WORDS.has(next.lower.replace(/\.$/, '')))
  );
}

function nounPhrase(tokens: readonly Token[], start: number): Taken | undefined {
  const first = tokens[start];
  if (first === undefined) return undefined;
  if (isTime(tokens, start)) {
    return timeExpression(tokens, start, start);
  }
  if (/^(?:who|which|whom|whose)$/.test(first.lower)) return { chunk: { kind: 'relative', word: first.lower }, end: start + 1 };
  if (first.lower === 'that' && start > 0 && tokens[start - 1]?.part !== 'VERB' && tokens[start + 1]?.part === 'VERB') {
    return { chunk: { kind: 'relative', word: 'that' }, end: start + 1 };
  }
  if (first.part === 'PRON' && !POSSESSIVE.test(first.lower)) return { chunk: { kind: 'noun', words: [first], hasName: false }, end: start + 1 };
  if (first.part !== 'DET' && !IN_NOUN.has(first.part) && !POSSESSIVE.test(first.lower)) return undefined;

  let end = start;
  while (end < tokens.length) {
    const token = tokens[end];
    if (token === undefined || (end > start && (isTime(tokens, end) || (token.whole && tokens[end - 1]?.whole)))) break;
    const possessive = token.part === 'PART' && /^['’]s?$/.test(token.text) && end > start;
    const opens = token.part === 'DET' || POSSESSIVE.test(token.lower);
    // "To Corran ten years ago"
    const isSpan = end > start && token.part === 'NUM' && isTime(tokens, end + 1);
    if (isSpan || !(IN_NOUN.has(token.part) || possessive || (opens && end === start))) break;
    end++;
  }
  if (end === start) end = start + 1;
  const words = tokens.slice(start, end);
  if (words.every((word) => word.part === 'ADJ')) return { chunk: { kind: 'adjective', word: words.map((word) => word.lower).join(' ') }, end };
  // "3 June", "the three weeks"
  if (words.every((word) => word.part === 'NUM' || word.part === 'DET') && isTime(tokens, end)) return timeExpression(tokens, start, end);
  return { chunk: { kind: 'noun', words, hasName: words.some((word) => word.part === 'PROPN') }, end };
}

/** @param at where its first word of time stands */
function timeExpression(tokens: readonly Token[], start: number, at: number): Taken {
  let end = at + 1;
  while (end < tokens.length && (isTime(tokens, end) || tokens[end]?.part === 'NUM' || /^\d+(?:st|nd|rd|th)$/.test(tokens[end]?.lower ?? ''))) end++;
  const words = tokens.slice(start, end).filter((word) => word.part !== 'DET');
  return { chunk: { kind: 'time', word: tokens[at]?.lower ?? '', text: words.map((word) => word.text).join(' ') }, end };
}

function verbGroup(tokens: readonly Token[], start: number): Taken | undefined {
  let end = start;
  const isVerb = (at: number) => tokens[at]?.part === 'VERB' || tokens[at]?.part === 'AUX';
  while (end < tokens.length) {
    const token = tokens[end];
    if (token === undefined) break;
    const infinitive = token.lower === 'to' && end > start && isVerb(end + 1) && token.part !== 'ADP';
    const adverb = (token.part === 'ADV' || token.part === 'PART') && token.lower !== 'to';
    if (!(isVerb(end) || infinitive || (adverb && hasVerbAfterAdverbs(tokens, end)) || NEGATION.test(token.lower))) break;
    end++;
  }
  const words = tokens.slice(start, end);
  const verbs = words.filter((word) => word.part === 'VERB' || word.part === 'AUX');
  if (verbs.length === 0) return undefined;
  const full = verbs.filter((word) => word.part === 'VERB');
  const auxiliaries = verbs.filter((word) => word.part === 'AUX');
  const modal = auxiliaries.find((word) => HYPOTHETICAL.has(word.lower));
  const first = full[0] ?? auxiliaries.at(-1);
  const firstAt = first === undefined ? -1 : words.indexOf(first);
  const before = words.slice(0, firstAt).findLast((word) => word.part === 'AUX');
  const passive = full.length > 0 && before?.lemma === 'be' && words[firstAt - 1]?.lower !== 'to' && !/ing$/.test(first?.lower ?? '');
  const negation = words.find((word) => NEGATION.test(word.lower))?.lower.replace(/^n['’]t$/, 'not');
  const helper = auxiliaries.find((word) => word !== first && /^(?:will|'ll|ca|can|could|wo)$/.test(word.lower))?.lower;
  const prefix = [helper === undefined ? undefined : helper.startsWith('c') ? 'can' : 'will', negation];
  const rest = full.slice(1).map((verb) => ` ${words[words.indexOf(verb) - 1]?.lower === 'to' ? `to ${verb.lemma}` : verb.lower}`);
  const used = first?.lower === 'used' && rest[0]?.startsWith(' to ') === true;
  const past = !passive && /^(?:was|were|lived|worked|resided)$/.test(first?.lower ?? '') && words.every((word) => word.lemma !== 'have');
  const isGoing = before?.lemma === 'be' && first?.part === 'VERB' && /ing$/.test(first.lower);
  const progressive = isGoing ? (/^w/.test(before.lower) ? 'then' : 'now') : undefined;
  const last = full.at(-1);
  const isHabitual = (full.length === 1 || (used && full.length === 2)) && auxiliaries.every((word) => word.lemma === 'do' && word.lower !== 'did');
  const isPlain = last !== undefined && (last.lower === last.lemma || /^(?:e?s)$/.test(last.lower.slice(last.lemma.length)));
  const wasState = (past && first?.part === 'VERB') || (progressive === 'then' && /^(?:live|work|reside)$/.test(first?.lemma ?? ''));
  const future = first?.lower === 'going' && rest[0]?.startsWith(' to ') === true;
  const head = future
    ? `will${rest.shift()?.slice(3)}`
    : used
      ? 'used'
      : wasState
        ? `used to ${first?.lemma}`
        : passive
          ? `be ${first?.lower}`
          : (first?.lemma ?? '');
  return {
    chunk: {
      kind: 'verb',
      predicate: [...prefix.filter((word) => word !== undefined), head + rest.join('')].join(' '),
      lemma: first?.lemma ?? '',
      passive,
      negation,
      past,
      progressive,
      // "I didn't drink coffee this morning" tells of that morning.
      ...(negation === 'not' && auxiliaries.some((word) => word.lower === 'did') ? { limit: 'then' } : {}),
      habit: isHabitual && isPlain ? last.lemma : undefined,
      hypothetical: modal !== undefined || words.some((word, i) => isHedge(word, words[i - 1], words[i + 1])),
      participle: verbs.length === 1 && full.length === 1 && /(?:ed|en|ing|lt|nt|wn)$/.test(first?.lower ?? '') ? first?.lower : undefined,
    },
    end,
  };
}

function isHedge(word: Token, previous: Token | undefined, next: Token | undefined): boolean {
  if (HARDLY.test(word.lower)) return next?.part === 'VERB' || next?.part === 'AUX';
  return NOT_ALWAYS.test(word.lower) && previous !== undefined && /^(?:not|n['’]t)$/.test(previous.lower);
}

function hasVerbAfterAdverbs(tokens: readonly Token[], at: number): boolean {
  let next = at;
  while (tokens[next]?.part === 'ADV' || (tokens[next]?.part === 'PART' && tokens[next]?.lower !== 'to')) next++;
  return tokens[next]?.part === 'VERB' || tokens[next]?.part === 'AUX';
}

function mark(tokens: readonly Token[], at: number): Taken {
  const token = tokens[at];
  const end = at + 1;
  if (token === undefined) return { chunk: undefined, end };
  if (token.part === 'ADP' || (token.lower === 'to' && token.part === 'PART')) return { chunk: { kind: 'preposition', word: token.lower }, end };
  if (token.part === 'CCONJ')
    return { chunk: { kind: token.lower === 'and' || token.lower === '&' ? 'and' : 'subordinator', word: token.lower }, end };
  if (token.part === 'SCONJ') return { chunk: { kind: 'subordinator', word: token.lower }, end };
  if (token.part === 'PUNCT') return { chunk: { kind: /^[,;:\-–—()[\]]+$/.test(token.text) ? 'comma' : 'end', word: token.text }, end };
  return { chunk: undefined, end };
}
