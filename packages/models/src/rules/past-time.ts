import type { ZonedTime } from '@tandem-memory/core';

/** How a language names a time that has passed. Each pattern of an amount has it in its first group. */
interface PastWords {
  readonly days: readonly (readonly [RegExp, number])[];
  readonly ago: readonly (readonly [RegExp, 'day' | 'week' | 'month' | 'year'])[];
  /** With the day of that week in the first group where it is named. */
  readonly lastWeek: RegExp;
  /** From Sunday on, a letter each. */
  readonly weekdays: string;
  readonly lastMonth: RegExp;
  readonly lastYear: RegExp;
  readonly yearBefore: RegExp;
  readonly year: RegExp;
  /** A month without its day; year in the first group where it is named. */
  readonly month: RegExp;
  readonly recurring: RegExp;
}

const DAY_MS = 86_400_000;
const CHINESE_DIGITS = '零一二三四五六七八九十';
const CHINESE_NUMBER = '[\\d一二两兩三四五六七八九十]{1,3}';
const KOREAN_NUMBERS: Readonly<Record<string, number>> = { 한: 1, 두: 2, 세: 3, 네: 4, 다섯: 5, 여섯: 6, 일: 1, 이: 2, 삼: 3, 사: 4, 오: 5 };

const KOREAN: PastWords = {
  days: [
    [/그저께|그제|엊그제/, -2],
    [/어제/, -1],
  ],
  ago: [
    [/(\d+|[한두세네일이삼사오]) ?일 ?전/, 'day'],
    [/(\d+|[한두세네일이삼사오]) ?주(?:일)? ?전/, 'week'],
    [/(\d+|[한두세네일이삼사오]) ?(?:달|개월) ?전/, 'month'],
    [/(\d+|[한두세네일이삼사오]) ?년 ?전/, 'year'],
  ],
  lastWeek: /(?:지난|저번) ?주(?:의? ?([일월화수목금토])요일)?/,
  weekdays: '일월화수목금토',
  lastMonth: /(?:지난|저번) ?달/,
  lastYear: /(?<!재)작년|지난 ?해/,
  yearBefore: /재작년/,
  year: /((?:19|20)\d\d) ?년(?! ?전)/,
  month: /(?:((?:19|20)\d\d) ?년 ?)?(?<!\d)(\d{1,2}) ?월(?! ?\d)/,
  recurring: /매년|매달|매주|해마다|달마다/,
};
const CHINESE: PastWords = {
  days: [
    [/前天/, -2],
    [/昨天|昨日/, -1],
  ],
  ago: [
    [new RegExp(`(${CHINESE_NUMBER})天(?:之|以)?前`), 'day'],
    [new RegExp(`(${CHINESE_NUMBER})(?:周|週|个星期|個星期|個禮拜|个礼拜)(?:之|以)?前`), 'week'],
    [new RegExp(`(${CHINESE_NUMBER})[个個]月(?:之|以)?前`), 'month'],
    [new RegExp(`(${CHINESE_NUMBER})年(?:之|以)?前`), 'year'],
  ],
  lastWeek: /上(?:周|週|[个個]?星期|[个個]?礼拜|[个個]?禮拜)([日天一二三四五六])?/,
  weekdays: '日一二三四五六',
  lastMonth: /上[个個]?月/,
  lastYear: /去年/,
  yearBefore: /前年/,
  year: /((?:19|20)\d\d)年(?!(?:之|以)?前)/,
  month: new RegExp(`(?:((?:19|20)\\d\\d)年)?(?<![\\d上])(${CHINESE_NUMBER})月(?![\\d一二三四五六七八九十])`),
  recurring: /每年|每[个個]?月|每周|每週/,
};

/** The day that Korean names, of a few days ago; chrono-node reads no Korean. */
export const koreanPastDay = (sentence: string, time: ZonedTime) => dayOf(KOREAN, sentence, time);
/** The day that Chinese names and chrono-node misses: "三天前", "上周". */
export const chinesePastDay = (sentence: string, time: ZonedTime) => dayOf(CHINESE, sentence, time);
/**
 * The first day of the month or year in which something began: "작년에", "三月". Without a year the last such month; of the current year
 * alone nobody knows whether it began before what was said earlier.
 */
