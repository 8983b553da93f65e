import { stem } from '../domain/text-analysis.ts';

/** A text as it is compared with others. */
export interface Wording {
  /** Its words in order, as written in lower case: contractions written out, fillers and articles gone; letters for scripts without spaces. */
  readonly words: readonly string[];
  /** Which words it holds, one bit for several words: a quick "can't be contained". */
  readonly bits: readonly [number, number];
  readonly asks: boolean;
}

const FILLERS = new Set(
  'a an the really very just oh ah well hey hi so yeah yep yes ok okay um uh please haha lol wow like actually basically anyway'.split(' '),
);
/** Words that turn a statement into another one: with one and without it are two things. Stems, or letters of scripts without spaces. */
export const TURNS = new Set([
  ...(
    'no not never none neither nor nobody nothing without hardly almost nearly maybe perhaps might may would could should if unless until only ' +
    'except instead former formerly ex plan plans want wants hope try tried stop quit refuse fail before after since but than from to'
  )
    .split(' ')
    .map((word) => stem(word)),
  ...'不没沒未无無別别非否勿莫若想要会會将將曾只なずぬんか',
]);
export const KOREAN_NEGATION = /^(?:안|못|않|없|아니|말)/;
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bcan't\b/g, 'can not'],
  [/\bwon't\b/g, 'will not'],
  [/n't\b/g, ' not'],
  [/\bi'm\b/g, 'i am'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
];
const LATIN = /^[a-z]+$/;
const MIN_WORDS = 4;
const MIN_SHARE = 0.8;
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:[-.,:/_'](?=[\p{L}\p{N}])(?:[\p{L}\p{N}\p{M}])+)*|[$€£¥₩%+−-](?=\d)|\p{Extended_Pictographic}/gu;

/** The same for plain ASCII, many times as fast. */
const ASCII_WORD = /[a-z0-9]+(?:[-.:,/_'][a-z0-9]+)*|[$%+-](?=\d)/g;
const ASCII = /^[\x20-\x7e\s]*$/;

export function wordingOf(text: string): Wording {
  const ascii = ASCII.test(text);
  let plain = (ascii ? text : text.normalize('NFKC')).toLowerCase().replace(/[’`]/g, "'");
  if (plain.includes("'")) for (const [contraction, words] of CONTRACTIONS) plain = plain.replace(contraction, words);
  const words: string[] = [];
  let [low, high] = [0, 0];
  for (const written of plain.match(ascii ? ASCII_WORD : WORD) ?? []) {
    const form = formOf(written);
    if (form === undefined) continue;
    words.push(form.word);
    low |= form.low;
    high |= form.high;
  }
  return { words, bits: [low, high], asks: /[?？]\s*$/.test(text) };
}

interface WordForm {
  readonly word: string;
  readonly low: number;
  readonly high: number;
}

/** By the word as it is written. Bounded, emptied when full: a memory repeats its words. */
const forms = new Map<string, WordForm>();
const MAX_FORMS = 20_000;

function formOf(written: string): WordForm | undefined {
  const known = forms.get(written);
  if (known !== undefined) return known;
  if (FILLERS.has(written)) return undefined;
  let hash = 2166136261;
  for (let i = 0; i < written.length; i++) hash = Math.imul(hash ^ written.charCodeAt(i), 16777619);
  const bit = 1 << (hash & 31);
  const form = (hash & 32) === 0 ? { word: written, low: bit, high: 0 } : { word: written, low: 0, high: bit };
  if (forms.size >= MAX_FORMS) forms.clear();
  forms.set(written, form);
  return form;
}

/** The words of a text in order, Latin ones as stems: for what may be told in another form. */
export function stemsOf(text: string | Wording): string[] {
  return (typeof text === 'string' ? wordingOf(text) : text).words.map(stemOf);
}

function stemOf(word: string): string {
  return LATIN.test(word) ? stem(word) : word;
}

/**
 * Whether `other` says all that `text` says and hardly more: every word of `text` stands in it, in the same order, and at most a fifth of its
 * words are more, none of them a number, a negation or another word that turns the meaning. Look-alikes (another number, swapped roles, "not",
 * "almost", "played" for "plays", "organ" for "organization") are no duplicates; a text that says more than the one before it is none either, since what it adds would be lost.
 */
export function isContained(text: Wording, other: Wording): boolean {
  const [few, many] = [text.words, other.words];
  if (few.length === 0 || few.length > many.length || text.asks !== other.asks) return false;
  if (few.length < many.length && (few.length < MIN_WORDS || few.length < MIN_SHARE * many.length)) return false;
  if ((text.bits[0] & ~other.bits[0]) !== 0 || (text.bits[1] & ~other.bits[1]) !== 0) return false;
  let next = 0;
  for (const word of many) {
    if (word === few[next]) next++;
    else if (/\p{N}|\p{Extended_Pictographic}/u.test(word) || TURNS.has(stemOf(word)) || KOREAN_NEGATION.test(word)) return false;
  }
  return next === few.length;
}

/** Share of common words among all words of the two: 1 for equal sets. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const word of small) if (large.has(word)) common++;
  const all = a.size + b.size - common;
  return all === 0 ? 0 : common / all;
}
