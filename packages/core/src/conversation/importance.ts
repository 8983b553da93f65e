const SIGNS: readonly (readonly [sign: 'decision' | 'constraint' | 'error' | 'detail', gain: number, words: RegExp])[] = [
  [
    'decision',
    2,
    /\b(?:decid\w+|decision|agreed|chose|chosen|settled|approved|we(?:'ll| will)|i(?:'ll| will)|let(?:'|’)s|going with|instead of|switch(?:ed|ing)? to|moved? to|promised)\b|결정|하기로|합의|선택했|决定|決定|选择了|同意|改用/iu,
  ],
  [
    'constraint',
    2,
    /\b(?:must|never|always|only|required?|requirement|deadline|limit|at most|at least|no more than|budget|can(?:'|’)?t|cannot|don(?:'|’)t|not allowed|allerg\w+|forbidden|important|remember|prefers?|by (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|반드시|절대|금지|마감|알레르기|해야|必须|不能|禁止|截止|过敏|不要/iu,
  ],
  [
    'error',
    2,
    /\b(?:errors?|fail(?:s|ed|ure|ing)?|crash\w*|bug|exception|broken?|broke|wrong|refus\w+|outage|timed? ?out|incident)\b|오류|에러|실패|고장|버그|错误|失败|故障|崩溃/iu,
  ],
  ['detail', 0.5, /\d|[\w.]+@[\w.]+|https?:|["“”'`][^"“”'`]{3,}["“”'`]/u],
  ['detail', 0.5, /(?<=[^.!?\s]\s)\p{Lu}\p{L}{2,}/u],
];
const MIN_WORDS = 4;

/**
 * How much a text is worth keeping, without a model: 1 for plain talk, more for decisions, constraints, errors and details, less for
 * questions and short acknowledgements. English, Korean and Chinese signs; in other languages only the details count. Pure.
 */
export function importanceOf(text: string): number {
  let weight = 1;
  for (const [, gain, words] of SIGNS) if (words.test(text)) weight += gain;
  if (/[?？]\s*$/.test(text)) weight *= 0.5;
  // Scripts without spaces make few "words": there the length decides.
  if (text.split(/\s+/).length < MIN_WORDS && text.length < 12) weight *= 0.3;
  return weight;
}
