import { ADVERB, ATTRIBUTE, BEFORE, FORMERLY, KIN, KIND, NO_EMPLOYER, NO_LONGER, NO_PLACE, simplified, UNCERTAIN } from './chinese-words.ts';
import { namesOfOtherLanguage } from './names.ts';
import { type Author, plainName } from './noun-phrases.ts';
import { isChineseRegion } from './regions.ts';
import { type Correction, me, type ReadSentence, relative, type Subject, sentencesOf, tripleOf } from './sentences.ts';
import type { Triple } from './triples.ts';

type Statement = readonly [predicate: string, object: string | undefined];
/** What a rule found, as it stands in the text. */
type Found = (name: string) => string | undefined;
interface Rule {
  readonly pattern: RegExp;
  readonly read: (found: Found) => readonly Statement[];
}

const NAME = '(?:[^，,。！!；;、：:\\s的了吗呢在从到把不没吧]|(?<=[A-Za-z]) (?=[A-Za-z])){1,20}';
const THING = '[^，,。！!；;：:吗呢]{1,20}?';
const DONE = '(?:了|啦|啰|咯|呀|啊|哦|喔|呢|的)*';
/** No clause that people write; the rules' patterns take long over more. */
const MAX_CLAUSE = 80;
const STAYS = '(?:生活|工作|居住|住|定居|发展|读书|上学|去|来)?';
const SINCE = '(?:[\\d一二两三四五六七八九十几半多]+(?:个月|年|天|周))?';
const COMPANION = `(?:(?:和|跟|与)我?${KIN}(?:一起)?)?`;
const SELF = '(?:我们|咱们|咱|我|本人|俺)';
const AMOUNT = '[\\d一两二三四五六七八九十几]+';
/** How things and animals are counted, other than by what counts anything. */
const PIECE = '[只隻辆輛台套部把条匹头艘架双间栋棵]';
const OWN_JOB = '(?:新?(?:工作|公司|单位|岗位|职业))';

function rule(pattern: string, read: Rule['read']): Rule {
  return { pattern: new RegExp(`^${ADVERB}*(?<was>${FORMERLY})?${ADVERB}*${pattern}$`, 'du'), read };
}

/** "Used to", "no longer", "not", by what stands before the verb. */
function state(found: Found, predicate: string): string {
  if (found('over') !== undefined) return `no longer ${predicate}`;
  // "不抽烟了": the particle says that it was otherwise before.
  if (found('not') !== undefined) return `${/了|啦|啰/.test(found('done') ?? '') ? 'no longer' : 'not'} ${predicate}`;
  return found('was') === undefined && found('past') === undefined ? predicate : `used to ${predicate}`;
}

const NEGATION = `(?:(?<over>${NO_LONGER})|(?<not>不|没))?${ADVERB}*`;
const place = (value: string | undefined) => (value === undefined || NO_PLACE.test(value) ? undefined : value);
const employer = (value: string | undefined) => (value === undefined || NO_EMPLOYER.test(value) ? undefined : value);
/** One works for a company and in a town. */
const work = (found: Found): Statement => {
  const at = employer(found('at'));
  return [state(found, isChineseRegion(simplified(at ?? '')) ? 'work in' : 'work at'), at];
};
const HABITS: Readonly<Record<string, string>> = {
  喝: 'drink',
  吃: 'eat',
  抽: 'smoke',
  用: 'use',
  使用: 'use',
  弹: 'play',
  玩: 'play',
  学: 'learn',
  学习: 'learn',
  教: 'teach',
  养: 'have',
};
const LIKES: Readonly<Record<string, string>> = {
  喜欢: 'like',
  爱: 'love',
  热爱: 'love',
  讨厌: 'hate',
  不喜欢: 'not like',
  更喜欢: 'prefer',
  偏爱: 'prefer',
};

