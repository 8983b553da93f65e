import type { RerankingModel } from '@tandem-memory/core';

/** A reranking model that reads each pair of question and text once: a benchmark asks a question for each budget. */
export class RememberedScores implements RerankingModel {
  readonly modelId: string;
  readonly #model: RerankingModel;
  #question = '';
  #scores = new Map<string, number>();

  constructor(model: RerankingModel) {
    this.modelId = model.modelId;
    this.#model = model;
  }

  async score(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]> {
    if (question !== this.#question) {
      this.#question = question;
      this.#scores = new Map();
    }
    const scores = this.#scores;
    const fresh = [...new Set(texts)].filter((text) => !scores.has(text));
    const given = await this.#model.score(question, fresh, signal);
    for (const [index, text] of fresh.entries()) scores.set(text, given[index] ?? Number.NaN);
    return texts.map((text) => scores.get(text) ?? Number.NaN);
  }
}
