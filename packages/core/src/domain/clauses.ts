/** Behind the end of a sentence; "v1.2" and "example.com" end none. */
const SENTENCE_END = /(?<=[.!?…]["'”’)]*)\s+|(?<=[。！？；;])|\n+/u;
const SUBJECT = '(?:I|you|we|he|she|it|they|my|your|our|his|her|its|their|the|this|that|there)\\b';
/**
 * Where a clause of a sentence may begin: in English behind "and" and the like, or behind a comma with a subject or "who"; in Korean behind a verb
 * that goes on (살고 and 사는데, not 살고 있어); in Chinese and Korean behind any comma.
 */
const CLAUSE_START = new RegExp(
  `,?\\s+(?:and|but|while|because|although|though|whereas)\\s+(?=\\S+\\s+\\S)|,\\s+(?=(?:who|which|where|whose|${SUBJECT}))` +
    '|(?<=\\p{Script=Hangul}),\\s*|(?<=\\p{Script=Han})[，,]|，' +
    '|(?<=\\p{Script=Hangul}(?:(?<![창최광냉장금])고|며|지만|는데|은데|인데|니까|라서))\\s+(?!있|싶|계|말)',
  'iu',
);
const SAYS_SOMETHING = /\b(?:I|you|we|he|she|it|they|am|is|are|was|were|have|has|had|do|does|did|will|can)\b|['’](?:m|s|re|ve|ll)\b/i;
/** Greetings, and words that only say when or how what follows is said. */
const HOLLOW_ENGLISH =
  /^(?:hi|hello|hey|dear|thanks|thank|well|yes|no|ok|okay|oh|so|since|last|this|next|in|on|at|by|from|as|after|before|actually|yesterday|today|now)\b/i;
const HOLLOW =
  /^(?:안녕\S*|네|예|응|음|아|아니\S*|참|감사\S*|고마워\S*|그래서|그리고|지난\S*(?: \S+)?|작년\S*|올해\S*|이제|지금|어제|오늘|사실은?|[你您]好|大家好|嗨|谢谢.{0,2}|是的|对了?|嗯|好的|现在|去年|今年|上周|上个?月|昨天|今天|最近|以前|之前|后来|其实|从.{1,6}(?:开始|起))$/u;

/** Of what is longer the beginning says enough; the patterns take quadratic time for a run of marks. */
export const LETTERS_READ = 2_000;

/** Sentences of a text in any language, of a long one those at its beginning. */
export function sentencesIn(text: string): string[] {
  return text
    .slice(0, LETTERS_READ)
    .replace(/[^\S\n]+/g, ' ')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

/** Clauses of a text that say something, by its punctuation and by what joins clauses in English, Korean and Chinese. Pure. */
export function clausesIn(text: string): string[] {
  return sentencesIn(text).flatMap((sentence) => sentence.split(CLAUSE_START).map(withoutMarks).filter(saysSomething));
}

function withoutMarks(clause: string): string {
  return clause.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

function saysSomething(clause: string): boolean {
  if (HOLLOW.test(clause)) return false;
  if (/[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(clause)) return clause.length > 1;
  return /\s/.test(clause) && (SAYS_SOMETHING.test(clause) || !HOLLOW_ENGLISH.test(clause));
}
