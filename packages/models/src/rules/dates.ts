import type { ZonedTime } from '@tandem-memory/core';

export type DateReader = (sentence: string, time: ZonedTime) => string | undefined;

const CLUE = /\d|day\b|yesterday|today|tomorrow|tonight|ago\b|week\b|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)/i;
/** Words that are a date only by chance: "I sat down", "you may". */
const CHANCE = /^(?:sat|sun|mon|wed|fri|thu|tue|tues|may|march|mar|second|now)\.?$/;
const RECURRING = /\b(?:every|each|on most)\s+$/i;

/** Reads the first calendar day that a sentence names, as its author meant it: ISO day in the author's zone. Loaded at the first call. */
export async function loadDateReader(): Promise<DateReader> {
  const { casual } = await import('chrono-node/en');
  return (sentence, time) => {
    if (!CLUE.test(sentence)) return undefined;
    const reference = { instant: new Date(time.at), timezone: time.utcOffsetMinutes };
    for (const { text, index, start } of casual.parse(sentence, reference)) {
      if (CHANCE.test(text.trim()) || RECURRING.test(sentence.slice(0, index))) continue;
      const [year, month] = [start.get('year'), start.get('month')];
      const exact = start.isCertain('day') || start.isCertain('weekday');
      const wholeMonth = start.isCertain('month') && start.isCertain('year');
      if (year === null || month === null || !(exact || wholeMonth) || year < 1000 || year > 9999) continue;
      const day = exact ? (start.get('day') ?? 1) : 1;
      return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
    }
    return undefined;
  };
}