const RULES: readonly Rule[] = [
  rule(`${COMPANION}${NEGATION}(?:居住在|定居在|生活在|住在|住|居住于)(?<past>过)?(?<place>${NAME}?)${SINCE}(?<done>${DONE})`, (found) => [
    [state(found, 'live in'), place(found('place'))],
  ]),
  rule(`${COMPANION}${NEGATION}在(?<place>${NAME}?)(?:居住|生活|住)(?<past>过)?${SINCE}(?<done>${DONE})`, (found) => [
    [state(found, 'live in'), place(found('place'))],
  ]),
  rule(`${COMPANION}(?:从|由|自)(?<from>${NAME})(?:搬家?|迁居?|移居|移民)(?:到|去|至|往|来)了?(?<to>${NAME}?)${SINCE}${STAYS}${DONE}`, (found) => [
    ['move from', place(found('from'))],
    ['move to', place(found('to'))],
  ]),
  rule(`${COMPANION}(?:搬家?|迁居|迁|移居|移民)(?:到|去|至|往|来|回)了?(?<to>${NAME}?)${SINCE}${STAYS}${DONE}`, (found) => [
    ['move to', place(found('to'))],
  ]),
  rule(`(?:搬家?到|定居|移民到?|移居)了?(?<to>${NAME}?)${DONE}`, (found) => [['move to', place(found('to'))]]),
  rule(`(?:搬离|搬出|离开)了?(?<from>${NAME}?)${DONE}`, (found) => [['leave', place(found('from'))]]),
  rule(`从(?<from>${NAME}?)(?:搬走|搬出来|搬出去)${DONE}`, (found) => [['move from', place(found('from'))]]),
  rule(`${NEGATION}在(?<at>${NAME}?)(?:工作|上班|任职|就职|供职|做事)(?<past>过)?${SINCE}(?<done>${DONE})`, (found) => [work(found)]),
  rule(`${NEGATION}(?:就职于|任职于|受雇于|供职于)(?<at>${NAME}?)(?<done>${DONE})`, (found) => [work(found)]),
  rule(`在(?<at>${NAME}?)(?:当|担任)(?:一名|一个)?(?<job>${NAME}?)${DONE}`, (found) => [work(found), [state(found, 'work as'), found('job')]]),
  rule(`加入了?(?<at>${NAME}?)${DONE}`, (found) => [['join', found('at')]]),
  rule(`离开了?(?:原来的)?${OWN_JOB}${DONE}`, () => [['quit', 'job']]),
  rule(`入职了?(?<at>${NAME}?)(?:工作)?${DONE}`, (found) => [['start at', employer(found('at'))]]),
  rule(`从(?<from>${NAME})(?:跳槽|转|换|调)(?:到|去|至)了?(?<to>${NAME}?)(?:工作)?${DONE}`, (found) => [
    ['leave', found('from')],
    ['start at', employer(found('to'))],
  ]),
  rule(`(?:跳槽)(?:到|去|至)了?(?<to>${NAME}?)${DONE}`, (found) => [['start at', employer(found('to'))]]),
  rule(`(?:换了?(?:一?份|个)?${OWN_JOB}|跳槽|转行)${DONE}`, () => [['leave', 'job']]),
  rule(`(?:辞职|离职|辞工|辞(?:掉|去)?了?(?:我的)?工作|被(?:解雇|辞退|裁员?|开除))${DONE}`, () => [['quit', 'job']]),
  rule(`从(?<from>${NAME})(?:辞职|离职|退休)${DONE}`, (found) => [['quit', found('from')]]),
  rule(`(?:当(?:了|一名|一个|一位)+|担任)(?<job>${NAME}?)${DONE}`, (found) => [[state(found, 'work as'), found('job')]]),
  rule(`(?:戒|戒掉|戒除)了?(?<thing>${NAME}?)${DONE}`, (found) => [['quit', found('thing')]]),
  rule(`把(?<thing>${NAME})戒(?:掉)?了${DONE}`, (found) => [['quit', found('thing')]]),
  rule(`(?:改用|换用|换成|改成)了?(?<to>${NAME}?)${DONE}`, (found) => [['switch to', found('to')]]),
  rule(`(?:放弃|停止|退订|取消)了?(?<thing>${NAME}?)${DONE}`, (found) => [['give up', found('thing')]]),
  rule(`从(?<from>${NAME})(?:换|改|切换|转|迁移)(?:到|成|为|用)了?(?<to>${NAME}?)${DONE}`, (found) => [
    ['switch from', found('from')],
    ['switch to', found('to')],
  ]),
  rule(`(?:更喜欢|比较喜欢|偏爱|宁愿)(?:喝|吃|用)?(?<thing>${NAME}?)(?:而不是.*|胜过.*|多过.*)?${DONE}`, (found) => [['prefer', found('thing')]]),
  rule(`${NEGATION}(?<verb>喜欢|热爱|爱|讨厌)(?:喝|吃|用|看|听|玩)?(?<thing>${NAME}?)(?<done>${DONE})`, (found) => [
    [state(found, LIKES[simplified(found('verb') ?? '')] ?? 'like'), found('thing')],
  ]),
  rule(`${NEGATION}(?:正?在)?(?<verb>使用|学习|[喝吃抽用弹玩学教养])着?\\s*(?<thing>${NAME}?)(?<done>${DONE})`, (found) => [
    [state(found, HABITS[simplified(found('verb') ?? '')] ?? ''), found('thing')],
  ]),
  rule(`${NEGATION}有了?(?:(?:${AMOUNT}${PIECE}(?<thing>${NAME}?)|${AMOUNT}个(?<who>${KIN}))|(?<nothing>${NAME}?))(?<done>${DONE})`, (found) => [
    [state(found, 'have'), found('thing') ?? found('who') ?? (found('not') === undefined ? undefined : found('nothing'))],
  ]),
  rule(`养了(?:[一两三四几\\d]+[只条个头])?(?<thing>${NAME}?)${DONE}`, (found) => [['have', found('thing')]]),
  rule(`${NEGATION}(?:会)?(?:说|讲)(?<thing>${NAME}?[语话文])(?<done>${DONE})`, (found) => [[state(found, 'speak'), found('thing')]]),
  rule(`离婚${DONE}`, () => [['end', 'marriage']]),
  rule(`(?<age>\\d{1,3}|[一二三四五六七八九十百]{1,4})[岁歲]${DONE}`, (found) => [['age', found('age')]]),
  rule(
    `(?:${SELF}的?)?(?<name>(?![今明昨现这那它他她你])${NAME}?)${ADVERB}*(?:是|为|涨到了?|升到了?|降到了?|变成了?)(?<value>\\d[\\d.,]*(?![年月日号点])[\\p{Script=Han}a-zA-Z]{0,3})${DONE}`,
    (found) => [[`${found('name')} is`, found('value')]],
  ),
  rule(`(?:(?:和|跟|与)(?<who>${NAME}))?(?<what>结婚|离婚|分手)${DONE}`, (found) => [
    [{ 结婚: 'marry', 离婚: 'divorce', 分手: 'break up with' }[simplified(found('what') ?? '')] ?? 'marry', found('who')],
  ]),
  rule(`(?<what>买|卖掉|卖|扔掉)了(?:一[只辆个台套部把条])?(?<thing>${NAME}?)${DONE}`, (found) => [
    [{ 买: 'buy', 扔掉: 'throw away' }[simplified(found('what') ?? '')] ?? 'sell', found('thing')],
  ]),
  rule(`(?:公司|单位|${NAME})?把我(?:裁|开除|辞退|解雇|炒)(?:掉|了|鱿鱼)${DONE}`, () => [['quit', 'job']]),
  rule(`把(?<thing>${NAME})(?:卖|扔|丢|送人?|捐)(?:掉|了|走|人)${DONE}`, (found) => [['sell', found('thing')]]),
  rule(`(?:(?<over>${NO_LONGER})|(?<not>不))是(?:一名|一个|一位)?(?<what>${NAME}?)(?<done>${DONE})`, (found) => [
    [state(found, 'be'), found('what')],
  ]),
  rule(`是(?:一名|一个|一位)?(?<what>${NAME}?)[啊呢哦]?`, (found) => [[state(found, 'be'), found('what')]]),
];

