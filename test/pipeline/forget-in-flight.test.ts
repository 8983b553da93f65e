import { join } from 'node:path';
import type { ForgetOptions, Memory } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { NOTHING, openTestMemory, replaceMethod, reply } from './open-test-memory.ts';

const userId = 'u';
const REPLY = reply(
  ['Dana moved to Corran.'],
  [
    ['Dana', 'person'],
    ['Corran', 'place'],
  ],
  [['Dana', 'moved to', 'Corran']],
);

/** A memory whose model holds its first answer until told; `asked` resolves when the model was asked. */
function heldModel(path?: string) {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const { memory, model } = openTestMemory({
    ...(path === undefined ? {} : { path }),
    replies: [
      async () => {
        asked.resolve();
        await release.promise;
        return REPLY;
      },
      REPLY,
    ],
  });
  return { memory, model, asked: asked.promise, release: () => release.resolve() };
}

const isEmpty = async (memory: Memory) => {
  expect(await memory.stats(userId)).toMatchObject({ episodes: 0, facts: 0, entities: 0, vectors: 0, keywords: 0, outbox: 0 });
};

const HITS: [string, Omit<ForgetOptions, 'userId'>][] = [
  ['the user', {}],
  ['its session', { sessionId: 's' }],
  ['its source', { sourceId: 'chat.jsonl' }],
  ['its agent', { agentId: 'bot' }],
  ['its session and source', { sessionId: 's', sourceId: 'chat.jsonl' }],
  ['what was said before now', { before: '2026-06-16' }],
];
const MISSES: [string, Omit<ForgetOptions, 'userId'>][] = [
  ['another session', { sessionId: 't' }],
  ['its session of another source', { sessionId: 's', sourceId: 'other.jsonl' }],
  ['what was said long before', { before: '2020-01-01' }],
  ['another id', { ids: ['no such id'] }],
];

describe('a forget while the model reads the turn', () => {
  for (const [name, what] of HITS) {
    it(`of ${name} wins`, async () => {
      const { memory, asked, release } = heldModel();
      const storing = memory.store('Dana moved to Corran.', { userId, sessionId: 's', agentId: 'bot', sourceId: 'chat.jsonl' });
      await asked;
      await memory.forget({ userId, ...what });
      release();
      const receipt = await storing;
      expect([receipt.episodes, receipt.facts, receipt.entities]).toEqual([[], [], []]);
      expect(receipt.skipped).toEqual([{ item: 'message', reason: 'forgotten while it was being stored' }]);
      await isEmpty(memory);
    });
  }

  for (const [name, what] of MISSES) {
    it(`of ${name} takes nothing from it`, async () => {
      const { memory, asked, release } = heldModel();
      const storing = memory.store('Dana moved to Corran.', { userId, sessionId: 's', agentId: 'bot', sourceId: 'chat.jsonl' });
      await asked;
      await memory.forget({ userId, ...what });
      release();
      expect(await storing).toMatchObject({ episodes: [{ state: 'extracted', created: true }], indexed: true, skipped: [] });
      expect(await memory.stats(userId)).toMatchObject({ episodes: 1, facts: 2, outbox: 0 });
    });
  }

  it('of its id wins, also over the fact that it would tell', async () => {
    const { memory, asked, release } = heldModel();
    const storing = memory.store('Dana moved to Corran.', { userId });
    await asked;
    const [saved] = await memory.episodes({ userId });
    await memory.delete(saved?.id ?? '', { userId });
    release();
    expect((await storing).episodes).toEqual([]);
    await isEmpty(memory);
  });

  it.each(['Dana', '다나'])('of an entity that it names (%s) wins', async (name) => {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const held = async () => {
      asked.resolve();
      await release.promise;
      return reply([], [[name, 'person']]);
    };
    const { memory } = openTestMemory({ replies: [reply([], [[name, 'person']]), held, NOTHING] });
    await memory.store(`${name} sings.`, { userId });
    const storing = memory.store(
      [
        { role: 'user', content: `Yesterday ${name} moved.` },
        { role: 'user', content: 'It rains.' },
      ],
      { userId },
    );
    await asked.promise;
    await memory.forget({ userId, entity: name });
    release.resolve();
    expect((await storing).episodes).toHaveLength(1);
    expect((await memory.episodes({ userId })).map((episode) => episode.content)).toEqual(['It rains.']);
    expect(await memory.entities({ userId })).toEqual([]);
  });

  it('of another user takes nothing, and asks the model no second time', async () => {
    const { memory, model, asked, release } = heldModel();
    const storing = memory.store('Dana moved to Corran.', { userId });
    await asked;
    await memory.forget({ userId: 'other' });
    release();
    expect((await storing).facts).toHaveLength(2);
    expect(model.requests).toHaveLength(1);
  });

  it('by another process wins', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const { memory, asked, release } = heldModel(path);
    const { memory: elsewhere } = openTestMemory({ path });
    const storing = memory.store('Dana moved to Corran.', { userId });
    await asked;
    expect(await elsewhere.forget({ userId })).toMatchObject({ erased: { episodes: 1 } });
    release();
    expect((await storing).episodes).toEqual([]);
    await isEmpty(memory);
    await isEmpty(elsewhere);
    await memory.close();
    await elsewhere.close();
  });

  it('lets what is stored afterwards stay', async () => {
    const { memory, asked, release } = heldModel();
    const storing = memory.store('Dana moved to Corran.', { userId });
    await asked;
    await memory.forget({ userId });
    release();
    await storing;
    await memory.store('Dana moved to Corran.', { userId });
    expect(await memory.stats(userId)).toMatchObject({ episodes: 1, facts: 2, outbox: 0 });
  });
});

describe('a forget while a turn', () => {
  it('waits to be saved wins', async () => {
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    let hold = false;
    const { memory } = openTestMemory({
      wrapGraph: (graph) =>
        replaceMethod(graph, 'getEpisodes', async (user, ids) => {
          if (hold) {
            hold = false;
            asked.resolve();
            await release.promise;
          }
          return graph.getEpisodes(user, ids);
        }),
    });
    await memory.flush();
    hold = true;
    const storing = memory.store('Dana moved to Corran.', { userId });
    await asked.promise;
    await memory.forget({ userId });
    release.resolve();
    expect((await storing).episodes).toEqual([]);
    await isEmpty(memory);
  });

  it('is being embedded wins, also by another process', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const asked = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    class HeldEmbedding extends HashEmbeddingModel {
      override async embed(texts: readonly string[]): Promise<Float32Array[]> {
        if (!texts.some((text) => text.includes('Dana'))) return super.embed(texts);
        asked.resolve();
        await release.promise;
        return super.embed(texts);
      }
    }
    const { memory } = openTestMemory({ path, embedding: new HeldEmbedding() });
    const { memory: elsewhere } = openTestMemory({ path });
    const storing = memory.store('Dana moved to Corran.', { userId });
    await asked.promise;
    await elsewhere.forget({ userId });
    release.resolve();
    await storing;
    await isEmpty(memory);
    await memory.close();
    await elsewhere.close();
  });
});
