import { join } from 'node:path';
import {
  type EmbeddingModel,
  type Memory,
  MemoryError,
  type MessageInput,
  type StoreInput,
  type StoreOptions,
  type StoreProgress,
} from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FailingEmbeddingModel, failureOf, NOTHING, openTestMemory, replaceMethod, reply, shownMessages } from './open-test-memory.ts';

describe('input', () => {
  it.each(['', '  ', '\u200b', '\u00ad', '\u2800', '\u3164', '\0', ' \ufe0f\u061c\n', []])('%j makes no call and stores nothing', async (input) => {
    const embedding = new HashEmbeddingModel();
    const { memory, model } = openTestMemory({ embedding });
    expect(await memory.store(input, { userId: 'u' })).toMatchObject({ episodes: [], facts: [], indexed: true, degraded: [] });
    expect(model.requests).toEqual([]);
    expect(embedding.embedded).toBe(0);
    expect(await memory.stats()).toMatchObject({ episodes: 0, users: 0, vectors: 0, outbox: 0 });
  });

  it('that is wrong is refused before anything is written', async () => {
    const { memory } = openTestMemory();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const wrong: [unknown, unknown, string][] = [
      [
        [
          { role: 'user', content: 'good' },
          { role: 'user', content: 5 },
        ],
        { userId: 'u' },
        'INPUT_INVALID',
      ],
      [{ role: 'user', content: 'x', metadata: circle }, { userId: 'u' }, 'INPUT_INVALID'],
      ['x', { userId: 'u', at: 'soon' }, 'INPUT_INVALID'],
      ['x', {}, 'SCOPE_REQUIRED'],
      ['x', { userId: 'a\udc00' }, 'SCOPE_REQUIRED'],
    ];
    for (const [input, options, code] of wrong) expect((await failureOf(memory.store(input as StoreInput, options as StoreOptions))).code).toBe(code);
    expect(await memory.stats()).toMatchObject({ episodes: 0, users: 0 });
  });

  it('comes back letter for letter, whatever it spells', async () => {
    const texts = [
      '<|endoftext|>',
      "'; DROP TABLE graph_episode; --",
      '한국어 \u2028 👩‍🚀',
      ' leading and trailing \r\n',
      '{"$ne":null}',
      'x'.repeat(20_000),
    ];
    const { memory } = openTestMemory();
    await memory.store(
      texts.map((content) => ({ role: 'user' as const, content, name: content.slice(0, 50), metadata: { text: content } })),
      { userId: "u'; --", sessionId: texts[1] ?? '', infer: false },
    );
    const episodes = await memory.episodes({ userId: "u'; --" });
    expect(episodes.sort((a, b) => a.position - b.position).map((episode) => episode.content)).toEqual(texts);
    expect(episodes.map((episode) => episode.metadata['text'])).toEqual(texts);
  });

  it('in a long call tells how far it is, and where nothing is to be done says so at once', async () => {
    const { memory } = openTestMemory({ extractor: rulesExtractor() });
    const texts = Array.from({ length: 300 }, (_, index): MessageInput => ({ role: 'user', content: `turn ${index}` }));
    const told = async (messages: readonly MessageInput[]) => {
      const seen: StoreProgress[] = [];
      await memory.store(messages, { userId: 'u', sessionId: 's', onProgress: (progress) => seen.push(progress) });
      return seen;
    };
    expect(await told(texts)).toEqual([
      { read: 256, indexed: 0, total: 300 },
      { read: 300, indexed: 0, total: 300 },
      { read: 300, indexed: 128, total: 300 },
      { read: 300, indexed: 256, total: 300 },
      { read: 300, indexed: 300, total: 300 },
    ]);
    expect(await told(texts)).toEqual([]);
  });

  it('said twice is two turns, and repeated is none', async () => {
    const { memory, model } = openTestMemory();
    const call = [
      { role: 'user' as const, content: 'ok' },
      { role: 'user' as const, content: 'ok' },
    ];
    expect((await memory.store(call, { userId: 'u' })).episodes.map((episode) => episode.created)).toEqual([true, true]);
    expect((await memory.store(call, { userId: 'u' })).episodes.map((episode) => episode.created)).toEqual([false, false]);
    expect((await memory.episodes({ userId: 'u' })).map((episode) => episode.position).sort()).toEqual([0, 1]);
    expect(model.requests).toHaveLength(1);
  });

  it('kept verbatim is never shown to a model, and is found by its own words', async () => {
    const { memory, model } = openTestMemory({ replies: [reply(['User likes tea'])] });
    expect((await memory.store('I like tea.', { userId: 'u', infer: false })).episodes).toMatchObject([{ state: 'verbatim' }]);
    expect(model.requests).toEqual([]);
    expect((await memory.retrieve('tea', { userId: 'u' })).items).toHaveLength(1);
  });
});

