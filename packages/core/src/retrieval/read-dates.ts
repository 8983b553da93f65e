import type { CalendarDate } from '../domain/query.ts';

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
/** Also verbs: a date only beside a number or after a preposition. */
const AMBIGUOUS = new Set(['march', 'may']);

/** Calendar dates named in a question: English month names, ISO dates, and the 年月日 / 년월일 forms. Relative words are not read here. */
export function readDates(text: string): CalendarDate[] {
  const lower = text.toLowerCase();
  const found: CalendarDate[] = [];
  // Numbers that only look like a date (a code, a version) are none.
  const add = (year: string | undefined, month: string | undefined, day: string | undefined) => {
    if (Number(month ?? 1) >= 1 && Number(month ?? 1) <= 12 && Number(day ?? 1) >= 1 && Number(day ?? 1) <= 31) found.push(date(year, month, day));
  };
  for (const match of lower.matchAll(/(?<![a-z\d-])(\d{4})-(\d{2})(?:-(\d{2})(?:t[\d:.]+z?)?)?(?![a-z\d-])/g)) add(match[1], match[2], match[3]);
  for (const match of lower.matchAll(/(?<![a-z\d./-])((?:19|20)\d\d)[./] ?(\d{1,2})[./] ?(\d{1,2})(?![\d/-])/g)) add(match[1], match[2], match[3]);
  for (const match of lower.matchAll(/(?<![a-z\d./-])(\d{1,2})\. ?(\d{1,2})\. ?((?:19|20)\d\d)(?![\d/-])/g)) add(match[3], match[2], match[1]);
  for (const match of lower.matchAll(/(?:(\d{4})\s*[年년]\s*)?(\d{1,2})\s*[月월](?:\s*(\d{1,2})\s*[日号일])?/g)) add(match[1], match[2], match[3]);
  // 3/5/2024 is in March or in May, whoever writes it.
  for (const [, one, other, year] of lower.matchAll(/(?<![a-z\d./-])(\d{1,2})\/(\d{1,2})\/((?:19|20)\d\d)(?![\d/-])/g)) {
    add(year, one, other);
    if (one !== other) add(year, other, one);
  }
  if (found.length > 0) return found;

  const year = /(?<![a-z\d-])(20\d\d|19\d\d)(?![a-z\d-])/.exec(lower)?.[1];
  for (const [index, name] of MONTHS.entries()) {
    const short = `${name.slice(0, 3)}(?:${name.slice(3)})?`;
    const form = name.length <= 4 ? name : name === 'september' ? 'sept?(?:ember)?' : `(?:${short})`;
    if (!new RegExp(`\\b${form}\\b`).test(lower)) continue;
    if (
      AMBIGUOUS.has(name) &&
      !new RegExp(`${form},? ?\\d|\\d+(?:st|nd|rd|th)?(?: of)? ${form}|\\b(?:in|on|during|of|since|until|by|last|this|next) ${form}\\b`).test(lower)
    )
      continue;
    const day =
      new RegExp(`\\b${form}\\.?\\s+(\\d{1,2})(?!\\d)`).exec(lower)?.[1] ??
      new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${form}\\b`).exec(lower)?.[1];
    const own = new RegExp(`\\b${form}\\.?(?: \\d{1,2}(?:st|nd|rd|th)?)?,? ((?:19|20)\\d\\d)(?!\\d)`).exec(lower)?.[1];
    add(own ?? year, String(index + 1), day);
  }
  if (found.length === 0 && year !== undefined) add(year, undefined, undefined);
  return found;
}

function date(year: string | undefined, month: string | undefined, day: string | undefined): CalendarDate {
  return {
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(month === undefined ? {} : { month: Number(month) }),
    ...(day === undefined ? {} : { day: Number(day) }),
  };
}

const FOLLOW_UP_DAYS = 14;
const DAY_MS = 86_400_000;

/**
 * How well a day fits the dates of a question: 1 on the day or in the month, .5 up to two weeks after a day, in the month after a month, and
 * anywhere in a year: people tell of a thing when it happens or soon after. A year that is named must be equal.
 * @param day local calendar day, `2024-03-01`
 * @param soonAfter whether days and months soon after count
 */
export function dateMatch(dates: readonly CalendarDate[], day: string, soonAfter = true): number {
  const [year = 0, month = 0, ofMonth = 0] = day.split('-').map(Number);
  let best = 0;
  for (const wanted of dates) {
    if (wanted.year !== undefined && wanted.year !== year) continue;
    if (!soonAfter && ((wanted.month ?? month) !== month || (wanted.day ?? ofMonth) !== ofMonth)) continue;
    let match = 0.5;
    if (wanted.month !== undefined && wanted.day !== undefined) {
      const daysSince = (wantedYear: number) => (Date.parse(day) - Date.UTC(wantedYear, Number(wanted.month) - 1, wanted.day)) / DAY_MS;
      // Without a year the last such day counts, also over the turn of the year.
      const days = wanted.year === undefined && daysSince(year) < 0 ? daysSince(year - 1) : daysSince(year);
      match = days === 0 ? 1 : days > 0 && days <= FOLLOW_UP_DAYS ? 0.5 : 0;
    } else if (wanted.month !== undefined) {
      const months = month - wanted.month;
      match = months === 0 ? 1 : months === 1 || (months === -11 && wanted.year === undefined) ? 0.5 : 0;
    }
    best = Math.max(best, match);
  }
  return best;
}
