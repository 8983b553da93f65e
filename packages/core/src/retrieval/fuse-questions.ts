import type { Recollection } from '../domain/recollection.ts';
import { byScore } from './fuse.ts';

/**
 * Joins what the parts of a question find: each record with the best score that any of them gives it, since scores mean the same from one
 * question to the next. Pure; ties by id.
 * @param rankings one a question
 */
export function fuseQuestions(rankings: readonly (readonly Recollection[])[]): Recollection[] {
  const best = new Map<string, Recollection>();
  for (const item of rankings.flat()) if (item.score > (best.get(item.id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(item.id, item);
  return [...best.values()].sort(byScore);
}
