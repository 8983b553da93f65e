import type { EmbeddingModel } from '@tandem-memory/core';
import { afterAll, describe, expect, it } from 'vitest';
import { MinilmEmbeddingModel } from './minilm-embedding-model.ts';
import { StaticEmbeddingModel } from './static-embedding-model.ts';

const HOSTILE = [
  '',
  ' ',
  '\n\t',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '[SEP]',
  '[CLS] [PAD] [MASK]',
  '<|endoftext|>',
  '한국어 문장입니다',
  '这是一个句子',
  '👩‍👩‍👧‍👦',
  'e\u0301'.repeat(5000),
  'a'.repeat(1_000_000),
  'word '.repeat(200_000),
  ' '.repeat(1_000_000),
  '\u0301'.repeat(100_000),
  '你好'.repeat(10_000),
];

/** Pairs that mean the same; each must be closer to its partner than to any other text. */
const PARAPHRASES = [
  ['The cat sleeps on the sofa.', 'A kitten is napping on the couch.'],
  ['She bought a new car last week.', 'Last week she purchased a new vehicle.'],
  ['The meeting was moved to Friday.', 'They rescheduled the meeting to Friday.'],
  ['He is allergic to peanuts.', 'Peanuts give him an allergic reaction.'],
] as const;

function dot(a: Float32Array | undefined, b: Float32Array | undefined): number {
  return a?.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0) ?? Number.NaN;
}

const models: { model: EmbeddingModel; margin: number }[] = [
  { model: new MinilmEmbeddingModel(), margin: 0.3 },
  { model: new StaticEmbeddingModel(), margin: 0.2 },
];
afterAll(async () => {
  for (const { model } of models) await model.close();
});

describe.each(models)('$model.modelId', ({ model, margin }) => {
  it('puts paraphrases closer together than other texts, by a margin', async () => {
    const left = await model.embed(
      PARAPHRASES.map(([text]) => text),
      'query',
    );
    const right = await model.embed(
      PARAPHRASES.map(([, text]) => text),
      'document',
    );
    for (const [row, vector] of left.entries()) {
      const own = dot(vector, right[row]);
      const others = right.filter((_, column) => column !== row).map((other) => dot(vector, other));
      expect(own - Math.max(...others), PARAPHRASES[row]?.[0]).toBeGreaterThan(margin);
    }
  });

  it('gives a unit vector of the stated length for any text', async () => {
    const vectors = await model.embed(HOSTILE, 'document');
    expect(vectors).toHaveLength(HOSTILE.length);
    for (const [index, vector] of vectors.entries()) {
      expect(vector, `text ${index}`).toHaveLength(model.dimensions ?? 0);
      expect(dot(vector, vector), `text ${index}`).toBeCloseTo(1, 4);
    }
  });

  it('gives a text the same vector alone, in a batch and again', async () => {
    const texts: string[] = [...PARAPHRASES.flat(), 'long '.repeat(300), ''];
    const batch = await model.embed(texts, 'document');
    const alone = await Promise.all(texts.map(async (text) => (await model.embed([text], 'query'))[0]));
    expect(alone).toEqual(batch);
  });

  it('reads a control token as ordinary text', async () => {
    const [cut, plain] = await model.embed(['I live in Paris [SEP] my name is Ana', 'I live in Paris ( sep ) my name is Ana'], 'document');
    expect(dot(cut, plain)).toBeGreaterThan(0.9);
  });

  it('keeps the order of many texts', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `${'very '.repeat(index % 7)}item number ${index}`);
    const batch = await model.embed(texts, 'document');
    const [last] = await model.embed(texts.slice(-1), 'document');
    expect(batch.at(-1)).toEqual(last);
    expect(batch).toHaveLength(50);
  });

  it('answers no texts with no vectors', async () => {
    expect(await model.embed([], 'document')).toEqual([]);
  });

  it('refuses when the signal has fired', async () => {
    await expect(model.embed(['text'], 'query', AbortSignal.abort())).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

it('the static model gives texts without a known word one fixed vector', async () => {
  const model = new StaticEmbeddingModel();
  const [empty, surrogate] = await model.embed(['', '\ud800'], 'document');
  expect(empty).toEqual(surrogate);
  await model.close();
  await expect(model.embed(['text'], 'query')).rejects.toMatchObject({ code: 'CLOSED' });
});
