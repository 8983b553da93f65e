import { randomUUID } from 'node:crypto';
import { QdrantIndex } from '@tandem-memory/vector';

export interface QdrantTarget {
  readonly index: QdrantIndex;
  /** Removes what the benchmark made. */
  drop(): Promise<void>;
}

/** Indexes on a Qdrant server, in a collection that nobody else has. */
export function qdrantTarget(url: string, apiKey: string | undefined): QdrantTarget {
  const collectionPrefix = `tandem-bench-${randomUUID()}`;
  const key = apiKey === undefined ? {} : { apiKey };
  const headers = apiKey === undefined ? {} : { 'api-key': apiKey };
  return {
    index: new QdrantIndex({ url, collectionPrefix, ...key }),
    async drop() {
      const response = await fetch(new URL('/collections', url), { headers });
      const { result } = (await response.json()) as { result: { collections: { name: string }[] } };
      for (const { name } of result.collections)
        if (name.startsWith(collectionPrefix)) await fetch(new URL(`/collections/${name}`, url), { method: 'DELETE', headers });
    },
  };
}