const VALUE = `(?:现在)?(?:已经)?(?:从[^，,]{1,12})?(?:(?<over>不再是|不是)|是|为|变成了?|变为了?|改成了?|改为了?|换成了?|更新到了?|更新为了?|升级到了?|推迟到了?|提前到了?)(?<value>${THING})${DONE}`;
const FAVOURITE = new RegExp(
  `^${BEFORE}*(?<owner>.*?)(?:最(?:喜欢|爱|喜爱)的?|(?:喜欢|喜爱)的)(?:吃的|喝的|看的|听的)?(?<kind>${NAME}?)(?:现在)?${VALUE}$`,
  'du',
);
const NAMES = [...ATTRIBUTE.keys()].sort((a, b) => b.length - a.length).join('|');
const ATTRIBUTE_OF = new RegExp(`^${BEFORE}*(?:把|将)?(?<owner>.*?)(?:的)?(?<name>${NAMES})${ADVERB}*${VALUE}$`, 'du');
const PERSONAL = /^(?:name|age|phone number|email|address|birthday|weight|height|salary|job|position|username)$/;

const SUBJECT = new RegExp(
  `^${BEFORE}*${ADVERB}*(?:(?<self>${SELF}(?:家(?=搬))?)(?!${KIN}|的|家)|(?:${SELF}的?)?(?<kin>${KIN})(?:们)?|(?<other>[你您他她它]们?|这|那|大家|人们|有人))`,
  'u',
);
const OTHER_NAME = new RegExp(
  `^${BEFORE}*(?<name>(?:(?![我你您他她它的])\\p{Script=Han}){2,4}?|\\p{Lu}[\\p{L}]+)(?=${ADVERB}*(?:住|居住|搬|在|是|喜欢|不|辞|换|从|移))`,
  'u',
);

