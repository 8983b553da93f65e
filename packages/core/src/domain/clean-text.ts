/** Text as it is kept: halves of surrogate pairs become U+FFFD and NUL goes, since no store keeps either; all else stays letter for letter. */
export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}
