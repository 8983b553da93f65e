const SPACELESS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Tells whether a text holds one of the names: as whole words in any case; in scripts that glue words together anywhere. */
export function namesIn(names: readonly string[]): (text: string) => boolean {
  const patterns = names
    .map((name) => name.trim())
    .filter((name) => /[\p{L}\p{N}]/u.test(name))
    .map((name) => {
      const literal = name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
      return new RegExp(SPACELESS.test(name) ? literal : `(?<![\\p{L}\\p{N}])${literal}(?![\\p{L}\\p{N}])`, 'iu');
    });
  return (text) => patterns.some((pattern) => pattern.test(text));
}
