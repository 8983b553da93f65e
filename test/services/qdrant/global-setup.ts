import type { TestProject } from 'vitest/node';
import { type QdrantAddress, startQdrant } from './qdrant-service.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server of this test run, or why there is none. */
    qdrant: QdrantAddress | { readonly missing: string };
  }
}

/** One server, container or engine for the whole run. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const service = await startQdrant();
  if ('missing' in service) {
    project.provide('qdrant', service);
    return undefined;
  }
  const { url, apiKey } = service;
  project.provide('qdrant', { url, ...(apiKey === undefined ? {} : { apiKey }) });
  return () => service.stop();
}
