import type { MemoryConfig, MemoryStats } from './memory-config.ts';
import type { RelayHealth } from './relay-loop.ts';
import type { CacheStats } from './semantic-cache.ts';
import { unlessDown } from './server-state.ts';

/** What a memory holds and is made of; an index that can't be reached has no count. */
export async function memoryStats(
  userId: string | undefined,
  { graph, vectors, keywords, embedding, extractor }: MemoryConfig,
  state: { ready(): Promise<void>; readonly relay: RelayHealth; readonly cache: CacheStats | undefined },
): Promise<MemoryStats> {
  const counted = async (index: { count(userId?: string): Promise<number> }) => {
    await state.ready();
    return index.count(userId);
  };
  return {
    ...(await graph.counts(userId)),
    vectors: await unlessDown(counted(vectors)),
    keywords: await unlessDown(counted(keywords)),
    relay: state.relay,
    graphStore: graph.name,
    vectorIndex: vectors.name,
    keywordIndex: keywords.name,
    embeddingModel: embedding.modelId,
    dimensions: embedding.dimensions,
    extractor: extractor.id,
    ...(state.cache === undefined ? {} : { cache: state.cache }),
  };
}
