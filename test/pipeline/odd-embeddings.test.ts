import { join } from 'node:path';
import { type EmbeddingModel, MemoryError } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { FailingEmbeddingModel, failureOf, openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'u' };

/** An embedding model of somebody else, whose answers need not be what the types say. */
class OddEmbeddingModel extends HashEmbeddingModel {
  readonly #distort: (vectors: Float32Array[], texts: readonly string[]) => unknown;

  constructor(distort: (vectors: Float32Array[], texts: readonly string[]) => unknown) {
    super(64, 'odd');
    this.#distort = distort;
  }

  override async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return this.#distort(await super.embed(texts), texts) as Float32Array[];
  }
}

const owls = (distort: ConstructorParameters<typeof OddEmbeddingModel>[0]) =>
  openTestMemory({ embedding: new OddEmbeddingModel(distort), replies: [reply(['The owl box faces north'])] }).memory;

describe('an embedding model that answers', () => {
  it.each<readonly [string, (vectors: Float32Array[]) => unknown]>([
    ['with nothing', () => undefined],
    ['with too few vectors', (vectors) => vectors.slice(1)],
    ['with too many', (vectors) => [...vectors, ...vectors]],
    ['with null', (vectors) => vectors.map(() => null)],
    ['with texts', (vectors) => vectors.map((vector) => [...vector].map(String))],
  ])('%s leaves the turn saved and waiting, and says so', async (_, distort) => {
    const memory = owls(distort);
    const receipt = await memory.store('The owl box faces north.', USER);
    expect(receipt).toMatchObject({ episodes: [{ state: 'extracted' }], indexed: false });
    expect(receipt.degraded.join()).toContain('MODEL_OUTPUT_UNUSABLE: The embedding model odd');
    expect((await memory.retrieve('owl box', USER)).degraded.join()).toContain('MODEL_OUTPUT_UNUSABLE');
    expect(await memory.stats('u')).toMatchObject({ episodes: 1, vectors: 0 });
    expect((await memory.stats('u')).outbox).toBeGreaterThan(0);
  });

  it.each<readonly [string, number]>([
    ['zeros', 0],
    ['NaN', Number.NaN],
    ['Infinity', Number.POSITIVE_INFINITY],
  ])('with %s leaves the turn to the keywords, and says so', async (_, value) => {
    const memory = owls((vectors) => vectors.map((vector) => vector.fill(value)));
    const receipt = await memory.store('The owl box faces north.', USER);
    expect(receipt.episodes).toMatchObject([{ state: 'extracted' }]);
    expect(receipt.degraded.join()).toMatch(/not in an index: episode \S+: INPUT_INVALID/);
    const context = await memory.retrieve('owl box', USER);
    expect(context.degraded.join()).toContain('MODEL_OUTPUT_UNUSABLE');
    expect(context.items.map(({ text }) => text).join()).not.toContain('NaN');
  });

  it.each<readonly [string, (vectors: Float32Array[]) => unknown]>([
    ['with lists of numbers', (vectors) => vectors.map((vector) => [...vector])],
    ['with doubles', (vectors) => vectors.map((vector) => Float64Array.from(vector))],
    ['with vectors of any length', (vectors) => vectors.map((vector) => vector.map((value) => value * 1000))],
  ])('%s is understood', async (_, distort) => {
    const [memory, plain] = [owls(distort), owls((vectors) => vectors)];
    for (const each of [memory, plain]) expect(await each.store('The owl box faces north.', USER)).toMatchObject({ indexed: true, degraded: [] });
    const scores = async (each: typeof memory) => (await each.retrieve('owl box', USER)).items.map(({ score }) => Number(score.toFixed(3)));
    expect(await scores(memory)).toEqual(await scores(plain));
  });
});

