import { cutText } from './cut-text.ts';

const MAX_LETTERS = 24;

/** A wrong value as an error names it: a number that is a text says so. Not for what may be secret or somebody's words. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return `the text "${cutText(value, MAX_LETTERS)}"`;
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Date) return 'a date';
  return Array.isArray(value) ? 'a list' : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`;
}
