import { cutText } from '../domain/cut-text.ts';
import type { IndexFilter, WeightedTerm } from '../domain/index-record.ts';
import { normalForm } from '../domain/normal-form.ts';
import type { Query } from '../domain/query.ts';
import { SPACELESS_SCRIPTS } from '../domain/spaceless.ts';
import { analyseText } from '../domain/text-analysis.ts';
import { looksAhead } from './looks-ahead.ts';
import { namedSpeakers, nobodyNamed } from './named-speakers.ts';
import { isOnlyAboutTime } from './only-time.ts';
import { questionTerms } from './question-terms.ts';
import { readTimes } from './read-times.ts';
import { readVoice } from './read-voice.ts';

const MAX_QUERY_LENGTH = 4_000;
/** A local embedding model reads the first 256 tokens or so, and would not come to a question behind a page of text. */
const MAX_DENSE_LENGTH = 1_000;
const MAX_NAME_WORDS = 5;
const MAX_NAME_KEYS = 400;
const MAX_NAME_LETTERS = 12;
const SPACELESS = new RegExp(`[${SPACELESS_SCRIPTS}]{2,}`, 'gu');

export interface QueryInput {
  readonly userId: string;
  readonly text: string;
  readonly filter: IndexFilter;
  /** Names of the speakers in this user's memory. */
  readonly speakers: readonly string[];
}

/** Takes a question apart: terms, possible names, and who of the speakers is meant. Pure; a very long text is cut to what can matter. */
export function analyseQuery(input: QueryInput): Query {
  const text = withoutMiddle(input.text, MAX_QUERY_LENGTH);
  const words = text.split(/[\s,;:!?؟،؛।॥。、，；：！？()[\]{}<>«»„"“”]+/u).filter((word) => word !== '');
  const voice = readVoice(text);
  const named = namedSpeakers(text, input.speakers);
  // "What did you recommend to Ana?" asks for no word of Ana's: she is one who is spoken of, like any other.
  const isOurs = voice !== undefined && !named.areMarked && (voice.said || ASKER_DID.test(text));
  const { speakers, subjects, isBetween, withoutNames: denseText } = isOurs ? nobodyNamed(text) : named;
  const terms = subjects.length > 0 ? withoutTalk(questionTerms(denseText)) : questionTerms(denseText);
  const times = readTimes(denseText);
  const isAhead = looksAhead(denseText, times);
  return {
    userId: input.userId,
    text,
    denseText: withoutMiddle(denseText, MAX_DENSE_LENGTH),
    terms,
    nameKeys: nameKeys(words),
    speakers,
    subjects,
    isBetween,
    ...(voice === undefined || speakers.length > 0 ? {} : { voice }),
    times,
    looksAhead: isAhead,
    onlyTime: isOnlyAboutTime(denseText, terms, times, isAhead),
    filter: input.filter,
  };
}

/** Of what is too long its beginning and its end: people paste first and ask then, or the other way round. */
function withoutMiddle(text: string, length: number): string {
  if (text.length <= length) return text.toWellFormed();
  const half = Math.floor(length / 2);
  return `${cutText(text, half - 1)} ${text.slice(-half).replace(/^[\udc00-\udfff]/, '')}`.toWellFormed();
}

const TALK = new Set(analyseText('say tell mention talk speak 말 说 說 讲 講'));

/** Who said it is known by who spoke: whoever else has "said" or "told" in his words is not asked for. "What did Ana say?" has no others. */
function withoutTalk(terms: readonly WeightedTerm[]): readonly WeightedTerm[] {
  return terms.filter(({ term }) => !TALK.has(term));
}

const ASKER_DID = /\b(?:do|did|have|had|am|was) I\b/i;
const STARTS_LIKE_NAME = /^[^\p{L}\p{N}]*(?:\p{Lu}|\p{Lo}|\S*\p{N})/u;

const GLUED =
  /^([\p{Script=Latin}\p{N}][^\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]*)[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]+$/u;

/** All runs of one to five words, as normal forms: whichever of them is the name of an entity will be found by it. */
function nameKeys(words: readonly string[]): string[] {
  const keys = new Set<string>();
  // "BUG-164는": a particle glued to a name of another script.
  for (const word of words) {
    const bare = GLUED.exec(word)?.[1];
    if (bare !== undefined && bare.length > 1) keys.add(normalForm(bare));
  }
  // "county" is what is asked for, "Avery" is a name; only where nobody uses capitals can any word be one.
  const capitals = words.slice(1).some((word) => STARTS_LIKE_NAME.test(word));
  const mayName = (word: string) => !capitals || STARTS_LIKE_NAME.test(word);
  // The shortest first: most names are short, and a long question fills the bound.
  for (let length = 1; length <= MAX_NAME_WORDS; length++) {
    for (let start = 0; start + length <= words.length && keys.size < MAX_NAME_KEYS; start++) {
      const run = words.slice(start, start + length);
      const key = normalForm(run.join(' '));
      if (key.length > 1 && (key.includes(' ') || mayName(run.at(-1) ?? ''))) keys.add(key);
    }
  }
  // Scripts without spaces: a name can begin and end anywhere inside a run.
  for (const run of words.join(' ').matchAll(SPACELESS)) {
    const letters = [...run[0]];
    for (let length = 2; length <= Math.min(MAX_NAME_LETTERS, letters.length); length++) {
      for (let start = 0; start + length <= letters.length && keys.size < MAX_NAME_KEYS; start++)
        keys.add(normalForm(letters.slice(start, start + length).join('')));
    }
  }
  return [...keys];
}
