import { z } from 'zod';
import { cleanText } from './clean-text.ts';
import type { Metadata } from './json.ts';

/** What a record's metadata must hold: at each name this value, or a list with it. Values are compared as they are: 1 is not "1". */
export type MetadataFilter = Readonly<Record<string, string | number | boolean | null>>;

const singleValue = z.union([z.string().transform(cleanText), z.number(), z.boolean(), z.null()]);

/** A filter as the caller may give it. Names each part that is no single value. No name is special: `__proto__` is one like any other. */
export const metadataFilterSchema = z.unknown().transform((given, context): MetadataFilter => {
  const refuse = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message });
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    refuse([], 'give an object of names and values, such as { project: "garden" }');
  const conditions = Object.entries(Object(given)).map(([name, value]) => {
    const read = singleValue.safeParse(value);
    if (!read.success) refuse([name], 'give one value to compare with: text, a number, true, false or null');
    return [cleanText(name), read.data ?? null] as const;
  });
  return Object.fromEntries(conditions);
});

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
