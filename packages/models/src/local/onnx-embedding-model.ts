import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type EmbeddingModel, type EmbeddingPurpose, MemoryError } from '@tandem-memory/core';
import { ModelWorker } from './model-worker.ts';
import { readManifest } from './weights.ts';

/** How a model wants to be used. What is not given is read in `manifest.json` of its folder, where there is one. */
export interface OnnxEmbeddingOptions {
  /**
   * Folder with `tokenizer.json` and `model.onnx`; or, as on the Hugging Face hub, `onnx/model_quantized.onnx` or `onnx/model.onnx`: a BERT,
   * RoBERTa or like encoder that gives a vector for each token, or one for the text. Where it also has `means.bin`, float32 numbers of the
   * mean vector of all documents and of all questions, these are taken off.
   */
  readonly folder: string;
  /** Put before a question, e.g. `query: `. Default none. */
  readonly queryPrefix?: string;
  /** Put before what is stored, e.g. `passage: `. Default none. */
  readonly documentPrefix?: string;
  /** What of the tokens' vectors makes the text's: their mean (default), or the first (`cls`). */
  readonly pooling?: 'mean' | 'cls';
  /** What the model reads at most. Default 512. */
  readonly maxTokens?: number;
  /** See `EmbeddingModel.keywordWeight`. Default 1; about 0.4 suits models of the E5 family, whose cosines lie close together. */
  readonly keywordWeight?: number;
}

export interface EmbeddingWorkerData {
  /** Files. */
  readonly model: string;
  readonly tokenizer: string;
  readonly pooling: 'mean' | 'cls';
  readonly maxTokens: number;
}

const DEFAULT_MAX_TOKENS = 512;
const MODEL_FILES = ['model.onnx', 'onnx/model_quantized.onnx', 'onnx/model.onnx'] as const;

/** Texts given to the worker at once: a query waits for no more than these, and an abort wastes no more. */
const SLICE = 8;

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './onnx-embedding-worker.ts' : './onnx-embedding-worker.js', import.meta.url);

/**
 * A local sentence embedding model through onnxruntime in a worker thread. The worker and the runtime are started by the first `embed`; an
 * idle worker does not keep the process alive. Queries go before documents.
 * @throws MODEL_FILES_MISSING from the constructor
 */
export class OnnxEmbeddingModel implements EmbeddingModel {
  readonly modelId: string;
  readonly dimensions: number | undefined;
  readonly maxBatchSize = 256;
  readonly keywordWeight: number;
  readonly #prefixes: Readonly<Record<EmbeddingPurpose, string>>;
  readonly #means: Float32Array | undefined;
  readonly #worker: ModelWorker<readonly string[], Float32Array>;

  constructor(options: OnnxEmbeddingOptions) {
    const folder = resolve(options.folder);
    const manifest = statSync(join(folder, 'manifest.json'), { throwIfNoEntry: false }) === undefined ? undefined : readManifest(folder);
    const use = { ...manifest, ...options };
    const { pooling = 'mean', maxTokens = DEFAULT_MAX_TOKENS, queryPrefix = '', documentPrefix = '', keywordWeight = 1 } = use;
    const model = MODEL_FILES.map((name) => join(folder, name)).find((file) => sizeOf(file) !== undefined);
    const tokenizer = join(folder, 'tokenizer.json');
    if (model === undefined) throw missing(folder, 'model.onnx');
    if (sizeOf(tokenizer) === undefined) throw missing(folder, 'tokenizer.json');
    this.#means = readMeans(join(folder, 'means.bin'));
    const space = { bytes: sizeOf(model), means: [...(this.#means ?? [])], pooling, maxTokens, queryPrefix, documentPrefix };
    // What is not as the manifest says, other files or another use, gives other vectors, which an index must not mix.
    const isAsDescribed = (['pooling', 'maxTokens', 'queryPrefix', 'documentPrefix'] as const).every((name) => use[name] === manifest?.[name]);
    this.modelId = manifest !== undefined && isAsDescribed ? manifest.modelId : `${manifest?.modelId ?? basename(folder)}:${digest(space)}`;
    this.dimensions = manifest?.dimensions;
    this.keywordWeight = keywordWeight;
    this.#prefixes = { query: queryPrefix, document: documentPrefix };
    this.#worker = new ModelWorker({
      file: WORKER,
      workerData: { model, tokenizer, pooling, maxTokens } satisfies EmbeddingWorkerData,
      modelId: this.modelId,
      name: 'embedding model',
      remedy: 'Choose the static embedding model (`fast`), which needs no runtime, or a server.',
    });
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    const prefixed = texts.map((text) => this.#prefixes[purpose] + text);
    const slices = Array.from({ length: Math.ceil(texts.length / SLICE) }, (_, index) => prefixed.slice(index * SLICE, (index + 1) * SLICE));
    const answers = await this.#worker.run(slices, { urgent: purpose === 'query', signal });
    return answers.flatMap((vectors, slice) => {
      const count = slices[slice]?.length ?? 1;
      const size = vectors.length / count;
      const mean = this.#means?.subarray(purpose === 'document' ? 0 : size, purpose === 'document' ? size : 2 * size);
      return Array.from({ length: count }, (_, index) => centred(vectors.slice(index * size, (index + 1) * size), mean));
    });
  }

  async close(): Promise<void> {
    await this.#worker.close();
  }
}

function digest(value: object): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

function readMeans(file: string): Float32Array | undefined {
  return sizeOf(file) === undefined ? undefined : new Float32Array(Uint8Array.from(readFileSync(file)).buffer);
}

/** Without what all vectors of the model have in common, so that cosines tell texts apart from 0 to 1; of length 1 again. */
function centred(vector: Float32Array, mean: Float32Array | undefined): Float32Array {
  if (mean === undefined) return vector;
  const difference = vector.map((value, index) => value - (mean[index] ?? 0));
  const norm = Math.hypot(...difference);
  return norm > 0 ? difference.map((value) => value / norm) : vector;
}

function sizeOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true ? found.size : undefined;
}

function missing(folder: string, file: string): MemoryError {
  return new MemoryError(
    'MODEL_FILES_MISSING',
    `The embedding model's file ${file} is missing in ${folder}. Give the folder of a sentence embedding model exported to ONNX, with its tokenizer.json.`,
    { details: { folder, file } },
  );
}
