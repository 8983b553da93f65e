import type { CalendarDate, CalendarUnit, QuestionTime } from '../domain/query.ts';
import { otherCalendarWords, type RelativeWords } from './calendar-words.ts';
import { readDates } from './read-dates.ts';

/**
 * The times that a text names: dates, spans ("since 2023", "between March and May"), and times as seen from the day it is written ("last
 * week", "사흘 전", "tomorrow", "letzte Woche"), in English and the languages of `calendar-words`. Pure; what "today" is, others are told.
 * @param isTold whether the text is a memory: "Dentist Friday at 9" is one; in a question Friday alone may be anything
 */
export function readTimes(text: string, isTold = false): QuestionTime[] {
  const times: QuestionTime[] = [];
  const lower = text.toLowerCase();
  if (ASCII.test(lower) && ENGLISH.test(lower) && !CLUE.test(lower)) return times;
  let rest = withDigits(lower);
  /** What is read is gone, so that a shorter phrase does not read a part of it again. */
  const take = (pattern: RegExp, read: (groups: readonly (string | undefined)[]) => QuestionTime | undefined) => {
    rest = rest.replace(pattern, (found: string, ...more: (string | number | undefined)[]) => {
      // Behind the groups come the place, a number, and the whole text.
      const groups = more.slice(
        0,
        more.findIndex((value) => typeof value === 'number'),
      ) as (string | undefined)[];
      const time = read([found, ...groups]);
      if (time !== undefined) times.push(time);
      return time === undefined ? found : ' | ';
    });
  };
  const takeRelative = ({ pattern, unit, offset, isAhead }: OwnWords) =>
    take(pattern, ([, amount]) => {
      const from = offset ?? (isAhead === true ? 1 : -1) * (numberOf(amount) ?? Number.NaN);
      return Number.isNaN(from) ? undefined : { unit, first: from, last: from };
    });
  const takeUnits = (pattern: RegExp, unit: CalendarUnit, spanned: (many: number) => readonly [first: number, last: number]) =>
    take(pattern, ([, amount]) => {
      const many = numberOf(amount);
      if (many === undefined) return undefined;
      const [first, last] = spanned(many);
      return { unit, first, last };
    });

  for (const pattern of DAY_RANGES)
    take(pattern, ([, one, other, month, from, until, year]) => {
      const [first, last] = [Number(one || from), Number(other || until)];
      const [named] = readDates(`in ${month ?? ''} ${year ?? ''}`);
      if (!(first >= 1 && first < last && last <= 31)) return undefined;
      return named === undefined ? { dayOfMonth: first, days: last - first + 1 } : { from: { ...named, day: first }, until: { ...named, day: last } };
    });
  for (const [pattern, first, last] of SPANS) take(pattern, ([, from, until]) => spanOf(first, from, last, until));
  take(/\bsince (?:last (week|month|year)|yesterday)\b/g, ([, unit]) => ({ unit: (unit ?? 'day') as CalendarUnit, first: -1, last: 0 }));
  for (const [pattern, unit] of LATELY) takeUnits(pattern, unit, (many) => [-many, 0]);
  for (const [pattern, unit] of SOON) takeUnits(pattern, unit, (many) => [0, many]);
  take(/明[后後][两兩]?天/g, () => ({ unit: 'day', first: 1, last: 2 }));
  take(WEEKEND, ([, ...next]) => ({ weekday: 6, days: 2, ...(next.some((word) => word !== undefined) ? { isNext: true } : {}) }));
  for (const words of [...ENGLISH_WORDS, ...OWN_WORDS]) takeRelative(words);
  take(isTold ? ANY_ENGLISH_WEEKDAY : ENGLISH_WEEKDAY, ([, next, day]) => ({
    weekday: WEEKDAYS.indexOf(day ?? ''),
    ...(next === undefined ? {} : { isNext: true }),
  }));
  take(DAY_OF_MONTH, ([, ...languages]) => {
    const day = Number(languages.find((written) => written !== undefined));
    return day >= 1 && day <= 31 ? { dayOfMonth: day } : undefined;
  });
  take(/(?:星期|周|週|礼拜|禮拜)([日天一二三四五六])/gu, ([, day]) => ({ weekday: '日一二三四五六'.indexOf((day ?? '').replace('天', '日')) }));
  if (/[^\p{ASCII}]/u.test(rest) || !ENGLISH.test(rest)) {
    const { relative, months, weekdays } = otherCalendarWords();
    for (const words of relative) if (rest.includes(words.word)) takeRelative(words);
    for (const { word, pattern, weekday } of weekdays) if (rest.includes(word)) take(pattern, () => ({ weekday }));
    for (const { word, pattern, month } of months)
      if (rest.includes(word)) rest = rest.replace(pattern, (_, day = '', year = '') => ` in ${month} ${day} ${year} `);
  }
  return [...readDates(rest), ...(isTold ? numericDates(rest) : []), ...times];
}

