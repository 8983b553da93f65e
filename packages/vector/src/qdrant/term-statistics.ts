import type { WeightedTerm } from '@tandem-memory/core';
import { equals, userFilter } from './filter.ts';
import { weightsByIndex } from './point.ts';

export interface RatedQuery {
  /** `weight x idf` by dimension, of the terms that the user's records have. */
  readonly indices: number[];
  readonly values: number[];
  /** `weight x idf x (k1 + 1)`, summed over all terms of the query, also those that no record has. */
  readonly ceiling: number;
}

type Count = (filter: ReturnType<typeof userFilter>) => Promise<number>;

const CONCURRENCY = 16;

/**
 * The query's half of BM25, with the idf of Lucene over the user's own records. Qdrant's `modifier: idf` counts over all users (from 1.19 on
 * it can be told a filter), and it does not say what it found, while a share of the reachable score needs the number.
 */
export async function rateQuery(userId: string, terms: readonly WeightedTerm[], k1: number, count: Count): Promise<RatedQuery> {
  const weights = [...weightsByIndex(userId, terms)];
  const { must } = userFilter(userId);
  const records = weights.length === 0 ? 0 : await count({ must });
  const frequencies =
    records === 0 ? weights.map(() => 0) : await inBatches(weights, ([index]) => count({ must: [...must, equals('terms', index)] }));
  const indices: number[] = [];
  const values: number[] = [];
  let ceiling = 0;
  for (const [place, [index, weight]] of weights.entries()) {
    const recordsWithTerm = Math.min(frequencies[place] ?? 0, records);
    const value = weight * Math.log(1 + (records - recordsWithTerm + 0.5) / (recordsWithTerm + 0.5));
    ceiling += value * (k1 + 1);
    if (recordsWithTerm === 0) continue;
    indices.push(index);
    values.push(value);
  }
  return { indices, values, ceiling };
}

async function inBatches<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += CONCURRENCY)
    results.push(...(await Promise.all(items.slice(start, start + CONCURRENCY).map(work))));
  return results;
}
