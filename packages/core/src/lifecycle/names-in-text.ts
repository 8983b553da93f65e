import { foldText } from '../domain/fold-text.ts';
import { SPACELESS_SCRIPTS } from '../domain/spaceless.ts';

const SPACELESS = new RegExp(`[${SPACELESS_SCRIPTS}]`, 'u');

export type NameTest = (text: string) => boolean;

/**
 * Tells whether a text holds one of the names: as whole words, by folded spelling; in scripts that glue words together anywhere.
 * @param others longer names of other things, which do not count: "Ann Kim" says nothing of Ann
 */
export function namesIn(names: readonly string[], others: readonly string[] = []): NameTest {
  const patterns = names.flatMap((name) => patternOf(name) ?? []);
  const own = new Set(names.map((name) => foldText(name).trim()));
  const longer = others.filter((other) => !own.has(foldText(other).trim()) && patterns.some((pattern) => pattern.test(foldText(other))));
  // The longest first: inside it a shorter one may stand.
  const covers = longer.sort((a, b) => b.length - a.length).flatMap((other) => patternOf(other, 'gu') ?? []);
  return (text) => {
    const rest = covers.reduce((left, cover) => left.replace(cover, '\n'), foldText(text));
    return patterns.some((pattern) => pattern.test(rest));
  };
}

function patternOf(name: string, flags = 'u'): RegExp | undefined {
  const folded = foldText(name).trim();
  if (!/[\p{L}\p{N}]/u.test(folded)) return undefined;
  const literal = folded.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
  return new RegExp(SPACELESS.test(folded) ? literal : `(?<![\\p{L}\\p{N}\\p{M}])${literal}(?![\\p{L}\\p{N}\\p{M}])`, flags);
}
