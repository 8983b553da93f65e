import { finalOf, VERB_FORMS, type VerbForm } from './korean-verbs.ts';
import { ADVERB, ANY_MORE, AUTHOR, FORMERLY, KIN, NOW, OCCASION, PASSING, POSSESSIVE, PRONOUN, TIME } from './korean-words.ts';
import { type Author, plainName } from './noun-phrases.ts';
import { isKoreanRegion } from './regions.ts';
import { me, relative, type Subject } from './sentences.ts';

export type Case = 'at' | 'in' | 'to' | 'object' | 'with' | 'than' | 'bare';

export interface Clause {
  /** As it stands; undefined where the clause leaves its subject out. */
  readonly subject: Subject | undefined;
  /** The subject is a theme ("민수는"), which the sentences behind it keep; "날씨가" is forgotten. */
  readonly isTopic: boolean;
  readonly arguments: ReadonlyMap<Case, string>;
  readonly negated: boolean;
  /** "이제 안", "더 이상": over, not merely untrue. */
  readonly ended: boolean;
  readonly formerly: boolean;
  /** For a time. */
  readonly passing: boolean;
  /** At some hours or days. */
  readonly occasional: boolean;
  /** A word has no place in what the rules know. */
  readonly unread: boolean;
}

export interface VerbClause {
  readonly clause: Clause;
  readonly forms: readonly VerbForm[];
  /** All of them, the verb included. */
  readonly words: readonly string[];
}

const PARTICLE =
  /^(?<noun>.+?)(?<particle>에서부터|에서는|에서도|에서|에게서|에게|에는|에도|엔|에|한테|이랑|랑|으로는|으로도|으로|로는|로도|로|께서는|께서|은|는|이|가|을|를|도|만|와|과|하고|보다는|보다)$/u;
const CASES: readonly (readonly [RegExp, Case | 'subject' | 'topic'])[] = [
  [/^에서/, 'at'],
  [/^(?:에[는도]?|엔)$/, 'in'],
  [/^(?:으?로)/, 'to'],
  [/^[을를도만]$/, 'object'],
  [/^(?:이?랑|와|과|하고)$/, 'with'],
  [/^보다/, 'than'],
  [/^(?:은|는|께서는)$/, 'topic'],
  [/^(?:이|가|께서)$/, 'subject'],
];
const LINK = /(?:[아어해여와가봐]서|려고|지만|[은는인]데|니까|자마자|면서)$/u;
/** "일하고 왔어", "살고 나서": the first verb is no statement of its own. */
const GOES_ON = /^(?:왔|갔|오|가|나서|나니|돌아|말|보니)/;

/** "이사한 지 3년 됐어": how long ago it was says that it was. */
const SINCE = /(이사한|이사온|이사간|산|일한|근무한|다닌|끊은|그만둔|결혼한|이직한|입사한) 지(?=\s).*$/u;
const LASTING: Readonly<Record<string, string>> = {
  이사한: '이사했어',
  이사온: '이사왔어',
  이사간: '이사갔어',
  산: '살아',
  일한: '일해',
  근무한: '근무해',
  다닌: '다녀',
  끊은: '끊었어',
  그만둔: '그만뒀어',
  결혼한: '결혼했어',
  이직한: '이직했어',
  입사한: '입사했어',
};
/** What happens once: told before "고" it takes its tense from the last verb ("그만두고 입사했어"). */
const HAPPENS = /^(?:move to|relocate|leave|start at|change job|resign|lose job|quit|buy|sell|throw away|marry|divorce|break up with|change)$/;
const PAST_FINAL = 20;

/** Whether a particle fits the syllable before it: 서울+은, 부산+으로, 제주+로. "나이" is no 나 with a particle. */
function fits(noun: string, particle: string): boolean {
  const final = finalOf(noun);
  if (final === undefined) return true;
  if (/^(?:은|이|을|과|이랑)$/.test(particle)) return final > 0;
  if (particle.startsWith('으로')) return final > 0 && final !== 8;
  if (/^(?:는|가|를|와|랑)$/.test(particle)) return final === 0;
  return particle.startsWith('로') ? final === 0 || final === 8 : true;
}

/** "부산으로": the noun and what its particle makes of it. */
export function nounAndCase(word: string): { readonly noun: string; readonly role: Case | 'subject' | 'topic' | 'other' } {
  const { noun, particle } = PARTICLE.exec(word)?.groups ?? {};
  if (noun === undefined || particle === undefined || !fits(noun, particle)) return { noun: word, role: 'bare' };
  return { noun, role: CASES.find(([pattern]) => pattern.test(particle))?.[1] ?? 'other' };
}

/** Parts a sentence into its clauses, each with the forms that its verb may be. The last part has none where it ends in no known verb. */
export function clausesOf(sentence: string, author: Author): { readonly verbs: readonly VerbClause[]; readonly rest: readonly string[] } {
  const verbs: VerbClause[] = [];
  let open: string[] = [];
  const words = joined(sentence)
    .split(/\s+/)
    .filter((word) => word !== '');
  const told = isPast(words.findLast((word) => word !== ',') ?? '');
  for (const [at, word] of words.entries()) {
    const next = words[at + 1];
    const ends = next === undefined || next === ',';
    const forms = (VERB_FORMS.get(word) ?? [])
      .map((form) => (told && form.links && form.tense === 'now' && HAPPENS.test(form.verb) ? { ...form, tense: 'past' as const } : form))
      .filter(({ links, open: goesOn, tense }) => ends || links || (tense === 'past' && !goesOn));
    if (forms.length > 0 && !(next !== undefined && /고$/.test(word) && GOES_ON.test(next))) {
      verbs.push({ clause: clauseOf(open, author), forms, words: [...open, word] });
      open = [];
    } else if (forms.length > 0 || (!ends && LINK.test(word))) {
      // What it says is not known, but whom it is about.
      verbs.push({ clause: clauseOf(open, author), forms: [], words: [...open, word] });
      open = [];
    } else open.push(word);
  }
  return { verbs, rest: open };
}

