import type { EmbeddingModel } from '@tandem-memory/core';
import { Random, seedOf } from './random.ts';
import type { Vocabulary } from './vocabulary.ts';

const DIMENSIONS = 384;
/** Length of a text's own direction beside its topics' (length 1): texts of one topic have cosines of about 0.5. */
const NOISE = 1;

/**
 * Vectors that cost next to nothing and lie as real ones do: clusters by topic, a direction of its own for each text. So the benchmark
 * measures the engine; what embedding takes is summed up in `elapsedMs` and subtracted.
 */
export class TopicEmbeddingModel implements EmbeddingModel {
  readonly modelId = 'bench-topics';
  readonly dimensions = DIMENSIONS;
  readonly maxBatchSize = 1024;
  readonly keywordWeight = 1.5;
  elapsedMs = 0;
  readonly #topicOf: ReadonlyMap<string, number>;
  readonly #centres: readonly Float32Array[];

  constructor(vocabulary: Vocabulary) {
    this.#topicOf = vocabulary.topicOf;
    this.#centres = vocabulary.topics.map((_, topic) => normalise(direction(new Random(5_000_000 + topic))));
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    const start = performance.now();
    const vectors = texts.map((text) => this.#vector(text));
    this.elapsedMs += performance.now() - start;
    return vectors;
  }

  async close(): Promise<void> {}

  #vector(text: string): Float32Array {
    const vector = normalise(direction(new Random(seedOf(text))));
    for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) * NOISE;
    const topics = text.split(/[^a-z]+/).flatMap((word) => this.#topicOf.get(word) ?? []);
    for (const topic of topics) {
      const centre = this.#centres[topic];
      for (let i = 0; i < DIMENSIONS; i++) vector[i] = (vector[i] ?? 0) + (centre?.[i] ?? 0) / topics.length;
    }
    return normalise(vector);
  }
}

function direction(random: Random): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, () => random.next() - 0.5);
}

function normalise(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const component of vector) squares += component * component;
  const norm = Math.sqrt(squares);
  for (let i = 0; i < vector.length; i++) vector[i] = (vector[i] ?? 0) / norm;
  return vector;
}