describe('a long call', () => {
  it('shows the model, beside each part, what was said before that part and nothing later', async () => {
    const { memory, model } = openTestMemory({ options: { extraction: { turnsPerCall: 3, precedingTurns: 2 } } });
    await memory.store(
      Array.from({ length: 9 }, (_, i) => ({ role: 'user' as const, content: `turn ${i}` })),
      { userId: 'u', sessionId: 's' },
    );
    const turns = model.requests.map((request) =>
      [...(request.messages.at(-1)?.content.matchAll(/^turn \d$/gm) ?? [])].map((match) => match[0]).join(),
    );
    expect(turns.sort()).toEqual(['turn 0,turn 1,turn 2', 'turn 1,turn 2,turn 3,turn 4,turn 5', 'turn 4,turn 5,turn 6,turn 7,turn 8']);
  });
});

describe('a model that fails', () => {
  it('fails only the turns that it had to read', async () => {
    const { memory } = openTestMemory({ replies: [new MemoryError('MODEL_REJECTED', 'no')] });
    const receipt = await memory.store(
      [
        { role: 'user', content: 'Dana has news.', triples: [['Dana', 'works_at', 'Harbor Cafe']] },
        { role: 'user', content: 'Bo met Marek.' },
      ],
      { userId: 'u' },
    );
    expect(receipt.episodes.map((episode) => episode.state)).toEqual(['extracted', 'failed']);
    expect(receipt.facts).toMatchObject([{ text: 'Dana works at Harbor Cafe' }]);
  });
});

describe('threads', () => {
  it('show the model what was said before, and let a turn be found by the words before it', async () => {
    const { memory, model } = openTestMemory();
    await memory.store([{ role: 'user', content: 'Shall we buy the kayak?' }], { userId: 'u', sessionId: 's' });
    await memory.store([{ role: 'user', content: 'Yes, on Friday.' }], { userId: 'u', sessionId: 's' });
    await memory.store([{ role: 'user', content: 'Elsewhere.' }], { userId: 'u', sessionId: 't' });
    const prompts = model.requests.map((request) => JSON.stringify(request));
    expect(prompts.map((prompt) => prompt.includes('kayak'))).toEqual([true, true, false]);
    expect(shownMessages(model.requests[1] ?? { messages: [] }).map((message) => message.text)).toEqual(['Yes, on Friday.']);
    const { items } = await memory.retrieve('kayak', { userId: 'u' });
    const keyword = (text: string) => items.find((item) => item.text === text)?.channels.find((channel) => channel.channel === 'keyword')?.score ?? 0;
    expect(keyword('Yes, on Friday.')).toBeGreaterThan(0);
    expect(keyword('Shall we buy the kayak?')).toBeGreaterThan(keyword('Yes, on Friday.'));
    expect(keyword('Elsewhere.')).toBe(0);
  });
});

