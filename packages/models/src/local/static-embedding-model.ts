import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EmbeddingModel, type EmbeddingPurpose, MemoryError } from '@tandem-memory/core';
import { englishKeywordWeight } from './english-model.ts';
import { packagedWeights, readManifest } from './weights.ts';
import type { WordPieceTokenizer } from './word-piece-tokenizer.ts';

export interface StaticEmbeddingOptions {
  /** Folder with `manifest.json`, `vectors.bin` and `tokenizer.json`. Default: the one in this package. */
  readonly folder?: string;
  /** Default {@link STATIC_KEYWORD_WEIGHT}. */
  readonly keywordWeight?: number;
}

/** See `EmbeddingModel.keywordWeight`; chosen as for MiniLM, from which the vectors are distilled. */
export const STATIC_KEYWORD_WEIGHT = 1;

interface Loaded {
  readonly tokenizer: WordPieceTokenizer;
  readonly rows: Int8Array;
  readonly scales: Float32Array;
}

/**
 * A text's vector is the sum of fixed vectors of its words, distilled from MiniLM (the Model2Vec method). Sixty times as fast as MiniLM
 * and without a runtime, but blind to word order and weaker with other words for the same thing.
 * @throws MODEL_FILES_MISSING from the constructor
 */
export class StaticEmbeddingModel implements EmbeddingModel {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxBatchSize = 256;
  readonly keywordWeight: number;
  readonly #folder: string;
  #loading: Promise<Loaded> | undefined;
  #closed = false;

  constructor(options: StaticEmbeddingOptions = {}) {
    this.#folder = options.folder ?? packagedWeights('static');
    const manifest = readManifest(this.#folder);
    this.modelId = manifest.modelId;
    this.dimensions = manifest.dimensions;
    this.keywordWeight = options.keywordWeight ?? STATIC_KEYWORD_WEIGHT;
  }

  keywordWeightFor(question: string): number {
    return englishKeywordWeight(question, this.keywordWeight);
  }

  async embed(texts: readonly string[], _purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    if (this.#closed) throw new MemoryError('CLOSED', 'The embedding model is closed; create a new one.');
    this.#loading ??= this.#load();
    const loaded = await this.#loading;
    if (signal?.aborted) throw new MemoryError('ABORTED', 'Embedding was aborted by the caller.', { cause: signal.reason });
    return texts.map((text) => this.#vector(text, loaded));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#loading = undefined;
  }

  async #load(): Promise<Loaded> {
    // Imported on first use, so that importing this package stays cheap.
    const { WordPieceTokenizer } = await import('./word-piece-tokenizer.ts');
    const file = readFileSync(join(this.#folder, 'vectors.bin'));
    // int8 rows [words, dimensions], then float32 scales [words]; copied, since a view of floats must start at a multiple of 4.
    const words = file.length / (this.dimensions + Float32Array.BYTES_PER_ELEMENT);
    const rows = new Int8Array(file.buffer, file.byteOffset, words * this.dimensions);
    const scales = new Float32Array(new Uint8Array(file.subarray(rows.length)).buffer);
    return { tokenizer: WordPieceTokenizer.read(join(this.#folder, 'tokenizer.json')), rows, scales };
  }

  #vector(text: string, { tokenizer, rows, scales }: Loaded): Float32Array {
    const size = this.dimensions;
    const vector = new Float32Array(size);
    for (const id of tokenizer.encodeWords(text)) {
      const scale = scales[id] ?? 0;
      const start = id * size;
      for (let i = 0; i < size; i++) vector[i] = (vector[i] ?? 0) + (rows[start + i] ?? 0) * scale;
    }
    let squares = 0;
    for (const value of vector) squares += value * value;
    const norm = Math.sqrt(squares);
    // No known word: the axis of least variance, so a valid vector that is close to nothing.
    if (norm === 0) vector[size - 1] = 1;
    else for (let i = 0; i < size; i++) vector[i] = (vector[i] ?? 0) / norm;
    return vector;
  }
}
