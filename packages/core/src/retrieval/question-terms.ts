import type { WeightedTerm } from '../domain/index-record.ts';
import { SPACELESS_SCRIPTS } from '../domain/spaceless.ts';
import { analyseText, foldForTerms } from '../domain/text-analysis.ts';
import { functionWords, KOREAN_ENDING, KOREAN_FUNCTION_WORD, KOREAN_PARTICLE } from './question-words.ts';

/**
 * Of two letters of which one belongs to a function word or an ending; of two that stand in different words; of a word of one letter. Chosen on
 * MemoryBank in Chinese and Korean, where half or twice of each changes recall by less than a point (docs/benchmarks.md).
 */
const WEIGHT = { half: 0.25, between: 0.5, single: 0.5 } as const;
const RUNS = new RegExp(`[${SPACELESS_SCRIPTS}ー々]+`, 'gu');
const HANGUL = /^\p{Script=Hangul}+$/u;
const SHORTEST_STEM = 2;

interface Letter {
  /** Number of its word in the run. */
  readonly word: number;
  readonly isFunction: boolean;
  /** A word by itself. */
  readonly isSingle: boolean;
}

/**
 * The terms of a question, each once, by how much they say. English has stop words. Of what is written without spaces, or with particles glued
 * on, the index holds pairs of letters, and most pairs of a question are of the words that make it one (你还记得我, 뭐였더라): they go, and what
 * joins them to other words counts for little. Pure.
 */
export function questionTerms(text: string): WeightedTerm[] {
  const terms = [...new Set(analyseText(text))];
  const weights = new Map<string, number>();
  const weigh = (term: string, weight: number) => weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  const isFunctionWord = functionWords(text);
  for (const [run] of text.normalize('NFKC').matchAll(RUNS)) {
    const spellings = [...foldForTerms(run)];
    const letters = HANGUL.test(run) ? koreanLetters(run) : segmentedLetters(run, isFunctionWord);
    if (letters.length !== spellings.length) continue;
    for (const [index, letter] of letters.entries()) {
      const spelling = spellings[index] ?? '';
      if (letter.isSingle && (!letter.isFunction || letters.length === 1)) weigh(spelling, letter.isFunction ? 0 : WEIGHT.single);
      const next = letters[index + 1];
      if (next !== undefined) weigh(`${spelling}${spellings[index + 1]}`, weightOf(letter, next));
    }
  }
  const weighted = [...new Set([...terms, ...weights.keys()])].sort().map((term) => ({ term, weight: weights.get(term) ?? 1 }));
  const saying = weighted.filter(({ weight }) => weight > 0);
  return saying.length > 0 ? saying : terms.sort().map((term) => ({ term, weight: 1 }));
}

function weightOf(one: Letter, other: Letter): number {
  if (one.isFunction && other.isFunction) return 0;
  if (one.isFunction || other.isFunction) return WEIGHT.half;
  return one.word === other.word ? 1 : WEIGHT.between;
}

let segmenter: Intl.Segmenter | undefined;

/** Words by the dictionary of ICU, which Node brings: of Chinese, Japanese, Thai and their neighbours. */
function segmentedLetters(run: string, isFunctionWord: (word: string) => boolean): Letter[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  return [...segmenter.segment(run)].flatMap(({ segment }, word) => {
    const letters = [...segment];
    const isFunction = isFunctionWord(segment);
    return letters.map(() => ({ word, isFunction, isSingle: letters.length === 1 }));
  });
}

/** A Korean word is its stem and what is glued to it. */
function koreanLetters(run: string): Letter[] {
  const letters = [...run];
  const isFunction = KOREAN_FUNCTION_WORD.test(run);
  const particle = KOREAN_PARTICLE.exec(run);
  const glued = particle !== null && particle.index >= SHORTEST_STEM ? particle : KOREAN_ENDING.exec(run);
  const stem = Math.max(SHORTEST_STEM, glued?.index ?? letters.length);
  return letters.map((_, index) => ({ word: 0, isFunction: isFunction || index >= stem, isSingle: letters.length === 1 }));
}
