import { describe, expect, it } from 'vitest';
import type { Recollection } from '../domain/recollection.ts';
import type { RerankingModel } from '../ports/reranking-model.ts';
import { rerankByModel } from './rerank-by-model.ts';

const AT = '2024-01-01T00:00:00.000Z';

function statement(id: string, score: number): Recollection {
  const fact = {
    id,
    userId: 'u',
    text: `text of ${id}`,
    entityIds: [],
    evidence: [],
    createdAt: AT,
    confidence: 1,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
  } as const;
  return { kind: 'fact', id, score, channels: [], path: [], fact };
}

function scripted(scores: readonly number[]): RerankingModel & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    modelId: 'scripted',
    asked,
    score: async (_, texts) => {
      asked.push([...texts]);
      return [...scores];
    },
  };
}

const ranked = [statement('a', 0.9), statement('b', 0.8), statement('c', 0.7), statement('d', 0.6)];

describe('rerankByModel', () => {
  it("takes the model's order for the first where only that counts, and leaves each place its score", async () => {
    const reranker = scripted([0.1, 0.2, 0.9]);
    const found = await rerankByModel({ question: 'q', ranked, count: 3, weight: 1 }, { reranker });
    expect(found.map((item) => [item.id, item.score])).toEqual([
      ['c', 0.9],
      ['b', 0.8],
      ['a', 0.7],
      ['d', 0.6],
    ]);
    expect(reranker.asked).toEqual([['text of a', 'text of b', 'text of c']]);
  });

  it('weighs the model against the order that stands, whatever their scales', async () => {
    const orderWith = async (weight: number, scores: readonly number[]) =>
      (await rerankByModel({ question: 'q', ranked, count: 4, weight }, { reranker: scripted(scores) })).map((item) => item.id).join('');
    // The last is the model's best by far, the first only its worst by a little.
    expect(await orderWith(0, [-3, -2, -2, 9])).toBe('abcd');
    expect(await orderWith(0.5, [-3, -2, -2, 9])).toBe('adbc');
    expect(await orderWith(0.5, [-3000, -2000, -2000, 9000])).toBe('adbc');
    expect(await orderWith(1, [-3, -2, -2, 9])).toBe('dbca');
  });

  it('keeps the order of ties, and asks nothing where there is no order', async () => {
    expect(
      (await rerankByModel({ question: 'q', ranked, count: 9, weight: 0.5 }, { reranker: scripted([1, 1, 1, 1]) })).map((item) => item.id),
    ).toEqual(['a', 'b', 'c', 'd']);
    const reranker = scripted([]);
    await rerankByModel({ question: 'q', ranked: ranked.slice(0, 1), count: 9, weight: 0.5 }, { reranker });
    await rerankByModel({ question: 'q', ranked, count: 1, weight: 0.5 }, { reranker });
    expect(reranker.asked).toEqual([]);
  });

  it.each([[[1]], [[1, 2, 3, Number.NaN]], [[1, 2, 3, 4, 5]]])('refuses scores %j', async (scores) => {
    await expect(rerankByModel({ question: 'q', ranked, count: 4, weight: 0.5 }, { reranker: scripted(scores) })).rejects.toMatchObject({
      code: 'MODEL_OUTPUT_UNUSABLE',
    });
  });
});
