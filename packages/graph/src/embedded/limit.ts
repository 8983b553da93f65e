const MOST_ROWS = 2 ** 31 - 1;

/** A row limit for SQL, where a negative one would mean "all" and a fraction or Infinity is an error. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.min(Math.floor(limit), MOST_ROWS) : 0;
}
