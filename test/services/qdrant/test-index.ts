import { randomUUID } from 'node:crypto';
import type { VectorSpace } from '@tandem-memory/core';
import { CONFORMANCE_SPACE, type IndexDriverFactory } from '@tandem-memory/core/conformance';
import { QdrantIndex, type QdrantOptions } from '@tandem-memory/vector';
import type { QdrantAddress } from './qdrant-service.ts';

/** Indexes of their own on one service, each under a prefix that nobody else has; `clear` drops all that they made. */
export class TestIndexes {
  readonly #service: QdrantAddress;
  readonly #prefixes = new Map<QdrantIndex, string>();

  constructor(service: QdrantAddress) {
    this.#service = service;
  }

  async open(options: Partial<QdrantOptions> & { readonly space?: VectorSpace } = {}): Promise<QdrantIndex> {
    const { space = CONFORMANCE_SPACE, ...rest } = options;
    const index = this.make(rest);
    await index.open(space);
    return index;
  }

  make(options: Partial<QdrantOptions> = {}): QdrantIndex {
    const collectionPrefix = options.collectionPrefix ?? `test-${randomUUID()}`;
    const { url, apiKey } = this.#service;
    const index = new QdrantIndex({ url, ...(apiKey === undefined ? {} : { apiKey }), ...options, collectionPrefix });
    this.#prefixes.set(index, collectionPrefix);
    return index;
  }

  prefixOf(index: QdrantIndex): string {
    return this.#prefixes.get(index) ?? '';
  }

  factory(options: Partial<QdrantOptions> = {}): IndexDriverFactory<QdrantIndex> {
    const another = (index: QdrantIndex) => this.open({ ...options, collectionPrefix: this.prefixOf(index) });
    return {
      create: () => this.open(options),
      another,
      async reopen(index) {
        await index.close();
        return another(index);
      },
      destroy: async (index) => {
        await index.close();
        for (const name of await this.collections(`${this.prefixOf(index)}--`)) await this.request('DELETE', `/collections/${name}`);
      },
    };
  }

  async clear(): Promise<void> {
    const names = await this.collections();
    const prefixes = new Set(this.#prefixes.values());
    for (const name of names) if ([...prefixes].some((prefix) => name.startsWith(prefix))) await this.request('DELETE', `/collections/${name}`);
  }

  async collections(prefix = ''): Promise<string[]> {
    const { collections } = (await this.request('GET', '/collections')) as { collections: { name: string }[] };
    return collections.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  }

  /** The REST API, past the driver: what a test looks at or puts there must not go through what it tests. */
  async request(method: string, path: string, body?: unknown): Promise<unknown> {
    const { url, apiKey } = this.#service;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(apiKey === undefined ? {} : { 'api-key': apiKey }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return ((await response.json()) as { result: unknown }).result;
  }
}
