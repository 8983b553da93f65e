import type { Correction } from './sentences.ts';

const CORRECTS =
  /^(?:correction\b|(?:sorry|oops|no|wait|actually|well)[,.!]? (?:i meant|i mean|that was wrong|i was wrong|i misspoke)\b|i (?:meant|misspoke|was wrong)\b|scratch that\b)|\bnot [^,.;]{1,60} but \S/i;
/** "Actually, I live in Bergen" sets right what was said; "actually, I moved to Bergen" tells what happened. */
const SETS_RIGHT = /^actually\b(?!.*\b(?:moved|switched|changed|now|started|joined|quit|left|sold|bought)\b)/i;
const FRAGMENT =
  /^(?:(?:sorry|oops|no|wait|actually|well)[,.!]? ?)*(?:i meant|i mean|make that|correction:?|it is|it's) (?:to say )?(?<right>[^,.;!?]{1,80}?)(?:,? not (?:in |at |to )?(?<wrong>[^,.;!?]{1,80}))?[.!]*$/i;
const SOON =
  /\b(?:next (?:week|month|year|spring|summer|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|tomorrow|soon|in (?:a|\d+|two|three) (?:days?|weeks?|months?|years?))\b/i;
const PROGRESSIVE = /(?:\b(?:am|is|are)|['’](?:m|re|s)) (?:\w+ )?\w+ing\b/i;

/** Whether the sentence says that an earlier statement was wrong, not that the world has changed. */
export function corrects(sentence: string): boolean {
  const text = sentence.trim();
  return CORRECTS.test(text) || SETS_RIGHT.test(text);
}

/** "Not after noon", "not well": what is denied in part may hold otherwise. "Not at the moment" and "not at all" deny the whole. */
const DEGREE = String.raw`(?:(?:very|too|that|so|as|all that|really|quite) )?(?:well|much|often|a lot|(?:in|out)doors|(?:in|out)side|here|there|fluently|regularly|daily|every [^\s,.;!?]+)`;
const OCCASION = String.raw`(?:after|before|with|without|during|until|when|while|on(?! (?:principle|purpose))|in(?! (?:fact|general|my life|the least|\d))|at(?! (?:all|the moment|present|this)))`;
const WORDS = String.raw`(?: (?!(?:because|but|and|so|since|if|any|anymore|now)\b)[^\s,.;!?]+){1,5}`;
const LIMIT = new RegExp(String.raw`^(?:,? and \S+)*\s+(?<limit>(?:${DEGREE}|${OCCASION}${WORDS}))(?!\p{L})`, 'iu');

/** Of what was given up only an hour or a day that comes again is a limit: "I stopped smoking after the operation" tells since when. */
const HOURS =
  /^,?\s+(?<limit>(?:after|before|at|in|on|during) (?:the )?(?:\d+ ?(?:[ap]\.?m\b|o'clock)|\d+:\d\d|noon|midnight|night|work|(?:morning|afternoon|evening|weekday|weekend)s?\b|\w+days\b))/i;

/** "I stopped playing tennis with Bob": somebody else may play. */
const COMPANY = /^\s+(?<limit>with \p{Lu}\p{L}*)/u;
/** "I used to like jazz even more": it is liked all the same. */
const COMPARED = /^\s+(?<limit>(?:even |much |a lot )?(?:more|less|better|worse))(?!\p{L})/iu;
/** "I sometimes work at the market": beside what one does else. */
const AT_TIMES = /\b(?<limit>sometimes|occasionally|now and then|once in a while|from time to time)\b/i;

/** The limit of a denial, as it stands behind the object: "I don't drink coffee after noon"; and how seldom something is so. */
export function limitOf(sentence: string, predicate: string, object: string): string | undefined {
  return limitBehind(sentence, predicate, object) ?? AT_TIMES.exec(sentence)?.groups?.['limit']?.toLowerCase();
}

function limitBehind(sentence: string, predicate: string, object: string): string | undefined {
  const patterns = /^(?:can )?(?:not|never|no longer) /.test(predicate)
    ? [LIMIT]
    : /^(?:stop|quit|give up|cease)(?: |$)/.test(predicate)
      ? [HOURS, COMPANY]
      : predicate.startsWith('used to ')
        ? [COMPARED]
        : [];
  // "I don't smoke indoors": the object is made of the verb.
  const word = (/ do$/.test(predicate) ? object.replace(/ing$/, '') : object).toLowerCase();
  const at = sentence.toLowerCase().lastIndexOf(word);
  if (at < 0) return undefined;
  const behind = sentence.slice(at + word.length).replace(/^[a-z]+/, '');
  return patterns.map((pattern) => pattern.exec(behind)?.groups?.['limit']?.trim()).find((limit) => limit !== undefined);
}

/** "I'm moving to Rome next month" is a plan. */
export function isPlanned(sentence: string): boolean {
  return SOON.test(sentence) && PROGRESSIVE.test(sentence);
}

/** What "I meant Bergen, not Oslo" puts in the place of what. A word alone is one only where it is a name or a number. */
export function correctionOf(sentence: string): Correction | undefined {
  const { right, wrong } = FRAGMENT.exec(sentence.trim())?.groups ?? {};
  const word = right?.replace(/^(?:in|at|to|the|an?) /i, '').trim();
  if (word === undefined || !/^[\p{L}\p{N}]/u.test(word) || (wrong === undefined && !/^\p{Lu}|^\d/u.test(word))) return undefined;
  return { right: word, wrong: wrong?.trim() };
}
