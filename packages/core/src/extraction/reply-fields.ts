import { isVisible } from '../domain/clean-text.ts';
import type { JsonValue, Metadata } from '../domain/json.ts';

export type Fields = ReadonlyMap<string, unknown>;

export const MAX_NAME_LENGTH = 500;
const MAX_TEXT_LENGTH = 4000;
/** What models write for "nothing"; no thing in the world is called so. */
const NOTHING = /^(?:null|undefined|none|n\/a)$/i;
/** The same where somebody or something is to be named. */
const NO_NAME = /^(?:null|undefined|none|n\/a|unknown|unspecified|not specified|tbd)$/i;
/** "Nil" and "Nan" are people. */
const NO_NAME_AS_WRITTEN = /^(?:nil|NIL|nan|NaN|NAN)$/;
/** A pronoun names another thing each time. Not in capitals: "IT", "US". */
const PRONOUN =
  /^(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Ww]e|[Yy]ou|[Hh]im|[Hh]er|[Tt]hem|[Uu]s|[Tt]his|[Tt]hat|[Ss]ome(?:one|body|thing)|[Aa]ny(?:one|body|thing))$/;

/** The properties of a JSON object by folded key, so that `Valid_At` and `validAt` are one. Undefined for anything else. */
export function fieldsOf(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return new Map(Object.entries(value).map(([key, field]) => [key.toLowerCase().replace(/[^a-z0-9]/g, ''), field]));
}

/** The first of the keys that carries anything. */
export function pick(fields: Fields, keys: readonly string[]): unknown {
  for (const key of keys) {
    const value = fields.get(key);
    if (value !== undefined && value !== null) return value;
  }
  return undefined;
}

/** A name or text as written, without the space around it. Undefined where it is blank, a spelled-out null, or no text at all. */
export function text(value: unknown, maxLength = MAX_TEXT_LENGTH): string | undefined {
  const raw = typeof value === 'number' ? String(value) : value;
  if (typeof raw !== 'string') return undefined;
  // Stores keep UTF-8 without NUL; what they can't hold is replaced here, once, so that every store holds the same.
  const clean = raw.toWellFormed().replaceAll('\0', '').trim();
  // An invisible name (zero-width characters only) is blank too.
  return isVisible(clean) && clean.length <= maxLength && !NOTHING.test(clean) ? clean : undefined;
}

/** Undefined also for what stands in place of a name: "unknown", "(none)", "-", "it". */
export function name(value: unknown): string | undefined {
  const written = text(value, MAX_NAME_LENGTH);
  return written === undefined || saysNothing(written) || PRONOUN.test(written) ? undefined : written;
}

/** Whether a text is a placeholder, or marks without a word or a sign. */
export function saysNothing(written: string): boolean {
  const bare = written.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
  return bare === '' || NO_NAME.test(bare) || NO_NAME_AS_WRITTEN.test(bare);
}

/** A list of names from a list, an entity object each, or one name. */
export function names(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : [value];
  return list.map((item) => name(fieldsOf(item)?.get('name') ?? item)).filter((item) => item !== undefined);
}

export function number(value: unknown): number | undefined {
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

/** A share from 0 to 1; another scale (8 of 10, 80 %) can't be told and is left out. */
export function share(value: unknown): number | undefined {
  const parsed = number(value);
  return parsed !== undefined && parsed >= 0 && parsed <= 1 ? parsed : undefined;
}

/** A day with slashes, dots, without noughts or in one number, and as Chinese, Japanese and Korean write it. */
const OTHER_DAYS = /^(\d{4})(?:([-/.])(\d{1,2})\2(\d{1,2})|(\d{2})(\d{2})|\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日号일])\.?$/;

/** A day or moment as ISO 8601 has it, whatever form the model gave it. A year or a month alone stands for its first day; all else is left out. */
export function day(value: unknown): string | undefined {
  const written = text(value)?.replace(OTHER_DAYS, (_, year: string, __, a, b, c, d, e, f) => {
    const [month, dayOfMonth] = [String(a ?? c ?? e), String(b ?? d ?? f)];
    return `${year}-${month.padStart(2, '0')}-${dayOfMonth.padStart(2, '0')}`;
  });
  const match = written === undefined ? null : /^(\d{4})(?:-(\d{2})(?:-(\d{2})([T ].+)?)?)?$/.exec(written);
  if (match === null) return undefined;
  const [, year, month = '01', dayOfMonth = '01', time = ''] = match;
  const date = new Date(`${year}-${month}-${dayOfMonth}T00:00:00Z`);
  const exists = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(dayOfMonth);
  if (!exists || (time !== '' && Number.isNaN(Date.parse(`${year}-${month}-${dayOfMonth}${time}`)))) return undefined;
  return `${year}-${month}-${dayOfMonth}${time}`;
}

/** Properties as an object, or as a list of `{name, value}`. Undefined where there are none. */
export function properties(value: unknown): Metadata | undefined {
  const entries = Array.isArray(value)
    ? value.map((item): [unknown, unknown] => [fieldsOf(item)?.get('name') ?? fieldsOf(item)?.get('key'), fieldsOf(item)?.get('value')])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  const kept = entries.flatMap(([key, property]): [string, JsonValue][] => {
    const label = name(key);
    const plain = typeof property === 'number' || typeof property === 'boolean' ? property : text(property);
    return label === undefined || plain === undefined ? [] : [[label, plain]];
  });
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
}
