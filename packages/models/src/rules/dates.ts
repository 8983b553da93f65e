import type { ZonedTime } from '@tandem-memory/core';
import { languageOf } from './languages.ts';
import { chinesePastDay, koreanPastDay } from './past-time.ts';

export type DateReader = (sentence: string, time: ZonedTime) => string | undefined;

const CLUE = /\d|day\b|yesterday|today|tomorrow|tonight|ago\b|week\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
/** Words that are a date only by chance: "I sat down", "you may". */
const CHANCE = /^(?:sat|sun|mon|wed|fri|thu|tue|tues|may|march|mar|second|now)\.?$/;
/** How long, not when. */
const SPAN = /^for\b/i;
/** So long ago that its year says enough. */
const YEARS_AGO = /^(?!an? |one |1 ).*\byears? ago$/i;
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
  parse(text: string, reference: { instant: Date; timezone?: number }): readonly Found[];
}
interface Found {
  readonly text: string;
  readonly index: number;
  readonly start: { get(part: 'year' | 'month' | 'day'): number | null; isCertain(part: 'year' | 'month' | 'day' | 'weekday'): boolean };
}

/** Reads the first calendar day that an English sentence names, as its author meant it: ISO day in the author's zone. Loaded at the first call. */
export async function loadDateReader(): Promise<DateReader> {
  const { casual } = await import('chrono-node/en');
  return (sentence, { at, utcOffsetMinutes }) =>
    CLUE.test(sentence) ? firstDay(casual, sentence, { instant: new Date(at), timezone: utcOffsetMinutes }) : undefined;
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
      const day = reader === undefined ? undefined : firstDay(reader.casual, sentence, { instant: onOwnClock(time) });
      return day ?? (language === 'zh' ? chinesePastDay(sentence, time) : undefined);
    };
  };
}

/** Not every language of chrono-node minds the zone of the reference; all go by the clock of this machine, so that is set to the author's. */
function onOwnClock({ at, utcOffsetMinutes }: ZonedTime): Date {
  const local = new Date(Date.parse(at) + utcOffsetMinutes * 60_000);
  return new Date(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate(), local.getUTCHours(), local.getUTCMinutes());
}

function firstDay(chrono: Chrono, sentence: string, reference: { instant: Date; timezone?: number }): string | undefined {
  for (const { text, index, start } of chrono.parse(sentence, reference)) {
    if (CHANCE.test(text.trim()) || SPAN.test(text) || RECURRING.test(sentence.slice(0, index))) continue;
    const [year, month] = [start.get('year'), start.get('month')];
    const exact = start.isCertain('day') || start.isCertain('weekday');
    const wholeMonth = start.isCertain('month') && start.isCertain('year');
    if (YEARS_AGO.test(text) && year !== null) return isoDay(year, 1, 1);
    if (year === null || month === null || !(exact || wholeMonth) || year < 1000 || year > 9999) continue;
    const day = isoDay(year, month, exact ? (start.get('day') ?? 1) : 1);
    const isOn = /^on\b/i.test(text) || /\bon $/i.test(sentence.slice(0, index));
    return isOn && DONE.test(sentence.slice(0, index)) ? lastSuch(day, start, reference) : day;
  }
  return undefined;
}

/** Of a weekday, or a day without its year, that is yet to come the one before. */
function lastSuch(
  day: string | undefined,
  start: Found['start'],
  { instant, timezone = 0 }: { instant: Date; timezone?: number },
): string | undefined {
  const today = new Date(instant.getTime() + timezone * 60_000).toISOString().slice(0, 10);
  if (day === undefined || day <= today || start.isCertain('year')) return day;
  if (start.isCertain('weekday') && !start.isCertain('day')) return new Date(Date.parse(day) - 7 * DAY_MS).toISOString().slice(0, 10);
  return start.isCertain('month') ? `${Number(day.slice(0, 4)) - 1}${day.slice(4)}` : day;
}

/** @returns the first day of a year before the author's own; of the current one nobody knows whether it began before what was said earlier */
export function pastYear(year: string | undefined, { at, utcOffsetMinutes }: ZonedTime): string | undefined {
  const current = new Date(Date.parse(at) + utcOffsetMinutes * 60_000).getUTCFullYear();
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
function isoDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.toISOString().slice(0, 10) : undefined;
}
