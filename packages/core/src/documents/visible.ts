const VISIBLE = /[^\s\u200b-\u200d\u2060\ufeff]/;

/** False for white space and zero-width characters alone: there is nothing in it to remember. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}
