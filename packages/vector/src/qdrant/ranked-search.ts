import type { IndexHit } from '@tandem-memory/core';
import { byScore } from '../hit-order.ts';

/** The `size` best points, best first, as the server orders them. */
export type Fetch = (size: number) => Promise<readonly IndexHit[]>;

/**
 * The best `limit` hits, equal scores by id. The server breaks ties by its own keys, so where the limit cuts through equal scores all of them
 * are fetched.
 */
export async function bestHits(limit: number, fetch: Fetch): Promise<IndexHit[]> {
  for (let size = limit + 1; ; size *= 4) {
    const hits = await fetch(size);
    const boundary = hits[limit - 1]?.score;
    const last = hits.at(-1)?.score;
    if (hits.length < size || boundary === undefined || last === undefined || last < boundary) return [...hits].sort(byScore).slice(0, limit);
  }
}
