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
  /** What the model's opinion counts against the order that stands, 0 to 1: 1 takes the model's order as it is. */
  readonly weight: number;
}

/**
 * Puts the first `count` into an order between the model's and the one that stands, both as standard scores. The model reads question and text
 * together, but knows nothing of speakers, dates and graph: on LoCoMo a cross-encoder's order alone loses 5 points @10, and half of it gains 1.
 * They keep among them the scores they had, the best score going to the new best: a score then still means what it means without a model,
 * for thresholds too. Ties stay as they were.
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
  const ours = standardScores(shown.map(({ score }) => score));
  const theirs = standardScores(given);
  const blended = shown.map((item, index) => ({
    item,
    index,
    score: (1 - input.weight) * (ours[index] ?? 0) + input.weight * (theirs[index] ?? 0),
  }));
  const order = blended.sort((a, b) => b.score - a.score || a.index - b.index);
  return [
    ...order.map(({ item }, place) => withPart(item, 'reranking', (shown[place]?.score ?? item.score) - item.score)),
    ...input.ranked.slice(shown.length),
  ];
}

/** By how many standard deviations each is above the mean; zeros where all are equal. */
function standardScores(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.hypot(...values.map((value) => value - mean)) / Math.sqrt(values.length);
  return values.map((value) => (deviation > 0 ? (value - mean) / deviation : 0));
}

function textOf(item: Recollection): string {
  if (item.kind === 'fact') return item.fact.text;
  const { speaker, content } = item.episode;
  return speaker === undefined ? content : `${speaker}: ${content}`;
}
