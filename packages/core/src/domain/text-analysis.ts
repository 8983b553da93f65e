import { stemmer } from 'stemmer';
import type { WeightedTerm } from './index-record.ts';
import { BASE_FORMS } from './irregular-forms.ts';

/**
 * The one text analyser of the engine: lower case, compatibility forms and accents folded, English stop words left out, Porter stems for
 * Latin words (irregular English forms by their base form), overlapping bigrams for scripts that are written without spaces or glue particles to nouns (Han, kana, Hangul, Thai, ...).
 * Records and queries pass through it alike, whatever index they go to.
 */
const SPACELESS =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々';
const RUNS = new RegExp(`[${SPACELESS}]+|[\\p{L}\\p{N}\\p{M}]+`, 'gu');
const DENSE = new RegExp(`^[${SPACELESS}]`, 'u');
const LATIN = /^[a-z]+$/;
const MARKS = /\p{M}+/gu;
const NEEDS_FOLDING = /[^\x20-\x7e\n\r\t]/;
const MAX_TERM_LENGTH = 64;

const STOP_WORDS = new Set(
  `a an the and or of to in on at for with from by as is are was were be been being do does did done has have had having i you he she it we
  they me him her us them my your his its our their this that these those what when where who whom which why how will would can could should
  may might must shall about into over after before than then so if but not no nor too very just also there here s t re ve ll d m`.split(/\s+/),
);

/** Stems by word: a chat repeats its words, and stemming is the dearest step of the analysis. Bounded, emptied when full. */
const stems = new Map<string, string>();
const MAX_STEMS = 50_000;

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

function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!NEEDS_FOLDING.test(lower)) return lower;
  // Hangul must come back composed: its decomposed letters would be taken for marks or split into pieces.
  return lower
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]+/g, '')
    .normalize('NFKC')
    .toLowerCase();
}

/** Terms of a text in order, repeats included. A text of stop words only keeps them, so that it can still be found. */
export function analyseText(text: string): string[] {
  const kept: string[] = [];
  const stopped: string[] = [];
  const folded = fold(text).replace(/['’](s\b)?/g, (_, s: string | undefined) => (s === undefined ? '' : ' '));
  // Strings, not matches: an object a word would be a fifth of all that an ingest allocates.
  for (const run of folded.match(RUNS) ?? []) {
    if (DENSE.test(run)) {
      const letters = [...run];
      if (letters.length === 1) kept.push(run);
      for (let i = 0; i + 1 < letters.length; i++) kept.push(`${letters[i]}${letters[i + 1]}`);
      continue;
    }
    const word = run.replace(MARKS, '').slice(0, MAX_TERM_LENGTH);
    if (word === '') continue;
    if (STOP_WORDS.has(word)) stopped.push(word);
    else kept.push(LATIN.test(word) ? stem(BASE_FORMS.get(word) ?? word) : word);
  }
  return kept.length > 0 ? kept : stopped;
}

/**
 * Terms with their weights: each occurrence counts with the weight of its field.
 * @returns each term once, ordered by term
 */
export function weighTerms(fields: readonly { readonly text: string; readonly weight: number }[]): WeightedTerm[] {
  const weights = new Map<string, number>();
  for (const field of fields) {
    for (const term of analyseText(field.text)) weights.set(term, (weights.get(term) ?? 0) + field.weight);
  }
  return [...weights].map(([term, weight]) => ({ term, weight })).sort((a, b) => (a.term < b.term ? -1 : 1));
}
