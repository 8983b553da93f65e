import { type Clause, clauseOf, nounAndCase } from './korean-clauses.ts';
import { finalOf } from './korean-verbs.ts';
import { ADVERB, ANY_MORE, ATTRIBUTE, AUTHOR, KIND, NO_PLACE, NOW, POSSESSIVE } from './korean-words.ts';
import { type Author, plainName } from './noun-phrases.ts';
import { me, type Subject } from './sentences.ts';

type Statement = readonly [predicate: string, object: string];
interface Told {
  readonly statements: readonly Statement[];
  /** Whom it is about, where the clause says so. */
  readonly of?: Subject;
}

const NOTHING: Told = { statements: [] };
const FAVOURITE =
  /^(?<owner>.*?)(?:(?:(?:제일|가장|최고로) ?)?(?:좋아하는|선호하는|사랑하는|즐겨 \S+)|최애) (?<kind>[^,]{1,20}?)(?<particle>은|는|이|가|을|를) (?<value>.+)$/u;
const NAMES = [...ATTRIBUTE.keys()].sort((a, b) => b.length - a.length).map((name) => [...name].join(' ?'));
const ATTRIBUTE_OF = new RegExp(`^(?<owner>(?:.* )?)(?<name>${NAMES.join('|')})(?<particle>은|는|이|가|을|를) (?<value>.+)$`, 'u');
/** "월세는 50만원이에요": of a number there is one at a time. */
const MEASURE_OF =
  /^(?:[내제] )?(?<name>[^\s]{2,10}?)(?<particle>은|는|이|가) (?:이제 |지금 )?(?<amount>(?!\d+[살세])\d[\d,.]*\S{0,6}?)(?:이에요|예요|이야|야|입니다|(?:이|으로|로)? (?:됐|올랐|내렸)(?:어요?|습니다))$/u;
const AGE =
  /^(?:(?:나는?|저는?|난|전|내가|제가) )?(?:(?:이제|올해|벌써|지금) )*(?<age>\d{1,3})(?:살|세)(?:이에요|이야|예요|입니다|(?:이)? (?:됐|되었)(?:어요?|습니다))$/u;
const IS = /^(?<value>.+?)(?:이야|야|이에요|예요|에요|입니다|이다|임|이지|이거든)$/u;
const WAS = /^(?<value>.+?)(?:이었|였)(?:어|어요|습니다|다)$/u;
const IS_NOT = /^(?<value>.+?)(?:이|가)? 아니(?:야|에요|다|거든)$|^(?<formal>.+?)(?:이|가)? 아닙니다$/u;
const BECAME =
  /^(?<value>.+?)(?:(?:으로|로|이|가)? )(?:바뀌었|변경됐|수정됐|됐|바꿨|변경했|수정했|미뤘|연기했|연기됐|앞당겼|올렸|내렸)(?:어|어요|습니다|다|음)$/u;
const STATE =
  /^(?<value>완료|해결|승인|거절|취소|보류|차단|중단|배포|종료|마감|병합|반려|활성화|비활성화|만료)(?:됐(?:어|어요|습니다|다|음)| ?상태(?:야|예요|입니다))$/u;
/** Attributes of people: with no owner named they are the speaker's. Those of things are then the thing's own. */
const PERSONAL = /^(?:name|age|phone number|email|address|birthday|weight|salary|job|position|job title|residence|username)$/;

/** "제일 좋아하는 색은 파란색이야", "버전은 2.4야", "나는 채식주의자야": what somebody or something is. */
export function copulaOf(words: readonly string[], author: Author): Told {
  const text = words.filter((word) => word !== ',').join(' ');
  const favourite = FAVOURITE.exec(text)?.groups;
  if (favourite !== undefined) {
    const kind = favourite['kind'] ?? '';
    const owner = ownerOf(favourite['owner'] ?? '', author);
    const predicate = `favourite ${KIND.get(kind.replaceAll(' ', '')) ?? kind}`;
    return owner === undefined ? NOTHING : told(predicate, favourite, owner === 'left out' ? undefined : owner);
  }
  const attribute = ATTRIBUTE_OF.exec(text)?.groups;
  if (attribute !== undefined) {
    const name = attribute['name'] ?? '';
    const predicate = ATTRIBUTE.get(name.replaceAll(' ', '')) ?? name;
    const owner = ownerOf(attribute['owner'] ?? '', author);
    if (owner === undefined) return NOTHING;
    const isThings = owner === 'left out' && !PERSONAL.test(predicate);
    const statement = told(
      isThings ? 'be set to' : predicate,
      attribute,
      isThings ? plainName(name, { hasName: true }) : owner === 'left out' ? undefined : owner,
    );
    return predicate === 'residence' && statement.statements.some(([, value]) => NO_PLACE.test(value)) ? NOTHING : statement;
  }
  const measure = MEASURE_OF.exec(text)?.groups;
  const [name = '', amount = ''] = [measure?.['name'], measure?.['amount']];
  if (measure !== undefined && !AUTHOR.has(`${name}${measure['particle']}`))
    return { statements: [['be set to', amount]], of: plainName(name, { hasName: true }) };
  const age = AGE.exec(text)?.groups?.['age'];
  if (age !== undefined) return { statements: [['age', age]], of: me(author) };
  return be(words, author);
}

