import { MemoryError, type WeightedTerm } from '@tandem-memory/core';
import { hashTerm, type TermHash, termHash } from './term-hash.ts';

/** Weights are kept in quarters. */
export const WEIGHT_STEPS = 4;
const MAX_STEPS = 0xffff;

/**
 * A record's terms as bytes, eight a term: the low 32 bits of the hash, then its high 16 bits and the weight in quarters. Read it as
 * uint32: the second word is `high + (steps << 16)`. Terms of one hash are joined, weights below a quarter are raised to it.
 * @throws INPUT_INVALID where a weight is negative or not finite
 */
export function encodeTerms(terms: readonly WeightedTerm[]): Uint8Array {
  const steps = new Map<number, { readonly hash: TermHash; steps: number }>();
  for (const { term, weight } of terms) {
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new MemoryError('INPUT_INVALID', 'The weight of a term is negative or not a finite number.');
    if (weight === 0) continue;
    const hash = hashTerm(term);
    const entry = steps.get(hash.key) ?? { hash, steps: 0 };
    entry.steps = Math.min(MAX_STEPS, entry.steps + Math.max(1, Math.round(weight * WEIGHT_STEPS)));
    steps.set(hash.key, entry);
  }
  const words = new Uint32Array(steps.size * 2);
  let at = 0;
  for (const entry of steps.values()) {
    words[at++] = entry.hash.low;
    words[at++] = entry.hash.high + entry.steps * 0x1_0000;
  }
  return new Uint8Array(words.buffer);
}

export function wordsOf(payload: Uint8Array): Uint32Array {
  return new Uint32Array(payload.buffer, payload.byteOffset, payload.byteLength / 4);
}

/** Sum of the weights, in quarters: the record's length in BM25. */
export function totalSteps(payload: Uint8Array): number {
  const words = wordsOf(payload);
  let total = 0;
  for (let i = 1; i < words.length; i += 2) total += (words[i] ?? 0) >>> 16;
  return total;
}

export function forEachTerm(payload: Uint8Array, visit: (key: number, steps: number) => void): void {
  const words = wordsOf(payload);
  for (let i = 0; i < words.length; i += 2) {
    const word = words[i + 1] ?? 0;
    visit(termHash(words[i] ?? 0, word & 0xffff).key, word >>> 16);
  }
}
