import { z } from 'zod';
import { cleanText } from './clean-text.ts';
import type { Metadata } from './json.ts';

/** What a record's metadata must hold: at each name this value, or a list with it. Values are compared as they are: 1 is not "1". */
export type MetadataFilter = Readonly<Record<string, string | number | boolean | null>>;

/** A filter as the caller may give it. Names each part that is no single value. */
export const metadataFilterSchema = z.record(
  z.string().transform(cleanText),
  z.union([z.string().transform(cleanText), z.number(), z.boolean(), z.null()], {
    error: 'give one value to compare with: text, a number, true, false or null',
  }),
);

export function hasMetadata(metadata: Metadata, wanted: MetadataFilter): boolean {
  return Object.entries(wanted).every(([name, value]) => {
    const own = Object.hasOwn(metadata, name) ? metadata[name] : undefined;
    return own === value || (Array.isArray(own) && own.includes(value));
  });
}

/** Pieces that stand in the JSON of any metadata with these values, for stores that keep it as text: a store looks closer only where all of them do. */
export function piecesOfMetadata(wanted: MetadataFilter): string[] {
  return Object.entries(wanted).flatMap(([name, value]) => [`${JSON.stringify(name)}:`, JSON.stringify(value)]);
}
