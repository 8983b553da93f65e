import { stem } from '../domain/text-analysis.ts';
import { KOREAN_NEGATION, stemsOf, TURNS } from './near-duplicate.ts';

const QUESTION_WORD =
  /^(?:who|whom|whose|what|which|when|where|why|how|누\S*|뭐\S*|무\S*|언제\S*|어디\S*|왜|어떻\S*|얼마\S*|몇|谁|誰|哪|何|几|多|怎|为|為)$/u;

/** Words that carry a sentence and not its subject. Stems, or letters of scripts without spaces. */
const CARRIERS = new Set([
  ...'be been is are was were do does did has have had will shall of for in on at by about there it this that these those any please exactly currently'
    .split(' ')
    .map((word) => stem(word)),
  ...'的了吗嗎呢啊吧呀是请請かのをはがにでとも',
]);
/** Without one of these a question is not in English, and "wohnt" and "wohnte", "come" and "comes" are two words with one Porter stem. */
const ENGLISH =
  /\b(?:who|whom|whose|what|which|when|where|why|how|do|does|did|is|are|am|was|were|has|have|had|can|could|will|would|shall|should|may|must)\b/;
const PAST = new Set(['did', 'was', 'were', 'had'].map((word) => stem(word)));
const FUTURE = new Set(['will', 'shall'].map((word) => stem(word)));

/**
 * Whether two questions may share an answer: the same names, numbers, negations and question words in the same order, the same tense, and no
 * word for a thing in one that the other lacks. "Younger" and "older" are neighbours to any vector, and so are "today" and "yesterday": what
 * differs may only be how an English word is inflected, where it stands, and the words that carry a sentence.
 */
export function asksTheSame(a: string, b: string): boolean {
  const [first, second] = [stemsOf(a), stemsOf(b)];
  if (!(ENGLISH.test(a.toLowerCase()) && ENGLISH.test(b.toLowerCase())) && !sameSet(writtenIn(a), writtenIn(b))) return false;
  const names = new Set([...namesIn(a), ...namesIn(b)]);
  return (
    inOrder(first, names) === inOrder(second, names) &&
    tenseOf(first) === tenseOf(second) &&
    regularPasts(a) === regularPasts(b) &&
    sameSet(subjectsOf(first), subjectsOf(second))
  );
}

function inOrder(words: readonly string[], names: ReadonlySet<string>): string {
  const isFixed = (word: string) =>
    /\p{N}/u.test(word) || TURNS.has(word) || KOREAN_NEGATION.test(word) || QUESTION_WORD.test(word) || names.has(word);
  return words.filter(isFixed).join(' ');
}

function tenseOf(words: readonly string[]): string {
  return [words.some((word) => PAST.has(word)), words.some((word) => FUTURE.has(word))].join();
}

/** "Who works", "who worked": one stem. */
function regularPasts(text: string): number {
  return text.match(/\p{L}{2}ed\b/giu)?.length ?? 0;
}

function writtenIn(text: string): ReadonlySet<string> {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return new Set(words.filter((word) => !CARRIERS.has(word)));
}

/** "2 am" is an hour, "I am" is none. */
function subjectsOf(words: readonly string[]): ReadonlySet<string> {
  return new Set(words.filter((word, index) => !CARRIERS.has(word) && !(word === 'am' && words[index - 1] === 'i')));
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((word) => b.has(word));
}

/** Words that are written like names: capital letters beyond the first word, as stems. */
function namesIn(text: string): string[] {
  return text
    .split(/\s+/)
    .slice(1)
    .filter((word) => /^\P{L}*\p{Lu}/u.test(word) && !/^I(?:'|$)/.test(word))
    .flatMap((word) => stemsOf(word));
}