describe('an embedding model that never answers', () => {
  const never = () => new Promise<never>(() => undefined);
  const text = Array.from({ length: 30 }, (_, i) => `The owl box number ${i} faces north.`).join(' ');
  const inputs = [
    ['a turn', 'The owl box faces north.', {}],
    ['a document', { sourceId: 'd', text }, { documents: { boundaries: 'meaning', maxTokens: 64 } }],
  ] as const;
  class SilentEmbeddingModel extends HashEmbeddingModel {
    silent = true;
    readonly asked = Promise.withResolvers<void>();

    override async embed(texts: readonly string[]): Promise<Float32Array[]> {
      if (!this.silent) return super.embed(texts);
      this.asked.resolve();
      return never();
    }
  }
  /** Knows its size by its first answer only. */
  const unsized: EmbeddingModel = {
    modelId: 'unsized',
    dimensions: undefined,
    maxBatchSize: 8,
    keywordWeight: 1,
    embed: never,
    close: async () => undefined,
  };

  it.each(['of a known size', 'of an unknown size'])('and is %s does not hold up a store', async (which) => {
    const embedding = which === 'of a known size' ? new SilentEmbeddingModel() : unsized;
    const deadlines = { recallMs: 20, indexMs: 20, expandMs: 20 };
    const extraction = { knownFacts: 1 };
    const { memory } = openTestMemory({
      embedding,
      replies: [reply(['The owl box faces north', 'It is of oak'])],
      options: { deadlines, extraction },
    });
    for (const content of ['The owl box faces north.', 'It is of oak.']) {
      const receipt = await memory.store(content, USER);
      expect(receipt).toMatchObject({ episodes: [{ state: 'extracted' }], indexed: false });
      expect(receipt.degraded.join()).toContain('TIMEOUT');
    }
  });

  it('lets names stay apart that it was to compare', async () => {
    const replies = ['Aldermoor Trail', 'Aldermoor Path'].map((place) => reply([`${place} is closed`], [[place, 'place']]));
    const options = { deadlines: { recallMs: 20, indexMs: 20 }, resolution: { embeddingThreshold: 0.9 } };
    const { memory } = openTestMemory({ embedding: new SilentEmbeddingModel(), replies, options });
    for (const content of ['One.', 'Two.']) expect((await memory.store(content, USER)).episodes).toMatchObject([{ state: 'extracted' }]);
    expect(await memory.entities(USER)).toHaveLength(2);
  });

  it.each(inputs)('lets the store of %s be aborted', async (_, input, options) => {
    const embedding = new SilentEmbeddingModel();
    embedding.silent = false;
    const { memory } = openTestMemory({
      embedding,
      replies: [reply(['The owl box faces north', 'It is of oak'])],
      options: { ...options, extraction: { knownFacts: 1 } },
    });
    await memory.store('It is of oak.', USER);
    embedding.silent = true;
    const controller = new AbortController();
    const storing = memory.store(input, { ...USER, signal: controller.signal });
    await embedding.asked.promise;
    controller.abort();
    await expect(storing).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('fails a document that is cut by meaning in time', async () => {
    const { memory } = openTestMemory({
      embedding: new SilentEmbeddingModel(),
      options: { deadlines: { recallMs: 20, indexMs: 20 }, documents: { boundaries: 'meaning', maxTokens: 64 } },
    });
    await expect(memory.store({ sourceId: 'd', text }, USER)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('an embedding model that gives another length than it declares', () => {
  const half = (vectors: Float32Array[]) => vectors.map((vector) => vector.slice(0, 32));

  it('is refused before anything is written, so that the corrected one works', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const wrong = openTestMemory({ path, embedding: new OddEmbeddingModel(half) }).memory;
    for (const work of [() => wrong.store('The owl box faces north.', USER), () => wrong.flush(), () => wrong.reindex()]) {
      const error = await failureOf(work());
      expect(error.code).toBe('DIMENSION_MISMATCH');
      expect(error.message).toMatch(/odd .*64 .*32\. .*`dimensions`/);
    }
    expect(await wrong.episodes(USER)).toEqual([]);
    await wrong.close();

    const { memory } = openTestMemory({ path, embedding: new HashEmbeddingModel(32, 'odd') });
    expect(await memory.store('The owl box faces north.', USER)).toMatchObject({ indexed: true, degraded: [] });
    expect(await memory.stats('u')).toMatchObject({ episodes: 1, vectors: 1, outbox: 0 });
    await memory.close();
  });

  it('leaves an index that is there as it is where it is to be made anew', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const right = openTestMemory({ path, embedding: new HashEmbeddingModel(64, 'right') });
    await right.memory.store('The owl box faces north.', USER);
    await right.memory.close();
    const wrong = openTestMemory({ path, embedding: new OddEmbeddingModel(half) });
    expect((await failureOf(wrong.memory.reindex())).code).toBe('DIMENSION_MISMATCH');
    await wrong.memory.close();
    const again = openTestMemory({ path, embedding: new HashEmbeddingModel(64, 'right') });
    expect((await again.memory.retrieve('owl box', USER)).degraded).toEqual([]);
    await again.memory.close();
  });

  it('is asked once, where the index has no vectors yet, and believed while it is away', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    for (const asked of [1, 0]) {
      const embedding = new HashEmbeddingModel();
      const { memory } = openTestMemory({ path, embedding });
      await memory.stats('u');
      await memory.flush();
      expect(embedding.embedded).toBe(asked);
      await memory.close();
    }
    const embedding = new FailingEmbeddingModel();
    embedding.failure = new MemoryError('MODEL_UNAVAILABLE', 'The model is away.');
    const { memory } = openTestMemory({ embedding });
    expect(await memory.store('The owl box faces north.', USER)).toMatchObject({ indexed: false, episodes: [{ state: 'extracted' }] });
    embedding.failure = undefined;
    await memory.flush();
    expect(await memory.stats('u')).toMatchObject({ vectors: 1, outbox: 0 });
  });
});