const ANNOUNCES = /更正|纠正|我?(?:说|写|打|记|搞|弄)错|口误|笔误/u;
const NOT_BUT = /不是(?:在|住在)?(?<wrong>[^，,。是]{1,12}?)[，,]?\s*(?:而?是)(?:在)?(?<right>[^，,。！!]{1,12}?)(?:[。！!\s]|$)/u;
const FRAGMENT =
  /^(?:(?:不对|不|啊|哦|抱歉|对不起|不好意思)[，,\s]*)*(?:更正|纠正|更正一下|纠正一下|我说错了|说错了|应该是|我是说)[，,：:\s]*(?:应该)?(?:是|在)?(?<right>[^，,。！!是\s]{1,12}?)[。！!\s]*$/u;

/** Reads Chinese text, simplified and traditional, as `readKorean` does Korean. A clause counts only where the rules know all of it. */
export function readChinese(text: string, author: Author): ReadSentence[] {
  let topic: Subject = me(author);
  let announced = false;
  return sentencesOf(text).map((sentence) => {
    // "我在 Google 工作": spaces beside Chinese are a matter of taste.
    const tight = sentence.replace(/(?<=\p{Script=Han})\s+|\s+(?=\p{Script=Han})/gu, '');
    const plain = simplified(tight);
    const isStatement = !/[?？]\s*$|吗[。.!！\s]*$/u.test(plain);
    const announces = ANNOUNCES.test(plain);
    const corrects = announced || announces || NOT_BUT.test(plain) || /^不对[，,]/u.test(plain);
    const body = announces || corrects ? plain.replace(ANNOUNCES, (match) => '，'.repeat(match.length)) : plain;
    const sure = isStatement && !UNCERTAIN.test(body);
    const { triples, subject } = triplesOf(tight, body, author, topic);
    topic = subject;
    const correction = corrects && isStatement ? correctionOf(tight, plain) : undefined;
    const stated = sure ? triples : [];
    announced = announces && stated.length === 0 && correction === undefined;
    return { text: sentence, isStatement, names: namesOfOtherLanguage(sentence), triples: stated, cause: undefined, corrects, correction };
  });
}

function correctionOf(sentence: string, plain: string): Correction | undefined {
  const match = NOT_BUT.exec(plain) ?? FRAGMENT.exec(plain);
  const { right, wrong } = match?.groups ?? {};
  if (match === null || right === undefined || right === '' || ANNOUNCES.test(right)) return undefined;
  const written = (part: string, from: number) => sentence.slice(plain.indexOf(part, from), plain.indexOf(part, from) + part.length);
  return { right: written(right, plain.indexOf(wrong ?? '') + (wrong ?? '').length), wrong: wrong === undefined ? undefined : written(wrong, 0) };
}

