import { foldText } from '../domain/fold-text.ts';
import { SPACELESS_SCRIPTS } from '../domain/spaceless.ts';

const SPACELESS = new RegExp(`[${SPACELESS_SCRIPTS}]`, 'u');

/** Tells whether a text holds one of the names: as whole words, by folded spelling; in scripts that glue words together anywhere. */
export function namesIn(names: readonly string[]): (text: string) => boolean {
  const patterns = names
    .map((name) => foldText(name).trim())
    .filter((name) => /[\p{L}\p{N}]/u.test(name))
    .map((name) => {
      const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
      return new RegExp(SPACELESS.test(name) ? literal : `(?<![\\p{L}\\p{N}\\p{M}])${literal}(?![\\p{L}\\p{N}\\p{M}])`, 'u');
    });
  return (text) => {
    const folded = foldText(text);
    return patterns.some((pattern) => pattern.test(folded));
  };
}
