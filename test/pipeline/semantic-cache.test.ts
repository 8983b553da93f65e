import { MemoryError } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { FailingEmbeddingModel, openTestMemory } from './open-test-memory.ts';

async function openCached(similarity?: number) {
  const embedding = new FailingEmbeddingModel();
  const { memory } = openTestMemory({ embedding, options: { cache: similarity === undefined ? {} : { similarity } } });
  for (const userId of ['u', 'v']) await memory.store('Marit works at pier 31 in Corran.', { userId, infer: false });
  const ask = (question: string, options: object = {}) => memory.retrieve(question, { userId: 'u', ...options });
  const cache = async () => (await memory.stats()).cache;
  return { memory, ask, cache, embedding };
}

describe('the semantic cache', () => {
  it('is off by default', async () => {
    const { memory } = openTestMemory();
    await memory.store('tea', { userId: 'u', infer: false });
    await memory.retrieve('tea', { userId: 'u' });
    expect(await memory.retrieve('tea', { userId: 'u' })).not.toHaveProperty('cachedFrom');
    expect(await memory.stats()).not.toHaveProperty('cache');
  });

  it('answers a question of the same meaning, says from which, and counts', async () => {
    const { ask, cache } = await openCached();
    const first = await ask('Where does Marit work?');
    const second = await ask('Where is Marit working?');
    expect(first).not.toHaveProperty('cachedFrom');
    expect(second).toMatchObject({ query: 'Where is Marit working?', cachedFrom: 'Where does Marit work?', items: first.items, text: first.text });
    expect(await cache()).toEqual({ entries: 1, hits: 1, misses: 1, hitRate: 0.5 });
  });

  it('keeps users, sessions and options apart', async () => {
    const { ask, cache } = await openCached();
    for (const options of [{}, { userId: 'v' }, { sessionId: 's' }, { budget: 50 }, { budget: Number.POSITIVE_INFINITY }, { topK: 1 }, { hops: 0 }])
      expect(await ask('Where does Marit work?', options)).not.toHaveProperty('cachedFrom');
    expect(await cache()).toMatchObject({ hits: 0, misses: 7 });
  });

  it.each([
    ['Is pier 31 open?', 'Is pier 32 open?'],
    ['Does Marit like tea?', 'Does Marit not like tea?'],
    ['Why does Marit come?', "Why doesn't Marit come?"],
    ['Where does Marit work?', 'When does Marit work?'],
    ['Where does Marit work?', 'Where does Mina work?'],
    ['Did Ana pay Bob?', 'Did Bob pay Ana?'],
    ['마릿은 어디에서 일해?', '마릿은 언제부터 일해?'],
    ['Where does Marit work?', 'Where can the whole team buy cheap bread on Sundays?'],
  ])('has the wrong answer guarded, however alike the vectors: %j, %j', async (one, other) => {
    const { ask } = await openCached(0);
    await ask(one);
    expect(await ask(other)).not.toHaveProperty('cachedFrom');
    expect(await ask(one)).toHaveProperty('cachedFrom', one);
  });

  it('guards names of the graph in lower case as well', async () => {
    const { memory } = openTestMemory({ options: { cache: { similarity: 0 } } });
    const triples = [['marit', 'works at', 'the pier'] as const, ['mina', 'works at', 'the school'] as const];
    await memory.store([{ role: 'user', content: 'Who works where.', triples }], { userId: 'u', infer: false });
    await memory.retrieve('where does marit work', { userId: 'u' });
    expect(await memory.retrieve('where does mina work', { userId: 'u' })).not.toHaveProperty('cachedFrom');
  });

  it("is emptied by a write of the same user, and not by another user's", async () => {
    const { memory, ask } = await openCached();
    await ask('Where does Marit work?');
    await memory.store('Elsewhere.', { userId: 'v', infer: false });
    expect(await ask('Where does Marit work?')).toHaveProperty('cachedFrom');
    await memory.store('Marit works at pier 5 now.', { userId: 'u', infer: false });
    const after = await ask('Where does Marit work?');
    expect(after).not.toHaveProperty('cachedFrom');
    expect(after.items).toHaveLength(2);
  });

  it('keeps nothing that was degraded, and asks where it can not look up', async () => {
    const { ask, cache, embedding } = await openCached();
    embedding.failure = new MemoryError('MODEL_UNAVAILABLE', 'down');
    expect((await ask('Where does Marit work?')).degraded).toHaveLength(1);
    embedding.failure = undefined;
    expect(await ask('Where does Marit work?')).toMatchObject({ degraded: [] });
    expect(await cache()).toMatchObject({ hits: 0, entries: 1 });
  });

  it('keeps nothing of what was forgotten', async () => {
    const { memory, ask, cache } = await openCached();
    const first = await ask('Where does Marit work?');
    expect(first.items.length).toBeGreaterThan(0);
    await memory.forget({ userId: 'u', compact: false });
    expect(await cache()).toMatchObject({ entries: 0 });
    expect(await ask('Where does Marit work?')).toMatchObject({ items: [] });
  });

  it('drops what was not used longest, and refuses what retrieve() refuses', async () => {
    const { memory } = openTestMemory({ options: { cache: { entries: 2 } } });
    const ask = (question: string) => memory.retrieve(question, { userId: 'u' });
    for (const question of ['tea', 'boats', 'tea', 'bread']) await ask(question);
    expect(await ask('tea')).toHaveProperty('cachedFrom');
    expect(await ask('boats')).not.toHaveProperty('cachedFrom');
    await expect(ask(' ')).rejects.toMatchObject({ code: 'INPUT_EMPTY' });
    for (const topK of [-1, 5n as unknown as number])
      await expect(memory.retrieve('tea', { userId: 'u', topK })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });
});
