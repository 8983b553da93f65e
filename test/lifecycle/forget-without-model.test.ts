import { join } from 'node:path';
import { MemoryError } from '@tandem-memory/core';
import { HashEmbeddingModel, withMembers } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { qdrantMissing } from '../services/qdrant/provided-qdrant.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const NONE = { episodes: 0, facts: 0, entities: 0, vectors: 0, keywords: 0 };
const KEPT = { userId: 'u-kept' };
const FORGOTTEN = { userId: 'u-forgotten' };

function away(code: 'MODEL_UNAVAILABLE' | 'MODEL_REJECTED') {
  const embed = async () => {
    throw new MemoryError(code, 'The server is not there.');
  };
  return withMembers(new HashEmbeddingModel(), { embed });
}

/** A model of a server: it knows its dimensions only from an answer. */
function awayFromTheStart(code: 'MODEL_UNAVAILABLE' | 'MODEL_REJECTED') {
  const model = away(code);
  return new Proxy(model, { get: (target, key) => (key === 'dimensions' ? undefined : Reflect.get(target, key)) });
}

// The file says which vectors it holds; on Qdrant each model has a collection of its own.
describe.runIf(qdrantMissing)('forget without the embedding model', () => {
  it.each([
    ['that can not be reached', awayFromTheStart('MODEL_UNAVAILABLE')],
    ['that refuses', awayFromTheStart('MODEL_REJECTED')],
    ['of other dimensions than the file', new HashEmbeddingModel(32)],
    ['of another name', new HashEmbeddingModel(64, 'another')],
  ])('%s takes all of it out of the graph and of both indexes', async (_, embedding) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const first = openTestMemory({ path });
    await first.memory.store('Ana keeps two sheep.', FORGOTTEN);
    await first.memory.store('Odd keeps a goat.', KEPT);
    await first.memory.close();

    const second = openTestMemory({ path, embedding });
    expect(await second.memory.forget(FORGOTTEN)).toMatchObject({ erased: { episodes: 1 }, remaining: NONE, degraded: [] });
    expect(await second.memory.users()).toEqual(['u-kept']);
    await second.memory.close();

    const third = openTestMemory({ path });
    expect((await third.memory.retrieve('sheep', FORGOTTEN)).items).toEqual([]);
    expect((await third.memory.retrieve('goat', KEPT)).items).toHaveLength(1);
    expect(await third.memory.check()).toMatchObject({ drifted: [], missing: 0, orphaned: 0, records: 1 });
    await third.memory.close();
  });

  it('where there never was one: the words go, and the receipt says that there is no index yet', async () => {
    const { memory } = openTestMemory({ embedding: awayFromTheStart('MODEL_REJECTED') });
    const receipt = await memory.store('Ana keeps two sheep.', FORGOTTEN);
    expect(receipt).toMatchObject({ episodes: [{ created: true }], indexed: false });
    expect(await memory.forget(FORGOTTEN)).toMatchObject({ erased: { episodes: 1 }, degraded: [expect.stringContaining('INDEX_UNAVAILABLE')] });
    expect(await memory.episodes(FORGOTTEN)).toEqual([]);
  });
});
