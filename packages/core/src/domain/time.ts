/** A moment as ISO 8601 in UTC with milliseconds (`2024-02-29T23:59:59.987Z`): sorts as text, survives JSON. */
export type Timestamp = string;

/** A moment together with the zone in which its author lives, so that "yesterday" can be read as the author meant it. */
export interface ZonedTime {
  readonly at: Timestamp;
  readonly utcOffsetMinutes: number;
}

const OFFSET = /(?:(Z)|([+-])(\d{2}):?(\d{2}))$/i;
const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

export function timestamp(date: Date): Timestamp {
  return date.toISOString();
}

/**
 * Reads an ISO 8601 date, or a `Date`. The offset written in the text is kept; a text without one, a date alone and a `Date` are UTC,
 * never the machine's zone, so that the same input means the same on every machine.
 * @returns undefined where the text is no date.
 */
export function parseTime(value: string | Date): ZonedTime | undefined {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? undefined : { at: value.toISOString(), utcOffsetMinutes: 0 };
  }
  const text = value.trim();
  const offset = DATE_ONLY.test(text) ? null : OFFSET.exec(text);
  const parsed = new Date(offset === null && !DATE_ONLY.test(text) ? `${text}Z` : text);
  if (!/^\d{4}-\d{2}/.test(text) || Number.isNaN(parsed.getTime())) return undefined;
  const minutes = offset?.[2] === undefined ? 0 : (offset[2] === '-' ? -1 : 1) * (Number(offset[3]) * 60 + Number(offset[4]));
  return { at: parsed.toISOString(), utcOffsetMinutes: minutes };
}

/** The calendar day and clock of a moment in its author's zone, e.g. `2024-03-01 18:30`. */
export function localMinute(time: ZonedTime): string {
  const local = new Date(Date.parse(time.at) + time.utcOffsetMinutes * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
