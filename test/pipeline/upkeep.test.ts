import { join } from 'node:path';
import { MemoryError } from '@tandem-memory/core';
import { FixedClock, HashEmbeddingModel, injectFaults } from '@tandem-memory/core/testing';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FailingEmbeddingModel, failureOf, openTestMemory, reply } from './open-test-memory.ts';

/** Refuses texts with the word `cursed`, as a server refuses a text that is too long. */
class PickyEmbeddingModel extends HashEmbeddingModel {
  calls = 0;
  healed = false;

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.calls += 1;
    if (!this.healed && texts.some((text) => text.includes('cursed'))) throw new MemoryError('MODEL_REJECTED', 'The input is not accepted.');
    return super.embed(texts);
  }
}

describe('a record that the embedding model refuses', () => {
  it('is set aside with the reason, and blocks nothing that comes with it or after it', async () => {
    const embedding = new PickyEmbeddingModel();
    const { memory } = openTestMemory({ embedding });
    const turns = Array.from({ length: 20 }, (_, i) => ({ role: 'user' as const, content: i === 7 ? 'a cursed text' : `turn ${i} about owls` }));
    const receipt = await memory.store(turns, { userId: 'u', infer: false });
    const cursed = receipt.episodes[7]?.id;
    expect(receipt).toMatchObject({ indexed: false, degraded: [expect.stringContaining(`not in an index: episode ${cursed}: MODEL_REJECTED`)] });
    const stats = await memory.stats('u');
    expect(stats).toMatchObject({ episodes: 20, vectors: 19, keywords: 19, outbox: 0 });
    expect(stats.relay.refused).toMatchObject([
      { userId: 'u', kind: 'episode', recordId: cursed, reason: expect.stringContaining('MODEL_REJECTED') },
    ]);
    expect(await memory.store('after it', { userId: 'u', infer: false })).toMatchObject({ indexed: true, degraded: [] });

    const check = await memory.check('u');
    expect(check).toMatchObject({ missing: 1, orphaned: 0, refused: [{ recordId: cursed }], drifted: [{ vectors: { missing: [cursed] } }] });
    expect((await memory.repair('u')).after.missing).toBe(1);
    embedding.healed = true;
    expect((await memory.repair('u')).after).toMatchObject({ missing: 0, refused: [], drifted: [] });
    expect((await memory.retrieve('cursed', { userId: 'u', topK: 1 })).items[0]?.id).toBe(cursed);
  });

  it('is not what a wrong key looks like: then everything waits', async () => {
    const embedding = new FailingEmbeddingModel();
    embedding.failure = new MemoryError('MODEL_REJECTED', 'The key is wrong.');
    const { memory } = openTestMemory({ embedding });
    expect(
      await memory.store(
        ['one', 'two'].map((content) => ({ role: 'user', content })),
        { userId: 'u', infer: false },
      ),
    ).toMatchObject({ indexed: false });
    expect(await memory.stats('u')).toMatchObject({ vectors: 0, outbox: 2, relay: { refused: [] } });
    embedding.failure = undefined;
    await memory.flush();
    expect(await memory.stats('u')).toMatchObject({ vectors: 2, outbox: 0 });
  });
});

describe('an index that is down', () => {
  it('is asked less and less often, and catches up by itself with a later call', async () => {
    const clock = new FixedClock();
    let down = true;
    let upserts = 0;
    const { memory } = openTestMemory({
      clock,
      wrapVectors: (vectors) =>
        injectFaults(vectors, (method) => {
          if (method !== 'upsert') return;
          upserts += 1;
          if (down) throw new MemoryError('INDEX_UNAVAILABLE', 'refused');
        }),
    });
    const store = (text: string) => memory.store(text, { userId: 'u', infer: false });
    for (let i = 0; i < 6; i++) {
      const receipt = await store(`text ${i}`);
      expect(receipt.indexed).toBe(false);
      expect(receipt.degraded.join()).toContain('INDEX_UNAVAILABLE');
    }
    // The second call tries again at once, the others fall into the pause that follows.
    expect(upserts).toBe(2);
    expect((await memory.stats('u')).relay.failure).toMatchObject({ code: 'INDEX_UNAVAILABLE', attempts: 2 });
    clock.advance(1_000);
    await store('after a second');
    expect(upserts).toBe(3);
    clock.advance(1_000);
    await store('too early');
    expect(upserts).toBe(3);
    down = false;
    clock.advance(1_000);
    expect(await store('back')).toMatchObject({ indexed: true, degraded: [] });
    expect(await memory.stats('u')).toMatchObject({ episodes: 9, vectors: 9, keywords: 9, outbox: 0, relay: { refused: [] } });
    expect((await memory.stats('u')).relay.failure).toBeUndefined();
  });

  it('does not stop flush() from trying, which was asked for by name', async () => {
    let down = true;
    const { memory } = openTestMemory({
      wrapVectors: (vectors) =>
        injectFaults(vectors, (method) => {
          if (method === 'upsert' && down) throw new MemoryError('INDEX_UNAVAILABLE', 'refused');
        }),
    });
    for (let i = 0; i < 3; i++) await memory.store(`text ${i}`, { userId: 'u', infer: false });
    down = false;
    await memory.flush();
    expect(await memory.stats('u')).toMatchObject({ vectors: 3, outbox: 0 });
  });
});

