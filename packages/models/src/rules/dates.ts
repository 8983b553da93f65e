import type { ZonedTime } from '@tandem-memory/core';
import { languageOf } from './languages.ts';
import { chinesePastDay, koreanPastDay } from './past-time.ts';

export type DateReader = (sentence: string, time: ZonedTime) => string | undefined;

const CLUE = /\d|day\b|yesterday|today|tomorrow|tonight|ago\b|(?:week|month|year)\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
/** Words that are a date only by chance: "I sat down", "you may". */
const CHANCE = /^(?:sat|sun|mon|wed|fri|thu|tue|tues|may|march|mar|second|now)\.?$/;
/** How long, not when. */
const SPAN = /^for\b/i;
/** Less than two years ago: its month says more than its year. */
const YEAR_AGO = /^(?:an?|one|1) year ago$/i;
/** What chrono-node does not take for a date. */
const SINCE_YEAR = /\bsince ((?:19|20)\d\d)(?![-/.]?\d)/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMED_MONTH =
  /\b(since|[Ll]ast|[Ii]n|Since) (January|February|March|April|May|June|July|August|September|October|November|December|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?)(?![\p{L}\d])(?!,? \d)/gu;
const RECURRING = /\b(?:every|each|on most)\s+$/i;
const DAY_MS = 86_400_000;
/** What was done by then: "I started at Acme on Monday", but not "we agreed to meet on Monday". */
const DONE =
  /(?<!\p{L})(?:I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|\p{Lu}\p{L}+) (?:\p{L}+ly |just )?(?:\p{L}+ed|quit|went|left|began|got|met|saw|came|took|bought|sold|lost|found|made|gave|became)(?!\p{L})(?!.* to \p{Ll})/u;
/** Korean, which chrono-node does not read. */
const KOREAN_DATE = /(?:(\d{4})년\s*)?(\d{1,2})월\s*(\d{1,2})일/;
const KOREAN_DAYS_TO_COME: readonly (readonly [RegExp, number])[] = [
  [/오늘/, 0],
  [/내일/, 1],
  [/모레/, 2],
];

/** What chrono-node gives for each language. */
interface Chrono {
  parse(text: string, reference: { instant: Date }): readonly Found[];
}
interface Found {
  readonly text: string;
  readonly index: number;
  readonly start: { get(part: 'year' | 'month' | 'day'): number | null; isCertain(part: 'year' | 'month' | 'day' | 'weekday'): boolean };
}

/** Reads the first calendar day that an English sentence names, as its author meant it: ISO day in the author's zone. Loaded at the first call. */
export async function loadDateReader(): Promise<DateReader> {
  const { casual } = await import('chrono-node/en');
  return (sentence, time) => (CLUE.test(sentence) ? englishDay(casual, sentence, time) : undefined);
}

/** The same for other languages: gives the reader for a text, by its script and small words. */
export async function loadForeignDateReaders(): Promise<(text: string) => DateReader> {
  const [de, es, fr, it, ja, nl, pt, ru, sv, uk, zh] = await Promise.all([
    import('chrono-node/de'),
    import('chrono-node/es'),
    import('chrono-node/fr'),
    import('chrono-node/it'),
    import('chrono-node/ja'),
    import('chrono-node/nl'),
    import('chrono-node/pt'),
    import('chrono-node/ru'),
    import('chrono-node/sv'),
    import('chrono-node/uk'),
    import('chrono-node/zh'),
  ]);
  const readers: Readonly<Record<string, { readonly casual: Chrono }>> = { de, es, fr, it, ja, nl, pt, ru, sv, uk, zh };
  return (text) => {
    const language = languageOf(text);
    if (language === 'ko') return koreanDay;
    const reader = readers[language ?? ''];
    return (sentence, time) => {
      const day = reader === undefined ? undefined : firstDay(reader.casual, sentence, time);
      return day ?? (language === 'zh' ? chinesePastDay(sentence, time) : undefined);
    };
  };
}

/** Not all of chrono-node minds the zone of the reference ("the day after tomorrow"); all goes by the clock of this machine, so that is set to the author's. */
function onOwnClock(local: Date): Date {
  return new Date(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), local.getUTCHours(), local.getUTCMinutes());
}

function localOf({ at, utcOffsetMinutes }: ZonedTime): Date {
  return new Date(Date.parse(at) + utcOffsetMinutes * 60_000);
}

