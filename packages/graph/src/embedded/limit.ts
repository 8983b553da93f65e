/**
 * A limit that is a parameter, which follows: `LIMIT ?` itself makes SQLite plan by the number and compile the statement anew at every call,
 * which takes longer than most reads. Into a sum it does not look.
 */
export const LIMIT = 'LIMIT 0 +';

const MOST_ROWS = 2 ** 31 - 1;

/** A row limit for SQL, where a negative one would mean "all" and a fraction or Infinity is an error. */
export function rowLimit(limit: number): number {
  return limit > 0 ? Math.min(Math.floor(limit), MOST_ROWS) : 0;
}
