import { foldText } from '../domain/fold-text.ts';
import { isStopWord } from '../domain/text-analysis.ts';
import { indexOf, isEnglish, MARK, MAX_MARKS, markOf, type NamedPlace, subjectsOf } from './question-subjects.ts';

export interface NamedSpeakers {
  /** Those of the speakers whom the text names, in their order. */
  readonly speakers: readonly string[];
  /** Those of them who are asked about, not spoken to: Ana alone in "What did Ana tell Ben?". */
  readonly subjects: readonly string[];
  /** Whether the grammar makes them so: Ana in "did Ana say", not in "to Ana". */
  readonly areMarked: boolean;
  /** Whether the text is about what passed between them and others whom it names. */
  readonly isBetween: boolean;
  /**
   * The text without their names. In English "I" and "my" stand for them, "you" and "your" for those whom the subject speaks to: people tell of
   * themselves, so "When did I paint a sunrise?" lies nearer to what Ana said of it than "When did paint a sunrise?" does.
   */
  readonly withoutNames: string;
}

export function nobodyNamed(text: string): NamedSpeakers {
  return { speakers: [], subjects: [], areMarked: false, isBetween: false, withoutNames: text };
}

/**
 * Finds the speakers that a question names, by their name or a part of it that people are called by. A longer form goes first: "Ana Kim" names
 * one of two Anas, "Ana" both. Pure.
 */
export function namedSpeakers(text: string, names: readonly string[]): NamedSpeakers {
  const folded = plain(text);
  const forms = new Map<string, string[]>();
  const mayStand = (form: string) => folded.includes(plain(form));
  for (const name of names) for (const form of formsOf(name).filter(mayStand)) forms.set(form, [...(forms.get(form) ?? []), name]);
  const found: NamedPlace[] = [];
  let marked = decomposed(text).replace(MARK, ' ');
  for (const [form, called] of [...forms].sort(([a], [b]) => b.length - a.length || (a < b ? -1 : 1))) {
    marked = marked.replace(namePattern(form), (word, ending: string, at: number) => {
      if (found.length === MAX_MARKS || isCommonWord(word, form, marked, at)) return word;
      found.push({ names: called, ending });
      return ` ${markOf(found.length - 1)} `;
    });
  }
  if (found.length === 0) return nobodyNamed(text);
  marked = marked.replace(/\s+/g, ' ');
  const named = new Set(found.flatMap((place) => place.names));
  const { names: subjects, areMarked, isBetween } = subjectsOf(marked, found);
  const person = isEnglish(text) ? englishPerson : () => '';
  const rest = marked
    .replace(MARK, (mark) => {
      const { names: called, ending } = found[indexOf(mark)] ?? { names: [], ending: '' };
      return person(
        called.some((name) => subjects.has(name)),
        ending,
      );
    })
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\b(does|has|is)(?= I\b)/gi, (verb) => FIRST_PERSON[verb.toLowerCase()] ?? verb);
  return {
    speakers: names.filter((name) => named.has(name)),
    subjects: names.filter((name) => subjects.has(name)),
    areMarked,
    isBetween,
    withoutNames: /[\p{L}\p{N}]/u.test(rest) ? rest : text,
  };
}

const FIRST_PERSON: Readonly<Record<string, string>> = { does: 'do', has: 'have', is: 'am' };
const DENSE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;
const HANGUL = /^\p{Script=Hangul}+$/u;
const HAN = /^[\p{Script=Han}々]+$/u;

function englishPerson(isSubject: boolean, ending: string): string {
  if (ending !== '') return isSubject ? 'my' : 'your';
  return isSubject ? 'I' : 'you';
}

/** The whole name, and what of it people are called by: "Ana" of Ana Lee, 민수 of 김민수, 小明 of 王小明, 田中 and 太郎 of 田中太郎. */
function formsOf(name: string): string[] {
  const whole = name.trim();
  if (plain(whole) === '') return [];
  const letters = [...whole];
  const isDense = HANGUL.test(whole) || HAN.test(whole);
  const parts = isDense
    ? [
        ...(letters.length === 3 || letters.length === 4 ? [letters.slice(-2).join('')] : []),
        ...(letters.length === 4 ? [letters.slice(0, 2).join('')] : []),
      ]
    : whole
        .split(/\s+/)
        .slice(0, 1)
        .filter((word) => !word.endsWith('.'));
  return [...new Set([whole, ...parts])];
}