function englishDay(chrono: Chrono, sentence: string, time: ZonedTime): string | undefined {
  return firstDay(chrono, sentence, time) ?? pastMonth(sentence, time) ?? pastYear(SINCE_YEAR.exec(sentence)?.[1], time);
}

function firstDay(chrono: Chrono, sentence: string, time: ZonedTime): string | undefined {
  const now = localOf(time);
  for (const { text, index, start } of chrono.parse(sentence, { instant: onOwnClock(now) })) {
    const before = sentence.slice(0, index);
    if (CHANCE.test(text.trim()) || SPAN.test(text) || RECURRING.test(before)) continue;
    if (start.isCertain('day') || start.isCertain('weekday')) {
      const day = isoDay(start.get('year'), start.get('month'), start.get('day'));
      if (day === undefined) continue;
      const isOn = /^on\b/i.test(text) || /\bon $/i.test(before);
      return isOn && DONE.test(before) ? lastSuch(day, start, now) : day;
    }
    const period = periodOf(chrono, text, now);
    if (period !== undefined) return period;
  }
  return undefined;
}

/** The last month of that name, which chrono-node takes for the nearest: "since March", "last March", and "in March" where that was done. */
function pastMonth(sentence: string, time: ZonedTime): string | undefined {
  for (const { 1: word = '', 2: name = '', index } of sentence.matchAll(NAMED_MONTH)) {
    if (word.toLowerCase() === 'in' && !DONE.test(sentence.slice(0, index))) continue;
    const now = localOf(time);
    const month = MONTHS.findIndex((start) => name.toLowerCase().startsWith(start)) + 1;
    const current = now.getUTCMonth() + 1;
    const isThisYear = month < current || (month === current && word.toLowerCase() !== 'last');
    return isoDay(now.getUTCFullYear() - (isThisYear ? 0 : 1), month, 1);
  }
  return undefined;
}

/** The first day of a month, or of a past year: what is named is no day. */
function periodOf(chrono: Chrono, text: string, now: Date): string | undefined {
  // A month before 31 March is no 31 February: counted from a day that every month has.
  const instant = onOwnClock(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1, 12)));
  const start = chrono.parse(text, { instant })[0]?.start;
  const [year, month] = [start?.get('year') ?? null, start?.get('month') ?? null];
  if (start === undefined || year === null || !start.isCertain('year')) return undefined;
  if (start.isCertain('month') || YEAR_AGO.test(text)) return isoDay(year, month, 1);
  return year < now.getUTCFullYear() ? isoDay(year, 1, 1) : undefined;
}

/** Of a weekday, or a day without its year, that is yet to come the one before. */
function lastSuch(day: string, start: Found['start'], now: Date): string {
  if (day <= now.toISOString().slice(0, 10) || start.isCertain('year')) return day;
  if (start.isCertain('weekday') && !start.isCertain('day')) return new Date(Date.parse(day) - 7 * DAY_MS).toISOString().slice(0, 10);
  return start.isCertain('month') ? `${Number(day.slice(0, 4)) - 1}${day.slice(4)}` : day;
}

/** @returns the first day of a year before the author's own; of the current one nobody knows whether it began before what was said earlier */
export function pastYear(year: string | undefined, time: ZonedTime): string | undefined {
  const current = localOf(time).getUTCFullYear();
  return year !== undefined && Number(year) < current ? `${year}-01-01` : undefined;
}

function koreanDay(sentence: string, { at, utcOffsetMinutes }: ZonedTime): string | undefined {
  const local = Date.parse(at) + utcOffsetMinutes * 60_000;
  const [, year, month, day] = KOREAN_DATE.exec(sentence) ?? [];
  if (month !== undefined && day !== undefined) return isoDay(Number(year ?? new Date(local).getUTCFullYear()), Number(month), Number(day));
  const offset = KOREAN_DAYS_TO_COME.find(([word]) => word.test(sentence))?.[1];
  return offset === undefined ? koreanPastDay(sentence, { at, utcOffsetMinutes }) : new Date(local + offset * DAY_MS).toISOString().slice(0, 10);
}

/** @returns undefined for a day that no calendar has */
function isoDay(year: number | null, month: number | null, day: number | null): string | undefined {
  if (year === null || month === null || day === null || year < 1000 || year > 9999) return undefined;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
