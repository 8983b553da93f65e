export { EmbeddedKeywordIndex, type EmbeddedKeywordIndexOptions } from './embedded/embedded-keyword-index.ts';
export { EmbeddedVectorIndex, type EmbeddedVectorIndexOptions } from './embedded/embedded-vector-index.ts';
export { QdrantIndex } from './qdrant/qdrant-index.ts';
export type { QdrantOptions } from './qdrant/qdrant-options.ts';
