export { chatMemoryStoreConformance } from './chat-memory-store.ts';
export { graphStoreConformance } from './graph-store.ts';
export { keywordIndexConformance } from './keyword-index.ts';
export { lifecycleStoreConformance } from './lifecycle-store.ts';
export { CONFORMANCE_SPACE, type IndexDriverFactory } from './record-index.ts';
export { rerankingModelConformance } from './reranking-model.ts';
export type { DriverFactory, TestRunner } from './runner.ts';
export { vectorIndexConformance } from './vector-index.ts';
