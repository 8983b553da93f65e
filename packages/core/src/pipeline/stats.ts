import { unlessDown } from '../errors.ts';
import type { MemoryConfig, MemoryStats } from './memory-config.ts';
import type { RelayHealth } from './relay-loop.ts';
import type { CacheStats } from './semantic-cache.ts';

export interface StatsSources {
  /** Resolves when the indexes are open. */
  readonly ready: () => Promise<void>;
  readonly relay: RelayHealth;
  readonly cache: CacheStats | undefined;
}

/** Counts of one user's records, or of all, and what answers. An index that is down has no number. */
export async function readStats(config: MemoryConfig, userId: string | undefined, { ready, relay, cache }: StatsSources): Promise<MemoryStats> {
  const { graph, vectors, keywords, embedding, extractor } = config;
  const counted = async (index: { count(userId?: string): Promise<number> }) => {
    await ready();
    return index.count(userId);
  };
  return {
    ...(await graph.counts(userId)),
    vectors: await unlessDown(counted(vectors)),
    keywords: await unlessDown(counted(keywords)),
    relay,
    graphStore: graph.name,
    vectorIndex: vectors.name,
    keywordIndex: keywords.name,
    embeddingModel: embedding.modelId,
    dimensions: embedding.dimensions,
    extractor: extractor.id,
    ...(cache === undefined ? {} : { cache }),
  };
}
