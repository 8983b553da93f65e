import type { CalendarUnit } from '../domain/query.ts';

/** Languages besides English whose words for days are read. */
const LOCALES = ['ko', 'zh', 'zh-TW', 'ja', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'ru', 'uk'];
const UNITS: readonly CalendarUnit[] = ['day', 'week', 'month', 'year'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
/** Each form that a language has for a number of things is the form of one of these. */
const AMOUNTS = [1, 2, 3, 5, 21];
/** Here and yesterday, morning and tomorrow: `read-times` reads them by what stands before. */
const WITH_TWO_MEANINGS = new Set(['hier', 'morgen', 'mañana']);
const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;
/** A digit, or a number that is written as a word; `numberOf` reads both. */
const NUMBER = '(\\d{1,3}|[一二两兩三四五六七八九十]{1,3})';

interface Phrase {
  readonly pattern: RegExp;
  /** A word that stands in each text which the pattern finds: a quick "can't be". */
  readonly word: string;
}

/** Words for a time seen from today: "yesterday" is the day -1, "last week" the week -1. */
export interface RelativeWords extends Phrase {
  readonly unit: CalendarUnit;
  /** Units from now; undefined: the first group has how many ago, or how many to come. */
  readonly offset: number | undefined;
  readonly isAhead?: boolean;
}

/** Phrases of one language, the longest first, since some hold others (재작년, 작년). */
function relativeWords(locale: string): RelativeWords[] {
  const named = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const counted = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const found = new Map<string, Omit<RelativeWords, keyof Phrase>>();
  for (const unit of UNITS) {
    for (const offset of [0, -1, -2, 1, 2]) {
      const words = named.format(offset, unit).toLowerCase();
      if (!/\d/.test(words) && !WITH_TWO_MEANINGS.has(words)) found.set(words, { unit, offset });
    }
    for (const amount of AMOUNTS) {
      for (const isAhead of [false, true]) {
        const words = counted.format(isAhead ? amount : -amount, unit).toLowerCase();
        found.set(words.replace(/\d+/, '#'), { unit, offset: undefined, isAhead });
      }
    }
  }
  return [...found]
    .filter(([words, { offset }]) => offset !== undefined || words.includes('#'))
    .sort(([a], [b]) => b.length - a.length)
    .map(([words, meaning]) => ({ ...meaning, ...phrase(words) }));
}

function phrase(words: string): Phrase {
  const isSpaceless = SPACELESS.test(words);
  const pattern = words
    .replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replace(/[’']/g, "['’]")
    .replace(/\s+/g, isSpaceless ? '\\s*' : '\\s+')
    .replace('#', isSpaceless ? `${NUMBER}\\s*` : NUMBER);
  const word = words.split(/[#\s’']+/).sort((a, b) => b.length - a.length)[0] ?? '';
  return { word, pattern: new RegExp(isSpaceless ? pattern : `(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, 'gu') };
}

interface CalendarWords {
  readonly relative: readonly RelativeWords[];
  /** Names of months by the English one, the longest first. */
  readonly months: readonly (Phrase & { readonly month: string })[];
  /** Names of days of the week, from Sunday. */
  readonly weekdays: readonly (Phrase & { readonly weekday: number })[];
}

let known: CalendarWords | undefined;

/** What CLDR, which comes with the runtime, knows of the other languages; made when a question first needs it, in some 20 ms. */
export function otherCalendarWords(): CalendarWords {
  known ??= {
    relative: LOCALES.flatMap(relativeWords).sort((a, b) => b.pattern.source.length - a.pattern.source.length),
    months: LOCALES.filter((locale) => !/^(?:ko|zh|ja)/.test(locale))
      .flatMap((locale) => MONTHS.flatMap((name, month) => namesOfMonth(locale, month).map((word) => [word, name] as const)))
      .sort(([a], [b]) => b.length - a.length)
      .map(([word, month]) => ({ month, word, pattern: inDate(word) })),
    weekdays: LOCALES.flatMap((locale) => Array.from({ length: 7 }, (_, weekday) => ({ weekday, ...phrase(weekdayName(locale, weekday)) }))),
  };
  return known;
}

/** Alone, and as it stands beside a day: "март", "марта". */
function namesOfMonth(locale: string, month: number): string[] {
  const date = Date.UTC(2024, month, 1);
  const alone = new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(date);
  const beside = new Intl.DateTimeFormat(locale, { month: 'long', day: 'numeric', timeZone: 'UTC' }).formatToParts(date);
  return [...new Set([alone, ...beside.filter(({ type }) => type === 'month').map(({ value }) => value)])].map((word) => word.toLowerCase());
}

/** With the day before it and the year behind it, where they are named: "3. März 2024", "3 de marzo de 2024". */
function inDate(month: string): RegExp {
  return new RegExp(
    `(?<![\\p{L}\\p{N}])(?:(\\d{1,2})(?:\\.|er|º)?\\s*(?:de\\s+)?)?${month}(?![\\p{L}\\p{N}])(?:\\s*(?:de\\s+)?((?:19|20)\\d\\d))?`,
    'gu',
  );
}

function weekdayName(locale: string, day: number): string {
  return new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, 8, 1 + day)).toLowerCase();
}
