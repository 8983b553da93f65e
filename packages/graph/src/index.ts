export { EmbeddedGraphStore, type EmbeddedGraphStoreOptions } from './embedded/embedded-graph-store.ts';
export { EmbeddedLifecycleStore } from './embedded/embedded-lifecycle-store.ts';
