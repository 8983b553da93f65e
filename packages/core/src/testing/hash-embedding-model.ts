import { analyseText } from '../domain/text-analysis.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';

/**
 * An embedding without weights: each term adds a fixed pseudo-random direction (feature hashing), so texts that share terms are close.
 * Deterministic; for tests and for benchmarks that measure the engine and not the embedding.
 */
export class HashEmbeddingModel implements EmbeddingModel {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxBatchSize = 1024;
  readonly keywordWeight = 1;
  /** Texts embedded so far. */
  embedded = 0;

  constructor(dimensions = 64, modelId = `hash-${dimensions}`) {
    this.dimensions = dimensions;
    this.modelId = modelId;
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    this.embedded += texts.length;
    return texts.map((text) => this.#vector(text));
  }

  async close(): Promise<void> {}

  #vector(text: string): Float32Array {
    const vector = new Float32Array(this.dimensions);
    for (const term of analyseText(text)) {
      let state = 2166136261;
      for (let i = 0; i < term.length; i++) state = Math.imul(state ^ term.charCodeAt(i), 16777619);
      for (let i = 0; i < vector.length; i++) {
        state ^= state << 13;
        state ^= state >>> 17;
        state ^= state << 5;
        vector[i] = (vector[i] ?? 0) + state / 2 ** 31;
      }
    }
    const norm = Math.hypot(...vector);
    if (norm === 0) vector[0] = 1;
    else for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / norm;
    return vector;
  }
}
