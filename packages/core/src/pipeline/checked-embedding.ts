import { MemoryError } from '../errors.ts';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { VectorSpace } from '../ports/vector-index.ts';
import { withDeadline } from './server-calls.ts';

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

/** A vector space, and what to ask before it is fixed for good. */
export interface ConfirmedSpace {
  readonly space: VectorSpace;
  /** @throws DIMENSION_MISMATCH where the model gives another length than it declares */
  confirm(): Promise<void>;
}

/** The space of the model's vectors, by what it declares; where it declares nothing, its first answer tells. */
export async function spaceOf(model: EmbeddingModel, limitMs: number): Promise<ConfirmedSpace> {
  const { modelId, dimensions: declared } = model;
  const length = async () => (await model.embed(['dimension'], 'document'))[0]?.length ?? 0;
  if (declared === undefined) return { space: { modelId, dimensions: await length() }, confirm: async () => undefined };
  const confirm = async () => {
    // A model that gives nothing now is believed: what is stored meanwhile has to be kept, and the relay tells what is wrong.
    const given = await withDeadline('indexing', limitMs, undefined, length).catch((error: unknown) => {
      if (MemoryError.isInstance(error) && error.code === 'DIMENSION_MISMATCH') throw error;
      return declared;
    });
    if (given === declared) return;
    throw new MemoryError(
      'DIMENSION_MISMATCH',
      `The embedding model ${modelId} is said to have ${declared} dimensions and gives ${given}. Correct \`dimensions\` of the model, or leave it out. Nothing was written.`,
      { details: { configured: declared, given } },
    );
  };
  return { space: { modelId, dimensions: declared }, confirm };
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
