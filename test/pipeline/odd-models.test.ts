import type { QuestionDecomposer, RerankingModel } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

const BOXES = ['The owl box faces north', 'The bat box faces east', 'The bee box faces south'];

async function ask(models: { readonly decomposer?: QuestionDecomposer; readonly reranker?: RerankingModel }) {
  const { memory } = openTestMemory({ ...models, embedded: true });
  for (const text of BOXES) await memory.store(text, { userId: 'u', infer: false });
  return memory.retrieve('Where does the owl box face?', { userId: 'u', decompose: models.decomposer !== undefined });
}

describe("a caller's own model", () => {
  it.each([[null], [undefined], ['owl?'], [[3]], [[{}]], [{ questions: ['owl?'] }]])(
    'that takes a question apart into %j is named, and the question asked as it is',
    async (given) => {
      const { items, degraded } = await ask({ decomposer: { modelId: 'odd', decompose: async () => given as unknown as string[] } });
      expect(degraded).toEqual(['decomposition unavailable (MODEL_OUTPUT_UNUSABLE)']);
      expect(items).toEqual((await ask({})).items);
    },
  );

  it.each([[['', ' \u200b']], [['owl \ud83c']], [['owl?', 'owl?', 'OWL?']]])('that takes it apart into %j does no harm', async (given) => {
    const { items, degraded } = await ask({ decomposer: { modelId: 'odd', decompose: async () => given } });
    expect(degraded).toEqual([]);
    expect(items.map((item) => item.text).sort()).toEqual([...BOXES].sort());
  });

  it.each([[null], [undefined], [[]], [[1]], [[1, 2, Number.NaN]], [['1', '2', '3']]])(
    'that scores three texts with %j is named, and the order kept',
    async (given) => {
      const { items, degraded } = await ask({ reranker: { modelId: 'odd', score: async () => given as unknown as number[] } });
      expect(degraded).toEqual(['reranking unavailable (MODEL_OUTPUT_UNUSABLE)']);
      expect(items).toEqual((await ask({})).items);
    },
  );
});