/** What may be glued to a name: the English possessive, Korean particles and titles. Chinese and Japanese have no spaces at all. */
const ENGLISH_ENDING = "['’]s|(?<=s)['’](?= )";
const KOREAN_ENDING =
  '(?: ?(?:씨|님))?(?:이?(?:에게|한테)서?(?:는|도|만)?|이?(?:에겐|한텐)|께서?(?:는|도)?|(?:으|이)?로부터|에(?= (?:따르|의하))|이?(?:가|는|를|랑|도|만|의|와|야|네|하고|보다|처럼|부터|까지)|이|은|을|과|아)?';
const QUOTES = "['’‘`´]";
const BETWEEN = /[\s\p{Pd}_]/u;

function namePattern(name: string): RegExp {
  const letters = [...decomposed(name)]
    .filter((letter) => !/\p{M}/u.test(letter) || DENSE.test(name))
    .map((letter) => {
      if (new RegExp(QUOTES).test(letter)) return `${QUOTES}?`;
      if (BETWEEN.test(letter)) return '[\\s\\p{Pd}_]+';
      return letter.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&') + (/\p{Script=Latin}/u.test(letter) ? '\\p{M}*' : '');
    });
  if (HAN.test(name) && letters.length > 1) return new RegExp(`${letters.join('')}()`, 'gu');
  // Behind a name in Latin letters, a letter of another script begins another word.
  const [ending, letter] = HANGUL.test(name) ? [KOREAN_ENDING, '\\p{L}'] : [`(?:${ENGLISH_ENDING}|${KOREAN_ENDING})`, '\\p{Script=Latin}'];
  return new RegExp(`(?<![${letter}\\p{N}\\p{M}])${letters.join('')}(${ending})(?![${letter}\\p{N}\\p{M}])`, 'giu');
}

/** For a quick look whether a form can stand in a text at all. */
function plain(text: string): string {
  return foldText(text)
    .replace(/['’‘`´]/g, '')
    .replace(/[\s\p{Pd}_]+/gu, ' ')
    .trim();
}

/** Latin letters and their accents apart, so that "Jose" is found by José and the other way round. */
function decomposed(text: string): string {
  return text.normalize('NFC').replace(/[\u00c0-\u024f\u1e00-\u1eff]/g, (letter) => letter.normalize('NFD'));
}

const DETERMINER = /\b(?:the|an?|this|that|these|those|which|what|whose|my|your|his|her|its|our|their|some|any|no|each|every)\s+$/i;
const BEFORE_MONTH =
  /(?:\b(?:in|on|since|until|till|by|of|during|before|after|between|from|to|and|last|next|this|early|mid|late)|\d(?:st|nd|rd|th)?)\s+$/i;
const AFTER_MONTH = /^,?\s+\d/;
const MONTH = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/i;

/**
 * Whether a word that is somebody's name is only a word here: Will, May, Art, Rose. It is where no capital says otherwise behind an article or
 * the like, where it is a word that any question may have, and where it stands like a month.
 */
function isCommonWord(found: string, form: string, text: string, at: number): boolean {
  if (!/^\p{Script=Latin}/u.test(form)) return false;
  const before = text.slice(0, at);
  if (MONTH.test(form)) return BEFORE_MONTH.test(before) || AFTER_MONTH.test(text.slice(at + found.length)) || isPlain(found, before, form);
  return isPlain(found, before, form);
}

function isPlain(found: string, before: string, form: string): boolean {
  const isCapital = /^\p{Lu}/u.test(found) && before.trim() !== '';
  return !isCapital && (isStopWord(form) || (!/^\p{Lu}/u.test(found) && DETERMINER.test(before)));
}
