import { MemoryError } from '@tandem-memory/core';
import { QdrantIndex } from '@tandem-memory/vector';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { startKillableQdrant } from '../services/qdrant/qdrant-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SPACE = { modelId: 'm', dimensions: 3 };
const folder = temporaryFolder();
const locked = await startKillableQdrant(`${folder.path}/locked`, { apiKey: 'correct horse' });
let server = await startKillableQdrant(`${folder.path}/killed`);

describe.skipIf('missing' in server || 'missing' in locked)('a Qdrant of its own', () => {
  if ('missing' in server || 'missing' in locked) return;
  afterAll(async () => {
    if (!('missing' in server)) await server.stop('SIGKILL');
    await locked.stop('SIGKILL');
    folder[Symbol.dispose]();
  });

  it('that wants a key takes the right one, and refuses a wrong one without repeating it', async () => {
    const open = (apiKey?: string) => new QdrantIndex({ url: locked.url, ...(apiKey === undefined ? {} : { apiKey }) }).open(SPACE);
    await open('correct horse');
    for (const apiKey of ['battery staple', undefined]) {
      const error = await open(apiKey).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'CONFIG_INVALID' });
      expect(MemoryError.isInstance(error) && error.message).toContain('QDRANT_API_KEY');
      expect(JSON.stringify([MemoryError.isInstance(error) && { ...error }, String(error)])).not.toContain('battery');
    }
  });

  it('killed and started again under load: nothing acknowledged is lost, and the stores agree', async () => {
    if ('missing' in server) return;
    const { port, url } = server;
    const { memory } = openTestMemory({ index: new QdrantIndex({ url, timeoutMs: 2_000 }) });
    const acknowledged: string[] = [];
    let unindexed = 0;
    const load = async (from: number, count: number) => {
      const receipts = await Promise.all(
        Array.from({ length: count }, (_, i) => memory.store(`turn ${from + i}: the owl box faces north`, { userId: `user-${i % 3}`, infer: false })),
      );
      for (const receipt of receipts) acknowledged.push(...receipt.episodes.map((episode) => episode.id));
      unindexed += receipts.filter((receipt) => !receipt.indexed).length;
    };
    await load(0, 10);
    const during = load(10, 30);
    await server.stop('SIGKILL');
    await during;
    await load(40, 5);
    expect((await memory.retrieve('owl', { userId: 'user-0' })).degraded).not.toEqual([]);
    expect(unindexed).toBeGreaterThan(0);
    server = await startKillableQdrant(`${folder.path}/killed`, { port });
    await memory.flush();
    expect(await memory.check()).toMatchObject({ records: 45, missing: 0, orphaned: 0, outbox: { waiting: 0 } });
    expect(new Set(acknowledged).size).toBe(45);
    const found = await memory.retrieve('owl box', { userId: 'user-1', topK: 50 });
    expect(found.degraded).toEqual([]);
    expect(found.items).toHaveLength(15);
    await memory.close();
  });
});
