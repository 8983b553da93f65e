export type EmbeddingPurpose = 'document' | 'query';

export interface EmbeddingModel {
  /** Identifies the vector space; saved with the index. Two models with one id must give equal vectors. */
  readonly modelId: string;
  /** Length of the vectors; undefined where only the first answer of a server tells. */
  readonly dimensions: number | undefined;
  readonly maxBatchSize: number;
  /**
   * How much a keyword match weighs against this model's cosines: `score = cosine + keywordWeight * share of the reachable BM25`.
   * It belongs to the model, since cosines of different models live in different bands.
   */
  readonly keywordWeight: number;
  /** The weight for one question, where the model reads some languages worse than others. */
  keywordWeightFor?(question: string): number;
  /**
   * One unit vector a text, in order. Texts longer than the model reads are cut.
   * @throws MODEL_UNAVAILABLE, MODEL_RATE_LIMITED (with `retryAfterMs`), MODEL_REJECTED, ABORTED
   */
  embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