/** 十二月五号 as 12月5号. */
function withDigits(text: string): string {
  return text.replace(/(?<![第几幾周週期拜一二三四五六七八九十\d])[一二三四五六七八九十]{1,3}(?=[月号號日])/g, (written) =>
    String(numberOf(written) ?? written),
  );
}

/** "14/12" on a notice, day or month first; a fraction is written with single digits. */
function numericDates(text: string): CalendarDate[] {
  return [...text.matchAll(/(?<![\d/.])(?!24\/7)(?=\d\d|\d\/\d\d)(\d{1,2})\/(\d{1,2})(?![\d/.])/g)].flatMap(([, one, other]) => {
    const [first, second] = [Number(one), Number(other)];
    return [
      { month: first, day: second },
      { month: second, day: first },
    ].filter(({ month, day }) => month >= 1 && month <= 12 && day >= 1 && day <= 31);
  });
}

/** Without one of these a question may be in any language; "was" and "do" are words of others too. */
const ENGLISH = /\b(?:what|when|where|who|whom|whose|which|why|how|did|does|is|are|were|has|have|had|the|tell)\b/;
const ASCII = /^\p{ASCII}*$/u;
/** Without one of these an English text names no time. */
const CLUE = /\d|day|week|month|year|tomorrow|tonight|night|morning|afternoon|evening|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/;
const ENGLISH_NUMBERS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
const EAST_ASIAN_DIGITS = '一二三四五六七八九';
const KOREAN_NUMBERS: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3, 네: 4, 이틀: 2, 사흘: 3, 나흘: 4, 열흘: 10 };
const AMOUNT = `(\\d{1,3}|an?|${ENGLISH_NUMBERS.join('|')}|(?:a )?couple of|(?:a )?few)`;

function numberOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d+$/.test(written)) return Number(written);
  if (/^an?$/.test(written)) return 1;
  if (/couple/.test(written)) return 2;
  if (/few/.test(written)) return 3;
  const english = ENGLISH_NUMBERS.indexOf(written);
  if (english >= 0) return english + 1;
  if (written in KOREAN_NUMBERS) return KOREAN_NUMBERS[written];
  const [tens = '', ones] = written.replace(/[两兩]/g, '二').split('十');
  const digit = (sign: string) => (sign === '' ? 0 : EAST_ASIAN_DIGITS.indexOf(sign) + 1);
  if (ones === undefined) return digit(tens) || undefined;
  return (digit(tens) || 1) * 10 + digit(ones);
}

