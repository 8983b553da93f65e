import { randomUUID } from 'node:crypto';
import { deriveId, type VectorSpace } from '@tandem-memory/core';
import { QdrantIndex } from '@tandem-memory/vector';
import { expect } from 'vitest';
import { providedQdrant } from './provided-qdrant.ts';
import type { QdrantAddress } from './qdrant-service.ts';

/** The test under way, and how many memories it has opened. */
let current = { test: '', opened: 0 };

/**
 * For tests of the whole engine, which the vitest projects `qdrant` and `servers` run once more on Qdrant.
 * @param path the file of the memory: what is opened again finds its points there. Without one the index begins empty.
 * @returns undefined where the run is about the embedded indexes
 */
export function freshQdrantIndex(path: string | undefined, space: Pick<VectorSpace, 'modelId'>): QdrantIndex | undefined {
  const server = providedQdrant();
  if (server === undefined || 'missing' in server) return undefined;
  const test = expect.getState().currentTestName;
  if (path !== undefined) return new ReusedIndex(server, `test-${deriveId(path).slice(0, 13)}`);
  if (test === undefined) return new ReusedIndex(server, `test-${randomUUID()}`);
  current = { test, opened: current.test === test ? current.opened + 1 : 1 };
  const model = space.modelId.replaceAll(/[^\w-]/g, '-');
  return new ReusedIndex(server, `test-worker-${process.env['VITEST_POOL_ID'] ?? 0}-${model}-${current.opened}`, true);
}

/** To make a collection takes the server much longer than to empty one, so that a worker has a few of them for all its tests. */
class ReusedIndex extends QdrantIndex {
  readonly #empty: () => Promise<void>;
  #opened: Promise<void> | undefined;

  constructor({ url, apiKey }: QdrantAddress, collectionPrefix: string, emptied = false) {
    super({ url, collectionPrefix, ...(apiKey === undefined ? {} : { apiKey }) });
    this.#empty = async () => {
      if (!emptied) return;
      const response = await fetch(`${url}/collections/${collectionPrefix}/points/delete?wait=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) },
        body: '{"filter":{}}',
      });
      if (!response.ok) throw new Error(`A collection could not be emptied: ${await response.text()}`);
    };
  }

  override async open(space?: VectorSpace, confirm?: () => Promise<void>): Promise<void> {
    await super.open(space, confirm);
    this.#opened ??= this.#empty();
    await this.#opened;
  }
}