describe('the embedding model', () => {
  it('that fails leaves the turn stored and the indexes to catch up, without asking the language model again', async () => {
    const embedding = new FailingEmbeddingModel();
    const { memory, model } = openTestMemory({ embedding, replies: [reply(['User likes tea'])] });
    embedding.failure = new MemoryError('MODEL_RATE_LIMITED', 'busy', { retryAfterMs: 3000 });
    const receipt = await memory.store('I like tea.', { userId: 'u' });
    expect(receipt).toMatchObject({ indexed: false, episodes: [{ state: 'extracted' }], facts: [{ text: 'User likes tea' }] });
    expect(receipt.degraded.join()).toContain('MODEL_RATE_LIMITED');
    expect((await memory.stats('u')).outbox).toBeGreaterThan(0);
    expect((await failureOf(memory.flush())).code).toBe('MODEL_RATE_LIMITED');

    embedding.failure = undefined;
    await memory.flush();
    expect(await memory.stats('u')).toMatchObject({ outbox: 0, vectors: 2, keywords: 2 });
    expect((await memory.retrieve('tea', { userId: 'u' })).items.length).toBeGreaterThan(0);
    expect(model.requests).toHaveLength(1);
  });

  it('of another size or name is refused before anything is written', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const first = openTestMemory({ path, embedding: new HashEmbeddingModel(1536, 'big') });
    for (const text of ['one', 'two', 'three']) await first.memory.store(text, { userId: 'u', infer: false });
    await first.memory.close();

    const small = openTestMemory({ path, embedding: new HashEmbeddingModel(768, 'big') });
    for (const work of [
      () => small.memory.store('four', { userId: 'u' }),
      () => small.memory.retrieve('one', { userId: 'u' }),
      () => small.memory.flush(),
    ]) {
      const error = await failureOf(work());
      expect(error.code).toBe('DIMENSION_MISMATCH');
      expect(error.message).toContain('1536');
      expect(error.message).toContain('768');
    }
    expect((await small.memory.episodes({ userId: 'u' })).map((episode) => episode.content).sort()).toEqual(['one', 'three', 'two']);
    await small.memory.close();

    const other = openTestMemory({ path, embedding: new HashEmbeddingModel(1536, 'other') });
    expect((await failureOf(other.memory.store('four', { userId: 'u' }))).code).toBe('EMBEDDING_MODEL_MISMATCH');
    await other.memory.close();

    const again = openTestMemory({ path, embedding: new HashEmbeddingModel(1536, 'big') });
    expect(await again.memory.stats('u')).toMatchObject({ episodes: 3, vectors: 3, outbox: 0 });
    expect((await again.memory.retrieve('two', { userId: 'u', topK: 1 })).items.map((item) => item.text)).toEqual(['two']);
    await again.memory.close();
  });

  it('that does not know its size tells it by the first answer', async () => {
    const sized = new HashEmbeddingModel(768);
    const embedding: EmbeddingModel = {
      modelId: 'unsized',
      dimensions: undefined,
      maxBatchSize: 8,
      keywordWeight: 1,
      embed: (texts) => sized.embed(texts),
      close: async () => {},
    };
    const { memory } = openTestMemory({ embedding });
    expect(await memory.store('one', { userId: 'u' })).toMatchObject({ indexed: true });
    expect((await memory.retrieve('one', { userId: 'u' })).items).toHaveLength(1);
  });
});

describe('a store that is down', () => {
  it('is tried anew by the next call', async () => {
    let down = true;
    const { memory } = openTestMemory({
      wrapGraph: (graph) =>
        replaceMethod(graph, 'open', async () => {
          if (down) throw new MemoryError('GRAPH_UNAVAILABLE', 'no server');
          await graph.open();
        }),
    });
    expect((await failureOf(memory.store('x', { userId: 'u' }))).code).toBe('GRAPH_UNAVAILABLE');
    down = false;
    expect(await memory.store('x', { userId: 'u' })).toMatchObject({ indexed: true });
  });

  it('in the middle of a store leaves nothing half written, and nothing locked', async () => {
    let commits = 0;
    const { memory } = openTestMemory({
      replies: [reply(['User likes tea'], [['tea', 'object']])],
      wrapGraph: (graph) =>
        replaceMethod(graph, 'commit', async (changes) => {
          if (++commits === 2) throw new MemoryError('STORAGE_BUSY', 'another process writes');
          return graph.commit(changes);
        }),
    });
    expect((await failureOf(memory.store('I like tea', { userId: 'u' }))).code).toBe('STORAGE_BUSY');
    expect(await memory.stats()).toMatchObject({ episodes: 1, facts: 0, entities: 0 });
    expect(await memory.episodes({ userId: 'u' })).toMatchObject([{ state: 'pending', content: 'I like tea' }]);
    expect(await memory.store('I like tea', { userId: 'u' })).toMatchObject({ indexed: true, episodes: [{ state: 'extracted', created: false }] });
    expect(await memory.stats()).toMatchObject({ episodes: 1, facts: 1, entities: 1, vectors: 2, outbox: 0 });
  });
});

