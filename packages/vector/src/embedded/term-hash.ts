/** A term as two numbers: 32 bits, and 16 more. */
export interface TermHash {
  readonly low: number;
  readonly high: number;
  /** Both as one integer of 48 bits, signed, which SQLite stores in six bytes. */
  readonly key: number;
}

/**
 * Terms are indexed by a 48-bit hash (two lanes mixed as in cyrb53), so that any text is a term of one size and no text of a record is
 * left in the index. In a vocabulary of 100,000 terms the chance of any two sharing a hash is 1 in 50,000; they would count as one term.
 */
export function hashTerm(term: string): TermHash {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i);
    first = Math.imul(first ^ unit, 2654435761);
    second = Math.imul(second ^ unit, 1597334677);
  }
  first = Math.imul(first ^ (first >>> 16), 2246822507) ^ Math.imul(second ^ (second >>> 13), 3266489909);
  second = Math.imul(second ^ (second >>> 16), 2246822507) ^ Math.imul(first ^ (first >>> 13), 3266489909);
  return termHash(first >>> 0, second & 0xffff);
}

export function termHash(low: number, high: number): TermHash {
  return { low, high, key: (high - 0x8000) * 2 ** 32 + low };
}
