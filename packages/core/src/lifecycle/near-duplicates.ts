import { analyseText } from '../domain/text-analysis.ts';

const BANDS = 12;
const ROWS = 4;
/** A bucket that holds more is a phrase of its own ("ok, thanks"); comparing each with each would take its square. */
const MAX_BUCKET = 64;

export interface NearPair {
  readonly ids: readonly [string, string];
  /** Share of the terms of both that both have (Jaccard). */
  readonly similarity: number;
}

/**
 * Pairs of texts of which most terms are the same, but not all. MinHash with banding (Broder 1997; Leskovec et al., Mining of Massive
 * Datasets, 3.4) finds them without comparing each with each: with 12 bands of 4 rows a pair of similarity 0.8 is missed once in 660.
 */
export function nearDuplicates(texts: ReadonlyMap<string, string>, threshold: number): NearPair[] {
  const terms = new Map([...texts].map(([id, text]) => [id, new Set(analyseText(text))]));
  const buckets = new Map<string, string[]>();
  for (const [id, own] of terms) {
    if (own.size < 3) continue;
    const signature = minHash(own);
    for (let band = 0; band < BANDS; band++) {
      const key = `${band} ${signature.slice(band * ROWS, (band + 1) * ROWS).join(' ')}`;
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, [id]);
      else if (bucket.length < MAX_BUCKET) bucket.push(id);
    }
  }
  const pairs = new Map<string, NearPair>();
  for (const bucket of buckets.values()) {
    for (const [index, first] of bucket.entries()) {
      for (const second of bucket.slice(index + 1)) {
        const ids: [string, string] = first < second ? [first, second] : [second, first];
        const key = ids.join(' ');
        if (pairs.has(key)) continue;
        const similarity = jaccard(terms.get(first), terms.get(second));
        if (similarity >= threshold && similarity < 1) pairs.set(key, { ids, similarity });
      }
    }
  }
  return [...pairs.values()].sort((a, b) => b.similarity - a.similarity || (a.ids.join() < b.ids.join() ? -1 : 1));
}

function minHash(terms: ReadonlySet<string>): number[] {
  const signature = new Array<number>(BANDS * ROWS).fill(0xffffffff);
  for (const term of terms) {
    let hash = 2166136261;
    for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 16777619);
    for (let n = 0; n < signature.length; n++) {
      let value = Math.imul(hash ^ Math.imul(n + 1, 0x9e3779b1), 0x85ebca6b);
      value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
      signature[n] = Math.min(signature[n] ?? 0xffffffff, (value ^ (value >>> 16)) >>> 0);
    }
  }
  return signature;
}

function jaccard(a: ReadonlySet<string> = new Set(), b: ReadonlySet<string> = new Set()): number {
  let both = 0;
  for (const term of a) if (b.has(term)) both++;
  return both / Math.max(1, a.size + b.size - both);
}
