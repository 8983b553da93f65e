import { join } from 'node:path';
import { MemoryError } from '@tandem-memory/core';
import { HashEmbeddingModel, injectFaults } from '@tandem-memory/core/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { failureOf, openTestMemory, reply } from '../pipeline/open-test-memory.ts';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SAFFRON = reply(
  ['Ilse grows saffron'],
  [
    ['Ilse', 'person'],
    ['saffron', 'object'],
  ],
  [['Ilse', 'grows', 'saffron']],
);
/** Short, so that a server that never answers does not hold the tests up; long enough for one that does. */
const DEADLINES = { deadlines: { recallMs: 1_500, expandMs: 1_500, indexMs: 1_500 } };

describe.skipIf(qdrantMissing)('a memory on Qdrant', () => {
  const indexes = new TestIndexes(qdrantServer);
  afterAll(() => indexes.clear());

  const TURNS = [
    ['ada', 'monday', 'Marek fixed the scanners in the Kestrel depot.'],
    ['ada', 'monday', 'The scanners broke after the firmware update.'],
    ['ada', 'tuesday', '우리는 금요일에 바다에 갔다.'],
    ['ada', 'tuesday', 'Where does Marek live now?'],
    ['ada', 'tuesday', 'He moved from Lindby to Corran in May.'],
    ['bob', 'monday', 'Marek plays chess in Corran.'],
    ['ada', 'monday', 'Lunch was soup and bread 🍞.'],
  ] as const;

  it('recalls what the embedded indexes recall, in the same order, for the same user', async () => {
    const onQdrant = openTestMemory({ index: indexes.make({ averageLength: 40 }) });
    const embedded = openTestMemory();
    for (const { memory } of [onQdrant, embedded]) {
      for (const [userId, sessionId, text] of TURNS)
        expect(await memory.store(text, { userId, sessionId })).toMatchObject({ indexed: true, degraded: [] });
    }
    for (const question of ['Who fixed the scanners?', 'Marek', 'Corran', '바다', 'soup']) {
      for (const scope of [{ userId: 'ada' }, { userId: 'bob' }, { userId: 'ada', sessionId: 'monday' }]) {
        const [found, expected] = await Promise.all([onQdrant.memory.retrieve(question, scope), embedded.memory.retrieve(question, scope)]);
        expect(new Set(found.items.map((item) => item.text)), question).toEqual(new Set(expected.items.map((item) => item.text)));
        expect(found.items[0]?.text, question).toBe(expected.items[0]?.text);
        expect(found.degraded).toEqual([]);
      }
    }
    expect(await onQdrant.memory.stats('ada')).toMatchObject({ episodes: 6, vectors: 6, keywords: 6, outbox: 0, vectorIndex: 'qdrant' });
    expect(await onQdrant.memory.check()).toMatchObject({ missing: 0, orphaned: 0, records: 7 });
  });

  it('writes each record once, though it is both indexes', async () => {
    let upserts = 0;
    const index = injectFaults(indexes.make(), (method, moment) => {
      if (method === 'upsert' && moment === 'before') upserts += 1;
    });
    const { memory } = openTestMemory({ index });
    await memory.store('one', { userId: 'u', infer: false });
    expect(upserts).toBe(1);
  });

  it('one user never sees another, whatever the words have in common', async () => {
    const { memory } = openTestMemory({
      index: indexes.make(),
      replies: [
        reply(
          ['Dana works at Harbor Cafe'],
          [
            ['Dana', 'person'],
            ['Harbor Cafe', 'place'],
          ],
          [['Dana', 'works_at', 'Harbor Cafe']],
        ),
        reply(
          ['Harbor Cafe owes rent to Mr. Pell'],
          [
            ['Harbor Cafe', 'place'],
            ['Mr. Pell', 'person'],
          ],
          [['Harbor Cafe', 'owes_rent_to', 'Mr. Pell']],
        ),
        reply(
          ['Dana plays chess'],
          [
            ['Dana', 'person'],
            ['chess', 'concept'],
          ],
          [['Dana', 'plays', 'chess']],
        ),
      ],
    });
    await memory.store('Dana works at Harbor Cafe', { userId: 'rosa' });
    await memory.store('Harbor Cafe owes rent to Mr. Pell', { userId: 'rosa' });
    await memory.store('Dana plays chess', { userId: 'ivan' });
    const seen = JSON.stringify([
      await memory.retrieve('Dana', { userId: 'ivan', hops: 2 }),
      await memory.retrieve('Harbor Cafe', { userId: 'ivan' }),
      await memory.stats('ivan'),
    ]);
    expect(seen).toContain('chess');
    for (const secret of ['Harbor Cafe owes', 'works', 'Pell', 'rosa']) expect(seen).not.toContain(secret);
    const own = (await memory.retrieve('Dana', { userId: 'rosa', hops: 2 })).items.map((item) => item.text).join();
    expect(own).toContain('Harbor Cafe');
    expect(own).not.toContain('chess');
  });

  it('reindexes into another model while the old index answers', async () => {
    const index = indexes.make();
    const { memory } = openTestMemory({ index });
    for (const [userId, sessionId, text] of TURNS) await memory.store(text, { userId, sessionId });
    const other = openTestMemory({
      index: indexes.make({ collectionPrefix: indexes.prefixOf(index) }),
      embedding: new HashEmbeddingModel(32, 'next'),
    });
    expect((await failureOf(other.memory.store('x', { userId: 'ada' }))).code).toBe('DIMENSION_MISMATCH');
    expect((await memory.retrieve('scanners', { userId: 'ada' })).degraded).toEqual([]);
    await memory.close();
  });

  describe.skipIf(!qdrantServer.url.startsWith('http://'))('when servers fail', () => {
    async function saffronMemory(proxy: TcpProxy, graphFault?: (method: string) => Promise<void> | void) {
      const index = new TestIndexes({ ...qdrantServer, url: proxy.url }).make({ timeoutMs: 1_000 });
      const opened = openTestMemory({
        index,
        replies: [SAFFRON, reply(['Otto sells tea'])],
        options: DEADLINES,
        wrapGraph: (graph) => injectFaults(graph, (method, moment) => (moment === 'before' ? graphFault?.(method) : undefined)),
      });
      return opened.memory;
    }
    it.each(['refuse', 'hang', 'cut'] as const)(
      'vectors that %s: graph answers and says so, writes wait, and follow by themselves',
      async (state) => {
        await using proxy = await TcpProxy.to(qdrantServer.url);
        const memory = await saffronMemory(proxy);
        await memory.store('Ilse grows saffron', { userId: 'u-dn' });
        await proxy.become(state);
        const context = await memory.retrieve('saffron', { userId: 'u-dn' });
        expect(context.items.map((item) => item.text).join()).toContain('Ilse grows saffron');
        expect(context.degraded).toEqual([expect.stringMatching(/^vector search unavailable/), expect.stringMatching(/^keyword search unavailable/)]);
        expect((await memory.retrieve('saffron', { userId: 'nobody' })).items).toEqual([]);
        expect((await memory.retrieve('saffron', { userId: 'u-dn', sessionId: 'another' })).items).toEqual([]);

        const receipt = await memory.store('Otto sells tea', { userId: 'u-dn' });
        expect(receipt).toMatchObject({ indexed: false, episodes: [{ state: 'extracted' }] });
        expect(receipt.degraded.join()).toMatch(/INDEX_UNAVAILABLE|TIMEOUT/);
        expect(await memory.stats()).toMatchObject({ vectors: undefined, outbox: 3, episodes: 2 });
        await proxy.become('pass');
        expect(await memory.store('Back again', { userId: 'u-dn', infer: false })).toMatchObject({ indexed: true });
        expect(await memory.check()).toMatchObject({ missing: 0, orphaned: 0, outbox: { waiting: 0 } });
        expect((await memory.retrieve('tea', { userId: 'u-dn' })).degraded).toEqual([]);
      },
    );

    it('vectors down at the start: it opens, stores, and works when they are there, without a restart', async () => {
      await using proxy = await TcpProxy.to(qdrantServer.url);
      await proxy.become('refuse');
      const memory = await saffronMemory(proxy);
      expect(await memory.store('Ilse grows saffron', { userId: 'u' })).toMatchObject({ indexed: false });
      const context = await memory.retrieve('saffron', { userId: 'u' });
      expect(context.items.map((item) => item.text).join()).toContain('saffron');
      expect(context.degraded.length).toBe(2);
      await proxy.become('pass');
      await memory.flush();
      expect((await memory.retrieve('saffron', { userId: 'u' })).degraded).toEqual([]);
      expect(await memory.stats()).toMatchObject({ vectors: 3, outbox: 0 });
    });

    it.each([
      ['refuses', () => Promise.reject(new MemoryError('GRAPH_UNAVAILABLE', 'refused'))],
      ['never answers', () => new Promise<void>(() => undefined)],
    ])('a graph that %s: vectors answer and say so, writes are refused', async (name, fail) => {
      await using proxy = await TcpProxy.to(qdrantServer.url);
      let down = false;
      const memory = await saffronMemory(proxy, (method) => (down && method !== 'close' ? fail() : undefined));
      await memory.store('Ilse grows saffron', { userId: 'u-dn' });
      down = true;
      const context = await memory.retrieve('Who grows saffron?', { userId: 'u-dn' });
      expect(context.items.map((item) => item.text).join()).toContain('Ilse grows saffron');
      expect(context.degraded).toEqual([expect.stringMatching(/^graph unavailable/)]);
      expect(context.timings['recall']).toBeDefined();
      if (name === 'refuses') expect((await failureOf(memory.store('Otto sells tea', { userId: 'u-dn' }))).code).toBe('GRAPH_UNAVAILABLE');

      await proxy.become('refuse');
      const error = await failureOf(memory.retrieve('saffron', { userId: 'u-dn' }));
      expect(error).toMatchObject({ retryable: true });
      expect(error.message).toContain('Nothing can answer');
      down = false;
      await proxy.become('pass');
      expect(await memory.retrieve('saffron', { userId: 'u-dn' })).toMatchObject({ degraded: [] });
    });

    it('a graph that is down at the start: what is indexed answers, and the graph is taken in when it is there', async () => {
      await using proxy = await TcpProxy.to(qdrantServer.url);
      using folder = temporaryFolder();
      const path = join(folder.path, 'memory.db');
      const index = indexes.make();
      const before = openTestMemory({ path, index, replies: [SAFFRON] });
      await before.memory.store('Ilse grows saffron', { userId: 'u' });
      await before.memory.close();
      let down = true;
      const { memory } = openTestMemory({
        path,
        index: new TestIndexes({ ...qdrantServer, url: proxy.url }).make({ collectionPrefix: indexes.prefixOf(index) }),
        wrapGraph: (graph) =>
          injectFaults(graph, () => {
            if (down) throw new MemoryError('GRAPH_UNAVAILABLE', 'no server');
          }),
      });
      const context = await memory.retrieve('saffron', { userId: 'u' });
      expect(context.items.map((item) => item.text).join()).toContain('Ilse grows saffron');
      expect(context.degraded).toEqual(['graph unavailable (GRAPH_UNAVAILABLE)']);
      expect((await memory.retrieve('saffron', { userId: 'nobody' })).items).toEqual([]);
      expect((await failureOf(memory.store('x', { userId: 'u' }))).code).toBe('GRAPH_UNAVAILABLE');
      down = false;
      expect(await memory.store('x', { userId: 'u', infer: false })).toMatchObject({ indexed: true });
      expect((await memory.retrieve('saffron', { userId: 'u' })).degraded).toEqual([]);
      await memory.close();
    });

    it('hides no defect behind an answer', async () => {
      await using proxy = await TcpProxy.to(qdrantServer.url);
      let broken = false;
      const memory = await saffronMemory(proxy, () => {
        if (broken) throw new SyntaxError('Invalid input: expected MATCH');
      });
      await memory.store('Ilse grows saffron', { userId: 'u' });
      broken = true;
      await expect(memory.retrieve('saffron', { userId: 'u' })).rejects.toThrow(SyntaxError);
    });
  });
});