function isPast(word: string): boolean {
  const stem = word.replace(/(?:어|어요|습니다|다|지|지요|죠|음|네|네요|거든|거든요)$/u, '');
  return stem !== word && finalOf(stem) === PAST_FINAL;
}

/** Words that belong together in one spelling, whatever spaces people leave. */
function joined(sentence: string): string {
  return sentence
    .replace(/["“「『][^"”」』]*["”」』]/gu, ' ')
    .replace(/[,，;]/g, ' , ')
    .replace(/[.!~…ㅋㅎㅠㅜ^]+(?=\s|$)/gu, ' ')
    .replace(/(?<=^|\s)(\d+|한|두|세|네|몇) (년|달|개월|주일?|일)(?=\s)/g, '$1$2')
    .replace(/(?:우리|저희) 가족(?:은|이|도)(?=\s)/g, '우리는')
    .replace(/되었/g, '됐')
    .replace(/하였/g, '했')
    .replace(/고 (있|계|싶)/g, '고$1')
    .replace(/지(?:는|도|를)? (않)/g, '지$1')
    .replace(/게 (됐|되|돼)/g, '게$1')
    .replace(/곤 했/g, '곤했')
    .replace(/더 이상/g, '더이상')
    .replace(/할 줄 알/g, '할줄알')
    .replace(/(이사|이민|이주)(?:을|를)? (하|해|했|합|한|가|갔|간|오|와|왔)/g, '$1$2')
    .replace(/(일|근무|공부|결혼|이혼|이직|퇴사|입사|취직|취업|선호|거주|좋아|싫어)(?:을|를)? (하고있|하지않|해|했|합니다|한다)/g, '$1$2')
    .replace(/(재직|근무|거주) 중(?:이야|이에요|입니다|임)?(?=\s|$)/g, '$1하는중')
    .replace(/는 중(이야|이에요|입니다)?(?=\s|$)/g, '는중$1')
    .replace(/\S+ (?:때문에|대신에?)(?=\s)/g, ' ')
    .replace(SINCE, (_, verb: string) => LASTING[verb] ?? verb);
}

export function clauseOf(words: readonly string[], author: Author): Clause {
  let subject: Subject | undefined;
  let isTopic = false;
  let [negated, anyMore, now, formerly, passing, occasional, unread, possessive] = [false, false, false, false, false, false, false, false];
  let bare: string[] = [];
  const roles = new Map<Case, string>();
  const put = (role: Case, noun: string) => {
    if (roles.has(role)) unread = true;
    else roles.set(role, noun);
  };
  for (const [at, word] of words.entries()) {
    if (word === ',') continue;
    const { noun, role } = nounAndCase(word);
    if (word === '안') negated = true;
    else if (ANY_MORE.has(word)) anyMore = true;
    else if (NOW.has(word)) now = true;
    else if (FORMERLY.has(word)) formerly = true;
    else if (PASSING.test(word)) passing = true;
    else if (OCCASION.test(word)) occasional = true;
    else if (PRONOUN.test(word)) subject = 'unknown';
    else if (POSSESSIVE.has(word) && isKin(nounAndCase(words[at + 1] ?? '').noun)) possessive = true;
    else if (AUTHOR.has(word) && !(word === '전' && at > 0)) {
      subject ??= me(author);
      isTopic = true;
    } else if (ADVERB.has(word) || TIME.test(word)) continue;
    else if (isKin(noun) && role !== 'at' && role !== 'in' && role !== 'to') {
      const name = `${author.name ?? ''}'s ${noun}`;
      if (role === 'with') put('with', name);
      else if (role === 'object' && !word.endsWith('도')) put('object', name);
      else if (role === 'than' || role === 'other' || subject !== undefined) unread = true;
      else {
        subject = relative(noun, author);
        isTopic = true;
      }
      possessive = false;
    } else if (role === 'bare') bare.push(word);
    else if (role === 'topic' || role === 'subject') {
      if (subject !== undefined || bare.length > 0) unread = true;
      subject ??= plainName(noun, { hasName: true });
      isTopic ||= role === 'topic';
    } else if (role === 'other') unread = true;
    else {
      const joins = bare.every((part) => isKoreanRegion(part) || /^\p{Lu}/u.test(part)) || role === 'object' || isMe(subject);
      if (!joins) unread = true;
      put(role, [...bare, noun].join(' '));
      bare = [];
    }
  }
  if (bare.length > 0) {
    if (bare.length > 1 && !bare.slice(0, -1).every((part) => isKoreanRegion(part))) unread = true;
    put('bare', bare.join(' '));
  }
  return { subject, isTopic, arguments: roles, negated, ended: anyMore || now, formerly, passing, occasional, unread: unread || possessive };
}

function isMe(subject: Subject | undefined): boolean {
  return subject !== undefined && subject !== 'unknown' && subject.isAuthor;
}

function isKin(noun: string): boolean {
  return KIN.has(noun);
}
