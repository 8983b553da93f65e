import { stemmer } from 'stemmer';
import { foldText } from './fold-text.ts';
import type { WeightedTerm } from './index-record.ts';
import { BASE_FORMS } from './irregular-forms.ts';
import { SPACELESS_SCRIPTS } from './spaceless.ts';

/**
 * The one text analyser of the engine: spellings folded (`foldText`), English stop words left out, Porter stems for Latin words (irregular
 * English forms by their base form), Arabic words without their article, overlapping bigrams for scripts that are written without spaces or
 * glue particles to nouns (Han, kana, Hangul, Thai, ...), the kinds of kana as one, each emoji by itself.
 * Records and queries pass through it alike, whatever index they go to.
 */
const SPACELESS = `${SPACELESS_SCRIPTS}ー々\\u3099\\u309a`;
const RUNS = new RegExp(`[${SPACELESS}]+|[[\\p{L}\\p{N}\\p{M}]--[${SPACELESS}]]+|\\p{Extended_Pictographic}|\\p{RI}{2}`, 'gv');
/** Most text is this, and these are found in half the time. */
const NOT_PLAIN = /[^ -~\s]/;
const PLAIN_RUNS = /[a-z0-9]+/g;
const DENSE = new RegExp(`^[${SPACELESS}]`, 'u');
/** Signs that can be a word each: the cat of a sentence without spaces is found by 猫 alone. */
const SIGN = /[\p{Script=Han}\p{Script=Hangul}]/gu;
const SIGN_WEIGHT = 0.25;
const LATIN = /^[a-z]+$/;
const ARABIC = /^\p{Script=Arabic}/u;
/** The article, which is written in one with its noun and with what may stand before it. */
const ARABIC_ARTICLE = /^(?:[وفبك]?ال|لل)(?=\p{L}{2})/u;
const MAX_TERM_LENGTH = 64;

const STOP_WORDS = new Set(
  `a an the and or of to in on at for with from by as is are was were be been being do does did done has have had having i you he she it we
  they me him her us them my your his its our their this that these those what when where who whom which why how will would can could should
  may might must shall about into over after before than then so if but not no nor too very just also there here s t re ve ll d m`.split(/\s+/),
);

/** Stems by word: a chat repeats its words, and stemming is the dearest step of the analysis. Bounded, emptied when full. */
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;

/** A word that any English question may have, in lower case or not. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/** The Porter stem of a word of Latin letters in lower case. */
export function stem(word: string): string {
  let known = stems.get(word);
  if (known === undefined) {
    known = stemmer(word);
    if (stems.size >= MAX_STEMS) stems.clear();
    stems.set(word, known);
  }
  return known;
}

/** The spelling in which terms are made. */
export function foldForTerms(text: string): string {
  return foldText(text).replace(/[\u30a1-\u30f6]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60));
}

/** Terms of a text in order, repeats included. A text of stop words only keeps them, so that it can still be found. */
export function analyseText(text: string): string[] {
  const kept: string[] = [];
  const stopped: string[] = [];
  const folded = foldForTerms(text).replace(/['’](s\b)?/g, (_, s: string | undefined) => (s === undefined ? '' : ' '));
  // Strings, not matches: an object a word would be a fifth of all that an ingest allocates.
  for (const run of folded.match(NOT_PLAIN.test(folded) ? RUNS : PLAIN_RUNS) ?? []) {
    if (DENSE.test(run)) {
      const letters = [...run];
      if (letters.length === 1) kept.push(run);
      for (let i = 0; i + 1 < letters.length; i++) kept.push(`${letters[i]}${letters[i + 1]}`);
      continue;
    }
    const word = (ARABIC.test(run) ? run.replace(ARABIC_ARTICLE, '') : run).slice(0, MAX_TERM_LENGTH);
    if (STOP_WORDS.has(word)) stopped.push(word);
    else kept.push(LATIN.test(word) ? stem(BASE_FORMS.get(word) ?? word) : word);
  }
  return kept.length > 0 ? kept : stopped;
}

/**
 * The terms of a record with their weights: each occurrence counts with the weight of its field, a sign that may be a word with a quarter of it.
 * @returns each term once, ordered by term
 */
export function weighTerms(fields: readonly { readonly text: string; readonly weight: number }[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  for (const { text, weight } of fields) {
    for (const term of analyseText(text)) weights.set(term, (weights.get(term) ?? 0) + weight);
    if (NOT_PLAIN.test(text))
      for (const [sign] of text.normalize('NFKC').matchAll(SIGN)) weights.set(sign, (weights.get(sign) ?? 0) + weight * SIGN_WEIGHT);
  }
  return [...weights].map(([term, weight]) => ({ term, weight })).sort((a, b) => (a.term < b.term ? -1 : 1));
}
