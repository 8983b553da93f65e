import type { Recollection } from '../domain/recollection.ts';
import { MemoryError } from '../errors.ts';
import type { RerankingModel } from '../ports/reranking-model.ts';
import { withPart } from './fuse.ts';

export interface ModelRerankInput {
  readonly question: string;
  /** Best first. */
  readonly ranked: readonly Recollection[];
  /** Only so many of the first are shown to the model. */
  readonly count: number;
}

/**
 * Puts the first `count` into the model's order. They keep among them the scores they had, the best score going to the model's best:
 * a score then still means what it means without a model, for thresholds too. Ties stay as they were.
 * @throws MODEL_OUTPUT_UNUSABLE where the model gives other than one finite number a text
 */
export async function rerankByModel(
  input: ModelRerankInput,
  { reranker }: { readonly reranker: RerankingModel },
  signal?: AbortSignal,
): Promise<Recollection[]> {
  const shown = input.ranked.slice(0, input.count);
  if (shown.length < 2) return [...input.ranked];
  const given = await reranker.score(input.question, shown.map(textOf), signal);
  if (given.length !== shown.length || !given.every(Number.isFinite)) {
    throw new MemoryError(
      'MODEL_OUTPUT_UNUSABLE',
      `The reranking model ${reranker.modelId} did not give one number for each of ${shown.length} texts. Use another model.`,
    );
  }
  const order = shown.map((item, index) => ({ item, index, score: given[index] ?? 0 })).sort((a, b) => b.score - a.score || a.index - b.index);
  return [
    ...order.map(({ item }, place) => withPart(item, 'reranking', (shown[place]?.score ?? item.score) - item.score)),
    ...input.ranked.slice(shown.length),
  ];
}

function textOf(item: Recollection): string {
  if (item.kind === 'fact') return item.fact.text;
  const { speaker, content } = item.episode;
  return speaker === undefined ? content : `${speaker}: ${content}`;
}