function triplesOf(sentence: string, plain: string, author: Author, before: Subject): { readonly triples: Triple[]; readonly subject: Subject } {
  const triples: Triple[] = [];
  let subject = before;
  let start = 0;
  const quoted = plain.replace(/["“「『][^"”」』]*["”」』]/gu, (match) => '"'.repeat(match.length));
  for (const clause of quoted.split(/[，,；;。.!！:：](?!\d)/u)) {
    const own = sentence.slice(start, start + clause.length);
    start += clause.length + 1;
    const told = readClause(clause, own, author);
    if (told.subject !== undefined) subject = told.subject;
    const of = told.of ?? subject;
    if (of === 'unknown') continue;
    for (const [predicate, object] of told.statements)
      if (object !== undefined && object !== '' && object !== of.name && !object.includes('"')) triples.push(tripleOf(of, predicate, object));
  }
  return { triples, subject };
}

interface ToldClause {
  readonly statements: readonly Statement[];
  /** Whom it names as its subject. */
  readonly subject?: Subject;
  /** The thing that an attribute is of, where that is not the subject. */
  readonly of?: Subject;
}

function readClause(plain: string, written: string, author: Author): ToldClause {
  if (plain.length > MAX_CLAUSE) return { statements: [] };
  const attribute = readAttribute(plain, written, author);
  if (attribute !== undefined) return attribute;
  const { subject, rest } = subjectOf(plain, written, author);
  const about = subject === undefined ? {} : { subject };
  for (const { pattern, read } of RULES) {
    const match = pattern.exec(plain.slice(rest));
    if (match === null) continue;
    const { was, not } = match.groups ?? {};
    // "小时候我搬到上海": what happened then may be over since. "我今天没喝咖啡" tells of today.
    const isPast = ([predicate]: Statement) =>
      (was !== undefined && !predicate.startsWith('used to ')) || (not === '没' && !predicate.endsWith(' have'));
    const statements = read(finder(match, written.slice(rest))).filter((statement) => !isPast(statement));
    // "不是北京，是南京" without a subject says nothing of anybody.
    return { statements: subject === undefined ? statements.filter(([predicate]) => !/(?:^| )be$/.test(predicate)) : statements, ...about };
  }
  return { statements: [], ...about };
}

/** Groups of a match on the simplified text, as they stand in the text itself. */
function finder(match: RegExpExecArray, written: string): Found {
  return (name) => {
    const range = match.indices?.groups?.[name];
    return range === undefined ? undefined : written.slice(...range);
  };
}

function subjectOf(plain: string, written: string, author: Author): { readonly subject: Subject | undefined; readonly rest: number } {
  const match = SUBJECT.exec(plain);
  if (match?.groups !== undefined) {
    const { self, kin } = match.groups;
    const rest = match[0].length;
    if (self !== undefined) return { subject: me(author), rest };
    if (kin !== undefined) return { subject: relative(written.slice(rest - kin.length, rest), author), rest };
    return { subject: 'unknown', rest };
  }
  const named = OTHER_NAME.exec(plain);
  const name = named?.groups?.['name'];
  if (named !== null && name !== undefined && !new RegExp(`^(?:${ADVERB}|${BEFORE}|${FORMERLY}|${NO_LONGER})+$`, 'u').test(name)) {
    const rest = named[0].length;
    return { subject: plainName(written.slice(rest - name.length, rest), { hasName: true }), rest };
  }
  return { subject: undefined, rest: /^\s*/u.exec(plain)?.[0].length ?? 0 };
}

function readAttribute(plain: string, written: string, author: Author): ToldClause | undefined {
  const favourite = FAVOURITE.exec(plain);
  const match = favourite ?? ATTRIBUTE_OF.exec(plain);
  if (match === null) return undefined;
  const found = finder(match, written);
  const stated = (predicate: string) => (found('over') === undefined ? predicate : `no longer ${predicate}`);
  const owner = match.groups?.['owner'] ?? '';
  const of = ownerOf(owner, written.slice(plain.indexOf(owner), plain.indexOf(owner) + owner.length), author);
  if (of === undefined) return { statements: [], subject: 'unknown' };
  if (favourite !== null) {
    const kind = found('kind') ?? '';
    const known = KIND.get(simplified(kind));
    return { statements: [[stated(`favourite ${known ?? kind}`), found('value')]], ...(of === 'left out' ? {} : { subject: of }) };
  }
  const name = match.groups?.['name'] ?? '';
  const predicate = ATTRIBUTE.get(name) ?? name;
  if (of === 'left out')
    return PERSONAL.test(predicate)
      ? { statements: [[stated(predicate), found('value')]] }
      : {
          statements: [['be set to', found('value')]],
          of: plainName(written.slice(plain.indexOf(name), plain.indexOf(name) + name.length), { hasName: true }),
        };
  return { statements: [[stated(predicate), found('value')]], of };
}

/** @returns undefined where nobody knows whose it is */
function ownerOf(plain: string, written: string, author: Author): Subject | 'left out' | undefined {
  const bare = plain.replace(new RegExp(`^${ADVERB}+|${ADVERB}+$|的$`, 'gu'), '');
  if (bare === '') return 'left out';
  if (new RegExp(`^${SELF}$`, 'u').test(bare)) return me(author);
  const kin = new RegExp(`^(?:${SELF}的?)?(?<kin>${KIN})$`, 'u').exec(bare)?.groups?.['kin'];
  const start = plain.indexOf(bare);
  const own = written.slice(start, start + bare.length);
  if (kin !== undefined) return relative(own.slice(-kin.length), author);
  const thing = own.replace(new RegExp(`^${SELF}的?(?=.{2})`, 'u'), '');
  return thing.length > 20 || /[你您他她它这那]|喜欢|讨厌/u.test(thing) ? undefined : plainName(thing, { hasName: true });
}
