import { deriveId } from './id.ts';

/** A word that none of the texts holds and that is derived from all of them: a line made with it can't be forged by any of them. */
export function fenceMark(texts: readonly string[]): string {
  for (let attempt = 0; ; attempt++) {
    const mark = deriveId('fence', attempt, ...texts).slice(0, 8);
    if (!texts.some((text) => text.includes(mark))) return mark;
  }
}
