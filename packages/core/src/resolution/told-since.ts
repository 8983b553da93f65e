const SINCE = /\bsince\b/i;
const PERIOD = /\b(?:last (?:year|month)|(?:an?|one) (?:year|month) ago)\b|작년|지난 ?(?:해|달)|去年|上[个個]?月/i;

/** Whether a statement held then and holds when it is told: "I have lived in Corran since 2019". */
export function tellsSince(text: string): boolean {
  return SINCE.test(text);
}

/** Whether it is of a time of which only the beginning is kept, "last year": what was said of another value in it was said before. */
export function tellsOfPeriod(text: string): boolean {
  return PERIOD.test(text);
}
