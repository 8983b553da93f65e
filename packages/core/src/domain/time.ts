/** A moment as ISO 8601 in UTC with milliseconds (`2024-02-29T23:59:59.987Z`): sorts as text, survives JSON. */
export type Timestamp = string;

/** A moment together with the zone in which its author lives, so that "yesterday" can be read as the author meant it. */
export interface ZonedTime {
  readonly at: Timestamp;
  readonly utcOffsetMinutes: number;
}

/** `Date` alone would also take other forms, some of them in the machine's zone, and read 30 February as 1 March. */
const ISO = /^(\d{4}-\d{2})(?:-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?(?:Z|([+-])(\d{2})(?::?(\d{2}))?)?)?)?$/i;

export function timestamp(date: Date): Timestamp {
  return date.toISOString();
}

/**
 * Reads an ISO 8601 month, day or moment, or a `Date`. The offset written in the text is kept; a text without one and a `Date` are UTC, never
 * the machine's zone, so that the same input means the same on every machine.
 * @returns undefined where the text is no date.
 */
export function parseTime(value: string | Date): ZonedTime | undefined {
  if (value instanceof Date) return zoned(value, 0);
  const match = ISO.exec(value.trim());
  if (match === null) return undefined;
  const [, month, day = '01', time = '00:00', sign, hours = '00', minutes = '00'] = match;
  const parsed = new Date(`${month}-${day}T${time.replace(',', '.')}${sign ?? '+'}${hours}:${minutes}`);
  const dayExists = new Date(`${month}-${day}T00:00Z`).getUTCDate() === Number(day);
  return dayExists ? zoned(parsed, (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) || 0) : undefined;
}

/** Years of four digits, here and in the author's zone: others do not sort as text. */
function zoned(date: Date, utcOffsetMinutes: number): ZonedTime | undefined {
  const local = new Date(date.getTime() + utcOffsetMinutes * 60_000);
  if (Number.isNaN(date.getTime()) || [date, local].some((moment) => !/^\d{4}-/.test(moment.toISOString()))) return undefined;
  return { at: date.toISOString(), utcOffsetMinutes };
}

/** The calendar day and clock of a moment in its author's zone, e.g. `2024-03-01 18:30`. */
export function localMinute(time: ZonedTime): string {
  if (time.utcOffsetMinutes === 0) return time.at.slice(0, 16).replace('T', ' ');
  const local = new Date(Date.parse(time.at) + time.utcOffsetMinutes * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * The calendar day of a moment where it was told. A midnight of UTC is a bare day ("since 2024-03-01") and the same everywhere, unless it is the
 * very moment of the telling.
 */
export function localDay(moment: Timestamp, told: ZonedTime | undefined): string {
  const isBareDay = moment.endsWith('T00:00:00.000Z') && moment !== told?.at;
  return isBareDay ? moment.slice(0, 10) : localMinute({ at: moment, utcOffsetMinutes: told?.utcOffsetMinutes ?? 0 }).slice(0, 10);
}