function told(predicate: string, { value: written = '', particle = '' }: Readonly<Record<string, string>>, of: Subject | undefined): Told {
  const words = written.split(' ');
  const isOver = words.some((word) => NOW.has(word) || ANY_MORE.has(word));
  const value = words.filter((word) => !NOW.has(word) && !ANY_MORE.has(word) && (word === words.at(-1) || !ADVERB.has(word))).join(' ');
  const not = IS_NOT.exec(value)?.groups;
  const denied = not?.['value'] ?? not?.['formal'];
  const about = of === undefined ? {} : { of };
  if (denied !== undefined) return { statements: [[`${isOver ? 'no longer' : 'not'} ${predicate}`, denied]], ...about };
  const became = BECAME.exec(value)?.groups?.['value']?.replace(/^.+에서 /u, '');
  const is = /^[을를]$/.test(particle) ? undefined : complementOf(value);
  const found = became ?? is;
  return found === undefined ? NOTHING : { statements: [[predicate, found]], ...about };
}

/** "파란색이야" is 파란색 with 이야, "의사야" 의사 with 야. */
function complementOf(text: string): string | undefined {
  if (WAS.test(text)) return undefined;
  const value = IS.exec(text)?.groups?.['value'];
  if (value === undefined) return undefined;
  return finalOf(value) === 0 && text.slice(value.length).startsWith('이') && !/^이다|^이지/.test(text.slice(value.length)) ? `${value}이` : value;
}

/** @returns undefined where nobody knows whose it is */
function ownerOf(text: string, author: Author): Subject | 'left out' | undefined {
  const words = text.split(' ').filter((word) => word !== '' && !ADVERB.has(word) && !NOW.has(word));
  const own = (word: string) => AUTHOR.has(word) || POSSESSIVE.has(word);
  const others = words.filter((word) => !own(word));
  if (others.length === 0) return words.length === 0 ? 'left out' : me(author);
  if (others.length > 1) return undefined;
  const [word = ''] = others;
  const noun = word.endsWith('의') ? word.slice(0, -1) : nounAndCase(word).noun;
  // "싫어하는 색은"
  if (/(?:하|되|던|한|된)$/.test(noun)) return undefined;
  const { subject } = clauseOf([noun], author);
  return subject ?? plainName(noun, { hasName: true });
}

/** "나는 채식주의자야", "이제 채식주의자 아니야", "TICKET-9는 완료됐어". */
function be(words: readonly string[], author: Author): Told {
  const at = words.findIndex((word) => AUTHOR.has(word) || /^(?:topic|subject)$/.test(nounAndCase(word).role));
  const clause: Clause = clauseOf(words.slice(0, at + 1), author);
  const rest = words.slice(at + 1).filter((word) => word !== ',' && (word === words.at(-1) || !ADVERB.has(word)));
  const text = rest.filter((word) => !NOW.has(word) && !ANY_MORE.has(word)).join(' ');
  if (clause.unread || clause.subject === 'unknown' || rest.length > 5) return NOTHING;
  const { subject } = clause;
  const isOver = words.some((word) => NOW.has(word) || ANY_MORE.has(word));
  // "이제 채식주의자가 아니야": the speaker is left out.
  const left = IS_NOT.exec(
    words.filter((word) => word !== ',' && !NOW.has(word) && !ANY_MORE.has(word) && (word === words.at(-1) || !ADVERB.has(word))).join(' '),
  )?.groups;
  const leftOut = left?.['value'] ?? left?.['formal'];
  if (isOver && leftOut !== undefined && !/\s/.test(leftOut)) return { statements: [['no longer be', leftOut]] };
  const state = STATE.exec(text)?.groups?.['value'];
  if (state !== undefined)
    return subject === undefined || subject.isAuthor || subject.role !== undefined ? NOTHING : { statements: [['status', state]], of: subject };
  if (subject?.isAuthor !== true) return NOTHING;
  const not = IS_NOT.exec(text)?.groups;
  const denied = not?.['value'] ?? not?.['formal'];
  if (denied !== undefined) return { statements: [[`${isOver ? 'no longer' : 'not'} be`, denied]], of: subject };
  const was = WAS.exec(text)?.groups?.['value'];
  if (was !== undefined) return { statements: [['used to be', was]], of: subject };
  const value = complementOf(text);
  return value === undefined || /\s/.test(value) ? NOTHING : { statements: [['be', value]], of: subject };
}
