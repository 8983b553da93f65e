import { hash } from 'node:crypto';

/**
 * An id derived from what it names, as a UUID (version 8, "custom"), so that a repeat of the same write hits the same record and every
 * store accepts it as a key. Parts are length-prefixed: no two different lists give one text.
 */
export function deriveId(...parts: readonly (string | number | undefined)[]): string {
  // In one call: many are made, and a hash object costs more than the hash.
  let named = '';
  for (const part of parts) {
    const text = part === undefined ? '' : String(part);
    named += `${part === undefined ? '-' : text.length}:${text}`;
  }
  const hex = hash('sha256', named, 'hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}
