export { EmbeddedGraphStore, type EmbeddedGraphStoreOptions } from './embedded/embedded-graph-store.ts';
export { EmbeddedLifecycleStore } from './embedded/embedded-lifecycle-store.ts';
export type { Neo4jGraphStoreOptions, Neo4jServer } from './neo4j/config.ts';
export { Neo4jGraphStore } from './neo4j/neo4j-graph-store.ts';
