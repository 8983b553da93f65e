import { MemoryError } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';

/**
 * The same model, whose answers are what the port says: one `Float32Array` a text, and for a question one that points somewhere. A document
 * without a direction is set aside by itself, in the index. @throws MODEL_OUTPUT_UNUSABLE besides what the model throws
 */
export function checkedEmbedding(model: EmbeddingModel): EmbeddingModel {
  const unusable = (what: string) =>
    new MemoryError('MODEL_OUTPUT_UNUSABLE', `The embedding model ${model.modelId} answered with ${what}. Check the model, or take another one.`);
  return {
    get modelId() {
      return model.modelId;
    },
    get dimensions() {
      return model.dimensions;
    },
    get maxBatchSize() {
      return model.maxBatchSize;
    },
    get keywordWeight() {
      return model.keywordWeight;
    },
    keywordWeightFor: (question) => model.keywordWeightFor?.(question) ?? model.keywordWeight,
    async embed(texts, purpose, signal) {
      const answer: unknown = await model.embed(texts, purpose, signal);
      if (!Array.isArray(answer) || answer.length !== texts.length)
        throw unusable(`${Array.isArray(answer) ? answer.length : 'no'} vectors for ${texts.length} texts`);
      return answer.map((vector: unknown) => {
        const numbers = vectorOf(vector);
        if (numbers === undefined) throw unusable('something that is no vector');
        if (purpose === 'query' && !hasDirection(numbers)) throw unusable('a vector without a direction: all zeros, NaN or Infinity');
        return numbers;
      });
    },
    close: () => model.close(),
  };
}

function vectorOf(vector: unknown): Float32Array | undefined {
  if (vector instanceof Float32Array) return vector;
  const isList = Array.isArray(vector) ? vector.every((value) => typeof value === 'number') : vector instanceof Float64Array;
  return isList ? Float32Array.from(vector as ArrayLike<number>) : undefined;
}

function hasDirection(vector: Float32Array): boolean {
  let squares = 0;
  for (const value of vector) squares += value * value;
  return squares > 0 && squares < Number.POSITIVE_INFINITY;
}
