/** Text as it is kept: halves of surrogate pairs become U+FFFD and NUL goes, since no store keeps either; all else stays letter for letter. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** Braille of no dots is a sign of its own and shows nothing; fillers of Hangul and the like are letters that nobody sees. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** False for white space, zero-width characters, controls and blank letters alone: there is nothing in it to remember. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