const UNIT_WORDS: readonly (readonly [string, CalendarUnit])[] = [
  ['days?', 'day'],
  ['weeks?', 'week'],
  ['months?', 'month'],
  ['years?', 'year'],
];
type OwnWords = Omit<RelativeWords, 'word'>;
/** A day, where "in two weeks" is any of that week. */
const WEEKS_FROM_TODAY: readonly OwnWords[] = [
  ['a|one', '일|1', '一'],
  ['two|2', '이|두|2', '两|兩|二|2'],
  ['three|3', '삼|세|3', '三|3'],
].map(([english, korean, chinese], index) => ({
  pattern: new RegExp(
    `\\b(?:${english}) weeks? from (?:today|now)\\b|(?:${korean}) ?주 ?(?:뒤|후) ?오늘|(?:${chinese})(?:个|個)?(?:周|星期|礼拜)[后後]的?今天`,
    'g',
  ),
  unit: 'day',
  offset: 7 * (index + 1),
}));
const ENGLISH_WORDS: readonly OwnWords[] = [
  ...WEEKS_FROM_TODAY,
  { pattern: /\bhalf a year ago\b/g, unit: 'month', offset: -6 },
  { pattern: /\bthe day before yesterday\b/g, unit: 'day', offset: -2 },
  { pattern: /\b(?:last night|yesterday)\b/g, unit: 'day', offset: -1 },
  { pattern: /\b(?:tonight|today|this (?:morning|afternoon|evening))\b/g, unit: 'day', offset: 0 },
  { pattern: /\bthe day after tomorrow\b/g, unit: 'day', offset: 2 },
  { pattern: /\btomorrow\b/g, unit: 'day', offset: 1 },
  ...UNIT_WORDS.flatMap(([words, unit]): OwnWords[] => [
    { pattern: new RegExp(`\\b${AMOUNT} ${words} ago\\b`, 'g'), unit, offset: undefined },
    { pattern: new RegExp(`\\b(?:last|past|previous) ${words.replace('s?', '')}\\b(?!s)`, 'g'), unit, offset: -1 },
    { pattern: new RegExp(`\\bthis ${words.replace('s?', '')}\\b`, 'g'), unit, offset: 0 },
    // "The next week" is one of a story.
    { pattern: new RegExp(`(?<!\\bthe )\\bnext ${words.replace('s?', '')}\\b(?!s)`, 'g'), unit, offset: 1 },
    { pattern: new RegExp(`\\bin ${AMOUNT} ${words}\\b`, 'g'), unit, offset: undefined, isAhead: true },
  ]),
];
/** Everyday words that CLDR does not have. */
const OWN_WORDS: readonly OwnWords[] = [
  // French; in German and Dutch "hier" is here.
  { pattern: /(?<=(?:\b(?:le|la|les|est|que|qui|où|je|tu|nous|vous|ai|as)\b|\b(?:qu|j|l|d|n)['’]).*)\bhier\b/g, unit: 'day', offset: -1 },
  // Elsewhere "morgen" and "mañana" are the morning.
  { pattern: /(?<!\b(?:heute|gestern|am|jeden|guten|diesen|de) )\bmorgen\b/g, unit: 'day', offset: 1 },
  { pattern: /(?<!(?:la|esta|cada|una|ayer) )(?<!\p{L})mañana(?!\p{L})/gu, unit: 'day', offset: 1 },
  { pattern: /大[后後]天|글피/g, unit: 'day', offset: 3 },
  { pattern: /大前天|그끄저께/g, unit: 'day', offset: -3 },
  { pattern: /엊?그제/g, unit: 'day', offset: -2 },
  { pattern: /(이틀|사흘|나흘|열흘)\s*전/g, unit: 'day', offset: undefined },
  { pattern: /일주일\s*전|저번\s*주/g, unit: 'week', offset: -1 },
  { pattern: /([한두세네])\s*주\s*전/g, unit: 'week', offset: undefined },
  { pattern: /저번\s*달/g, unit: 'month', offset: -1 },
  { pattern: /([한두세네]|\d{1,2})\s*달\s*전/g, unit: 'month', offset: undefined },
  { pattern: /재작년|一昨年|(?<!\d\s*|[一-十])前年/g, unit: 'year', offset: -2 },
  { pattern: /지난\s*해|去年/g, unit: 'year', offset: -1 },
  { pattern: /昨[晚夜]|きのう|(?<!一)昨日/g, unit: 'day', offset: -1 },
  { pattern: /今日|きょう/g, unit: 'day', offset: 0 },
  { pattern: /おととい/g, unit: 'day', offset: -2 },
  { pattern: /[这這][个個]月/g, unit: 'month', offset: 0 },
  { pattern: /上上[个個]?(?:周|週|星期|礼拜|禮拜)|先々週/g, unit: 'week', offset: -2 },
  { pattern: /上[个個]?(?:星期|礼拜|禮拜)(?![一二三四五六日天])/g, unit: 'week', offset: -1 },
  { pattern: /[这這][个個一]?(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天])/g, unit: 'week', offset: 0 },
];
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const WEEKDAY = `(${WEEKDAYS.join('|')})\\b(?!s)`;
const ENGLISH_WEEKDAY = new RegExp(`\\b(?:on|last|this|past|for|by|until|(next|coming))\\s+${WEEKDAY}`, 'g');
/** "Thursday the 26th" is that day. */
const ANY_ENGLISH_WEEKDAY = new RegExp(`\\b(?:(next|coming)\\s+)?(${WEEKDAYS.join('|')})s?\\b(?!,? the \\d)`, 'g');
/** Before the words for weeks: 다음 주말 is no week. */
const WEEKEND =
  /\b(?:last|this|past|the|(next|coming)) weekend\b(?! of\b)|(다음\s*|下(?:个|個)?|来)?(?:주말|周末|週末)|\b(?:(nächstes) )?wochenende\b/g;
/** Before it stands a word of time, behind it no thing that is counted: "on the 3rd floor". A month before it makes it a date. */
const DAY_OF_MONTH =
  /\b(?:on|by|until|till|for|of|before|after|since|(?:sun|mon|tues|wednes|thurs|fri|satur)day,?) the (\d{1,2})(?:st|nd|rd|th)(?=\s*(?:$|[.,;:!?()]|(?:at|in|for|with|and|or|to|from|i|we|is|was|my|our|the)\b))|(?<![\d월]\s*)(\d{1,2})일(?=에|날|까지|은|의|,|\?| [월화수목금토일]요일)|(?<![\d月]\s*)(\d{1,2})(?:号|號)|(?<![\d月]\s*)(\d{1,2})日(?=に|は|の|まで)/g;
const SOON: readonly (readonly [RegExp, CalendarUnit])[] = UNIT_WORDS.map(([words, unit]) => [
  new RegExp(`\\b(?:next|coming) ${AMOUNT} ${words}\\b`, 'g'),
  unit,
]);
const LATELY: readonly (readonly [RegExp, CalendarUnit])[] = [
  ...UNIT_WORDS.map(([words, unit]) => [new RegExp(`\\b(?:last|past|previous) ${AMOUNT} ${words}\\b`, 'g'), unit] as const),
  [/(?:지난|최근|최근\s*몇)\s*(\d{1,3})\s*일/g, 'day'],
  [/(?:지난|최근)\s*(\d{1,2})\s*주/g, 'week'],
  [/(?:지난|최근)\s*(\d{1,2})\s*(?:개월|달)/g, 'month'],
  [/(?:最近|过去|過去)的?\s*([\d一二两兩三四五六七八九十]{1,3})\s*[天日]/g, 'day'],
  [/(?:最近|过去|過去)的?\s*([\d一二两兩三四五六七八九十]{1,3})\s*(?:周|週|[个個]星期|週間)/g, 'week'],
  [/(?:最近|过去|過去)的?\s*([\d一二两兩三四五六七八九十]{1,3})\s*(?:[个個]月|[かヶ]月)/g, 'month'],
];

const ORDINAL = '(\\d{1,2})(?:st|nd|rd|th)?';
const MONTH = '(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*';
const DATE =
  `((?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? )?${MONTH}\\.?(?: \\d{1,2}(?:st|nd|rd|th)?(?![\\da-z]))?(?:,? (?:19|20)\\d\\d)?` +
  '|\\d{4}-\\d{2}(?:-\\d{2})?|(?:19|20)\\d\\d)(?![\\da-z])';
const EAST_ASIAN_DATE = '((?:\\d{4}\\s*[年년]\\s*)?\\d{1,2}\\s*[月월](?:\\s*\\d{1,2}\\s*[日号일])?|\\d{4}\\s*[年년])';
/** "8 to 10 July", "July 8-10", "from the 9th to the 13th", 19号到21号: two days of one month. */
const DAY_RANGES = [
  new RegExp(`\\b(?:the )?${ORDINAL} ?(?:to|and|until|till|-|–) ?(?:the )?${ORDINAL}(?: of)? (${MONTH})\\b()()(?:,? ((?:19|20)\\d\\d))?`, 'g'),
  new RegExp(`()()\\b(${MONTH}) ${ORDINAL} ?(?:to|and|until|till|-|–) ?(?:the )?${ORDINAL}(?![\\d:])(?:,? ((?:19|20)\\d\\d))?`, 'g'),
  /\bthe (\d{1,2})(?:st|nd|rd|th) (?:to|and|until|till) the (\d{1,2})(?:st|nd|rd|th)\b/g,
  /(?<![\d月월]\s*)(\d{1,2})[日号號일](?:到|至|から|부터) ?(\d{1,2})[日号號일]/g,
];
type Bound = 'from' | 'until' | 'before';
/** "The week before 3 August" is no open span: it is told of on that day or soon after, as any date is. */
const NOT_BESIDE_UNIT = '(?<!\\b(?:(?:day|week|weekend|month|year)s?|(?:sun|mon|tues|wednes|thurs|fri|satur)day) )';
/** What the first and the second date of a phrase mean. */
const SPANS: readonly (readonly [RegExp, Bound, Bound?])[] = [
  [new RegExp(`\\b(?:between|from) ${DATE} (?:and|to|until|till) ${DATE}`, 'g'), 'from', 'until'],
  [new RegExp(`(?:从|從|自)?${EAST_ASIAN_DATE}(?:到|至|から|부터)\\s*${EAST_ASIAN_DATE}`, 'g'), 'from', 'until'],
  [new RegExp(`${NOT_BESIDE_UNIT}\\b(?:since|after) ${DATE}`, 'g'), 'from'],
  [new RegExp(`\\b(?:until|till|up to) ${DATE}`, 'g'), 'until'],
  [new RegExp(`${NOT_BESIDE_UNIT}\\bbefore ${DATE}`, 'g'), 'before'],
  [new RegExp(`${EAST_ASIAN_DATE}\\s*(?:以来|以來|之后|之後|以后|以後|以降|から|부터|이후|이래)`, 'g'), 'from'],
  [new RegExp(`${EAST_ASIAN_DATE}\\s*(?:之前|以前|이전)`, 'g'), 'before'],
  [new RegExp(`${EAST_ASIAN_DATE}\\s*(?:まで|까지)`, 'g'), 'until'],
];

function spanOf(first: Bound, from: string | undefined, last: Bound | undefined, until: string | undefined): QuestionTime | undefined {
  const end = last === undefined ? undefined : dateIn(until, undefined);
  const start = dateIn(from, end?.year);
  if (start === undefined || (last !== undefined && end === undefined)) return undefined;
  return { [first]: start, ...(last === undefined ? {} : { [last]: end }) };
}

/** "March" alone may be a verb; behind a word of time it is none. "Between March and May 2024": one year for both. */
function dateIn(phrase: string | undefined, year: number | undefined): CalendarDate | undefined {
  const [date] = readDates(`in ${phrase ?? ''}`);
  return date === undefined || date.year !== undefined || year === undefined ? date : { ...date, year };
}