describe('ends', () => {
  it('an aborted call rejects with ABORTED, and the turn can be stored again', async () => {
    const abort = new AbortController();
    const { memory } = openTestMemory({ replies: [NOTHING] });
    abort.abort();
    expect((await failureOf(memory.store('x', { userId: 'u', signal: abort.signal }))).code).toBe('ABORTED');
    expect((await failureOf(memory.flush(abort.signal))).code).toBe('ABORTED');
    expect((await memory.store('x', { userId: 'u' })).episodes).toMatchObject([{ state: 'extracted' }]);
  });

  it('a call that is aborted while it waits for the index is stored, and says that it is not indexed', async () => {
    const abort = new AbortController();
    class Aborting extends HashEmbeddingModel {
      override async embed(texts: readonly string[]): Promise<Float32Array[]> {
        if (!texts.includes('x')) return super.embed(texts);
        abort.abort();
        throw new MemoryError('ABORTED', `The call was aborted (${texts.length} texts).`);
      }
    }
    const { memory } = openTestMemory({ embedding: new Aborting() });
    const receipt = await memory.store('x', { userId: 'u', infer: false, signal: abort.signal });
    expect(receipt).toMatchObject({ indexed: false, episodes: [{ state: 'verbatim' }] });
    expect(await memory.stats()).toMatchObject({ episodes: 1, outbox: 1 });
  });

  it('waitForIndex: false returns when the record is durable, and the indexes follow', async () => {
    const opened = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    class Slow extends HashEmbeddingModel {
      override async embed(texts: readonly string[]): Promise<Float32Array[]> {
        if (!texts.includes('tea')) return super.embed(texts);
        await opened.promise;
        const vectors = await super.embed(texts);
        done.resolve();
        return vectors;
      }
    }
    const { memory } = openTestMemory({ embedding: new Slow() });
    expect(await memory.store('tea', { userId: 'u', infer: false, waitForIndex: false })).toMatchObject({ indexed: false, degraded: [] });
    expect(await memory.stats()).toMatchObject({ episodes: 1, vectors: 0, outbox: 1 });
    opened.resolve();
    await done.promise;
    await memory.flush();
    expect(await memory.stats()).toMatchObject({ vectors: 1, outbox: 0 });
  });

  async function closeDuring(work: (memory: Memory) => Promise<unknown>, started: Promise<void>, go: () => void, memory: Memory) {
    const running = work(memory);
    await started;
    const closed = memory.close();
    go();
    await closed;
    return running;
  }

  it('close waits for a store that is under way, and refuses what comes after', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const { memory } = openTestMemory({
      path,
      replies: [
        async () => {
          asked.resolve();
          await answer.promise;
          return reply(['User likes tea']);
        },
      ],
    });
    const receipt = await closeDuring(
      (it) => it.store('I like tea', { userId: 'u' }),
      asked.promise,
      () => answer.resolve(),
      memory,
    );
    expect(receipt).toMatchObject({ indexed: true, facts: [{ text: 'User likes tea' }], degraded: [] });
    for (const work of [memory.store('x', { userId: 'u' }), memory.retrieve('x', { userId: 'u' }), memory.stats(), memory.flush()])
      expect((await failureOf(work)).code).toBe('CLOSED');
    await memory.close();
    const again = openTestMemory({ path });
    expect(await again.memory.stats()).toMatchObject({ episodes: 1, facts: 1, vectors: 2, outbox: 0 });
    await again.memory.close();
  });

  it('a step of the relay that breaks after the indexes took it is done again, with the same result', async () => {
    let broken = true;
    const { memory } = openTestMemory({
      replies: [reply(['User likes tea'])],
      wrapGraph: (graph) =>
        replaceMethod(graph, 'acknowledge', async (sequences) => {
          if (broken) throw new MemoryError('STORAGE_BUSY', 'another process writes');
          await graph.acknowledge(sequences);
        }),
    });
    expect(await memory.store('I like tea', { userId: 'u' })).toMatchObject({ indexed: false });
    expect(await memory.stats()).toMatchObject({ vectors: 2, keywords: 2 });
    const before = (await memory.retrieve('tea', { userId: 'u' })).items;
    broken = false;
    await memory.flush();
    expect(await memory.stats()).toMatchObject({ vectors: 2, keywords: 2, outbox: 0 });
    expect((await memory.retrieve('tea', { userId: 'u' })).items).toEqual(before);
  });

  it('what another process left undone is done by the next flush', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const embedding = new FailingEmbeddingModel();
    const first = openTestMemory({ path, embedding });
    embedding.failure = new MemoryError('MODEL_UNAVAILABLE', 'down');
    expect(await first.memory.store('tea', { userId: 'u', infer: false })).toMatchObject({ indexed: false });
    await first.memory.close();
    const { memory } = openTestMemory({ path });
    await memory.flush();
    expect((await memory.retrieve('tea', { userId: 'u' })).items).toHaveLength(1);
    await memory.close();
  });
});