describe('check and repair', () => {
  it('find and mend what an index lost and what it has too much of, and nothing of other users', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const { memory } = openTestMemory({ path, embedded: true, replies: [reply(['Ilse grows saffron'], [['Ilse', 'person']])] });
    for (const userId of ['ilse', 'otto']) for (const text of ['one', 'two', 'three']) await memory.store(`${text} of ${userId}`, { userId });
    expect(await memory.check()).toMatchObject({ users: 2, records: 8, missing: 0, orphaned: 0, drifted: [], outbox: { waiting: 0 } });
    const before = (await memory.retrieve('saffron', { userId: 'ilse' })).items;

    using database = new SqliteDatabase({ path });
    const embedding = new HashEmbeddingModel();
    const [vectors, keywords] = [new EmbeddedVectorIndex({ database }), new EmbeddedKeywordIndex({ database })];
    await Promise.all([vectors.open(embedding), keywords.open()]);
    const ids = await vectors.ids('ilse', 10);
    await vectors.delete('ilse', ids.slice(0, 2));
    await keywords.delete('ilse', ids.slice(1, 3));
    const [vector = new Float32Array()] = await embedding.embed(['ghost']);
    await keywords.upsert([
      { id: 'ghost', userId: 'otto', kind: 'episode', at: '2024-01-01T00:00:00.000Z', vector, terms: [{ term: 'ghost', weight: 1 }] },
    ]);

    expect(await memory.check()).toMatchObject({ missing: 3, orphaned: 1 });
    expect(await memory.check('otto')).toMatchObject({
      missing: 0,
      orphaned: 1,
      users: 1,
      drifted: [{ userId: 'otto', keywords: { orphaned: ['ghost'] } }],
    });
    expect((await memory.repair('otto')).after).toMatchObject({ orphaned: 0 });
    expect(await memory.check()).toMatchObject({ missing: 3, orphaned: 0 });
    const { before: found, after } = await memory.repair();
    expect(found.missing).toBe(3);
    expect(after).toMatchObject({ missing: 0, orphaned: 0, drifted: [] });
    expect((await memory.retrieve('saffron', { userId: 'ilse' })).items).toEqual(before);
    await memory.close();
  });

  it('what waits in the outbox is no drift, and its age is told', async () => {
    const embedding = new FailingEmbeddingModel();
    const clock = new FixedClock('2026-03-01T10:00:00.000Z');
    const { memory } = openTestMemory({ embedding, clock });
    embedding.failure = new MemoryError('MODEL_UNAVAILABLE', 'down');
    await memory.store('one', { userId: 'u', infer: false });
    expect(await memory.check()).toMatchObject({ missing: 0, drifted: [], outbox: { waiting: 1, oldest: '2026-03-01T10:00:00.000Z' } });
  });

  it('a record that is erased while it is being indexed does not come back', async () => {
    let erased = false;
    const { memory } = openTestMemory({
      wrapGraph: (graph) =>
        new Proxy(graph, {
          get(target, key) {
            const member: unknown = Reflect.get(target, key, target);
            if (key === 'getEpisodes') return async (userId: string, ids: readonly string[]) => (erased ? [] : target.getEpisodes(userId, ids));
            return typeof member === 'function' ? member.bind(target) : member;
          },
        }),
      wrapVectors: (vectors) =>
        injectFaults(vectors, (method, moment) => {
          if (method === 'upsert' && moment === 'after') erased = true;
        }),
    });
    await memory.store('secret', { userId: 'u', infer: false });
    expect(await memory.stats('u')).toMatchObject({ vectors: 0, keywords: 0, outbox: 0 });
  });
});

describe('reindex', () => {
  it('takes a memory to another embedding model, of another size, with everything in it', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const first = openTestMemory({ path, embedding: new HashEmbeddingModel(64, 'old'), replies: [reply(['Ilse grows saffron'])] });
    for (const userId of ['ilse', 'otto'])
      await first.memory.store(
        [
          { role: 'user', content: `hello from ${userId}` },
          { role: 'user', content: 'saffron' },
        ],
        { userId, sessionId: 's' },
      );
    await first.memory.close();

    const { memory } = openTestMemory({ path, embedding: new HashEmbeddingModel(32, 'new') });
    expect((await failureOf(memory.retrieve('saffron', { userId: 'ilse' }))).code).toBe('DIMENSION_MISMATCH');
    const seen: number[] = [];
    const result = await memory.reindex({ progress: (done) => seen.push(done) });
    expect(result).toMatchObject({ users: 2, records: 6, refused: [], after: { missing: 0, orphaned: 0 } });
    expect(seen.at(-1)).toBe(6);
    expect(await memory.stats()).toMatchObject({ vectors: 6, keywords: 6, dimensions: 32 });
    expect((await memory.retrieve('saffron', { userId: 'ilse', sessionId: 's' })).items.length).toBeGreaterThan(0);
    await memory.store('more', { userId: 'ilse', infer: false });
    await memory.close();

    const again = openTestMemory({ path, embedding: new HashEmbeddingModel(32, 'new') });
    expect(await again.memory.check()).toMatchObject({ records: 7, missing: 0, orphaned: 0 });
    await again.memory.close();
  });

  it('that is given up half-way leaves nothing that repair does not mend', async () => {
    const { memory } = openTestMemory({ options: { indexing: { batchSize: 2 } } });
    await memory.store(
      Array.from({ length: 9 }, (_, i) => ({ role: 'user' as const, content: `turn ${i}` })),
      { userId: 'u', infer: false },
    );
    const abort = new AbortController();
    const progress = (done: number) => (done >= 4 ? abort.abort() : undefined);
    expect((await failureOf(memory.reindex({ progress, signal: abort.signal }))).code).toBe('ABORTED');
    expect((await memory.repair()).after).toMatchObject({ records: 9, missing: 0, orphaned: 0 });
    expect(await memory.stats('u')).toMatchObject({ vectors: 9, keywords: 9 });
  });
});