export function pastPeriod(language: string | undefined, sentence: string, time: ZonedTime): string | undefined {
  const words = language === 'ko' ? KOREAN : language === 'zh' ? CHINESE : undefined;
  return words === undefined || words.recurring.test(sentence) ? undefined : periodOf(words, sentence, time);
}

function dayOf({ days, ago, lastWeek, weekdays, recurring }: PastWords, sentence: string, time: ZonedTime): string | undefined {
  if (recurring.test(sentence)) return undefined;
  const offset = days.find(([word]) => word.test(sentence))?.[1];
  if (offset !== undefined) return shifted(time, 'day', offset);
  for (const [pattern, unit] of ago) {
    const amount = numberOf(pattern.exec(sentence)?.[1]);
    if (amount !== undefined && (unit === 'day' || unit === 'week')) return shifted(time, unit, -amount);
  }
  const found = lastWeek.exec(sentence);
  if (found === null) return undefined;
  const weekday = found[1] === undefined ? undefined : weekdays.indexOf(found[1].replace('天', '日'));
  // A week begins on Monday.
  const intoWeek = (day: number) => (day + 6) % 7;
  return shifted(time, 'day', weekday === undefined ? -7 : intoWeek(weekday) - intoWeek(localOf(time).getUTCDay()) - 7);
}

function periodOf({ ago, lastMonth, lastYear, yearBefore, year, month }: PastWords, sentence: string, time: ZonedTime): string | undefined {
  const now = localOf(time);
  const firstOf = (wantedYear: number, wantedMonth = 1) => `${wantedYear}-${String(wantedMonth).padStart(2, '0')}-01`;
  const spoken = yearBefore.test(sentence) ? now.getUTCFullYear() - 2 : lastYear.test(sentence) ? now.getUTCFullYear() - 1 : undefined;
  const [, writtenYear, writtenMonth] = month.exec(sentence) ?? [];
  const number = numberOf(writtenMonth);
  if (number !== undefined && number >= 1 && number <= 12) {
    const latest = number <= now.getUTCMonth() + 1 ? now.getUTCFullYear() : now.getUTCFullYear() - 1;
    return firstOf(writtenYear === undefined ? (spoken ?? latest) : Number(writtenYear), number);
  }
  if (lastMonth.test(sentence)) return `${shifted(time, 'month', -1).slice(0, 7)}-01`;
  for (const [pattern, unit] of ago) {
    const amount = numberOf(pattern.exec(sentence)?.[1]);
    if (amount !== undefined && unit === 'month') return `${shifted(time, 'month', -amount).slice(0, 7)}-01`;
    if (amount !== undefined && unit === 'year') return firstOf(now.getUTCFullYear() - amount);
  }
  const named = spoken ?? numberOf(year.exec(sentence)?.[1]);
  return named !== undefined && named < now.getUTCFullYear() ? firstOf(named) : undefined;
}

function numberOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (/^\d+$/.test(written)) return Number(written);
  if (written in KOREAN_NUMBERS) return KOREAN_NUMBERS[written];
  const [tens, ones] = written.replace(/[两兩]/g, '二').split('十');
  const digit = (text: string | undefined) => CHINESE_DIGITS.indexOf(text ?? '');
  if (ones === undefined) return digit(tens) < 1 ? undefined : digit(tens);
  return (tens === '' ? 1 : digit(tens)) * 10 + (ones === '' ? 0 : digit(ones));
}

function localOf({ at, utcOffsetMinutes }: ZonedTime): Date {
  return new Date(Date.parse(at) + utcOffsetMinutes * 60_000);
}

function shifted(time: ZonedTime, unit: 'day' | 'week' | 'month', amount: number): string {
  const local = localOf(time);
  // The last day of a month has no namesake in a shorter one; only the month is asked for.
  if (unit === 'month') return new Date(Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + amount, 1)).toISOString().slice(0, 10);
  return new Date(local.getTime() + amount * (unit === 'week' ? 7 : 1) * DAY_MS).toISOString().slice(0, 10);
}
