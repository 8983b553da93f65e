/** The beginning of a text, at most so many code units; half of a character is left out. */
export function cutText(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}
