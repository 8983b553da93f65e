import type { IndexHit } from '@tandem-memory/core';

/** Best first, equal scores by id. */
export function byScore(a: IndexHit, b: IndexHit): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}
