import type { EmbeddingModel, EmbeddingPurpose } from '@tandem-memory/core';
import { ModelWorker } from './model-worker.ts';
import { packagedWeights, readManifest } from './weights.ts';

export interface MinilmEmbeddingOptions {
  /** Folder with `manifest.json`, `model.onnx` and `tokenizer.json`. Default: the one in this package. */
  readonly folder?: string;
  /** Default {@link MINILM_KEYWORD_WEIGHT}. */
  readonly keywordWeight?: number;
}

/** See `EmbeddingModel.keywordWeight`. Recall on LoCoMo is level from 0.75 to 1.5; the lower end is kinder to paraphrases, which share no word. */
export const MINILM_KEYWORD_WEIGHT = 1;

/** Texts given to the worker at once: a query waits for no more than these, and an abort wastes no more. */
const SLICE = 8;

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './minilm-worker.ts' : './minilm-worker.js', import.meta.url);

/**
 * all-MiniLM-L6-v2 in int8 (English, 384 dimensions, 256 tokens) through onnxruntime in a worker thread. The worker and the runtime are
 * started by the first `embed`; an idle worker does not keep the process alive. Queries go before documents.
 * @throws MODEL_FILES_MISSING from the constructor
 */
export class MinilmEmbeddingModel implements EmbeddingModel {
  readonly modelId: string;
  readonly dimensions: number;
  readonly maxBatchSize = 256;
  readonly keywordWeight: number;
  readonly #worker: ModelWorker<readonly string[], Float32Array>;

  constructor(options: MinilmEmbeddingOptions = {}) {
    const folder = options.folder ?? packagedWeights('minilm');
    const { modelId, dimensions } = readManifest(folder);
    this.modelId = modelId;
    this.dimensions = dimensions;
    this.keywordWeight = options.keywordWeight ?? MINILM_KEYWORD_WEIGHT;
    this.#worker = new ModelWorker({
      file: WORKER,
      workerData: { folder, dimensions },
      modelId,
      name: 'embedding model',
      remedy: 'Choose the static embedding model, which needs no runtime, or a server.',
    });
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    const slices = Array.from({ length: Math.ceil(texts.length / SLICE) }, (_, index) => texts.slice(index * SLICE, (index + 1) * SLICE));
    const answers = await this.#worker.run(slices, { urgent: purpose === 'query', signal });
    return answers.flatMap((vectors) =>
      Array.from({ length: vectors.length / this.dimensions }, (_, index) => vectors.slice(index * this.dimensions, (index + 1) * this.dimensions)),
    );
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}
