import { Worker } from 'node:worker_threads';
import { type EmbeddingModel, type EmbeddingPurpose, MemoryError } from '@tandem-memory/core';
import { NativeGate } from './native-gate.ts';
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

/** A run of the longest text takes 30 ms, and loading the model 200. */
const EXIT_TIMEOUT_MS = 2000;

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './minilm-worker.ts' : './minilm-worker.js', import.meta.url);

interface Job {
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
  readonly vectors: Float32Array[];
  readonly resolve: (vectors: Float32Array[]) => void;
  readonly reject: (error: MemoryError) => void;
}

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
  readonly #folder: string;
  readonly #waiting: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  #gate = new NativeGate();
  #closed = false;

  constructor(options: MinilmEmbeddingOptions = {}) {
    this.#folder = options.folder ?? packagedWeights('minilm');
    const manifest = readManifest(this.#folder);
    this.modelId = manifest.modelId;
    this.dimensions = manifest.dimensions;
    this.keywordWeight = options.keywordWeight ?? MINILM_KEYWORD_WEIGHT;
  }

  async embed(texts: readonly string[], purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array[]> {
    if (this.#closed) throw closed();
    if (signal?.aborted) throw aborted(signal);
    if (texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array[]>();
    const job: Job = { texts: [...texts], purpose, vectors: [], resolve, reject };
    const onAbort = (): void => {
      this.#remove(job);
      reject(aborted(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(job);
    this.#dispatch();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(closed());
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    await this.#gate.shut();
    await worker.terminate();
  }

  #dispatch(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.find(({ purpose }) => purpose === 'query') ?? this.#waiting[0];
    if (job === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(job.texts.slice(job.vectors.length, job.vectors.length + SLICE));
  }

  #start(): Worker {
    const gate = new NativeGate();
    gate.enter();
    this.#gate = gate;
    const workerData = { folder: this.#folder, dimensions: this.dimensions, gateBuffer: gate.buffer };
    // The process's own flags are not for the worker: `--input-type`, for one, would stop it.
    const worker = new Worker(WORKER, { workerData, execArgv: [] });
    const onProcessExit = (): void => gate.shutSync(EXIT_TIMEOUT_MS);
    process.on('exit', onProcessExit);
    worker.on('message', (vectors: Float32Array) => this.#receive(vectors));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => {
      process.off('exit', onProcessExit);
      // A thread that failed inside never left.
      gate.leave();
      this.#fail(worker);
    });
    return worker;
  }

  #receive(vectors: Float32Array): void {
    const job = this.#running;
    this.#running = undefined;
    // A job that was aborted meanwhile has left the queue already; its vectors go nowhere.
    if (job !== undefined) {
      for (let start = 0; start < vectors.length; start += this.dimensions) job.vectors.push(vectors.slice(start, start + this.dimensions));
      if (job.vectors.length === job.texts.length) {
        this.#remove(job);
        job.resolve(job.vectors);
      }
    }
    this.#dispatch();
  }

  #fail(worker: Worker, cause?: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const reason = cause instanceof Error ? cause.message : 'its thread ended';
    this.#rejectAll(
      new MemoryError(
        'MODEL_UNAVAILABLE',
        `The local embedding model can't be run: ${reason}. Choose the static embedding model, which needs no runtime, or a server.`,
        { cause, details: { modelId: this.modelId } },
      ),
    );
  }

  #rejectAll(error: MemoryError): void {
    this.#running = undefined;
    for (const job of this.#waiting.splice(0)) job.reject(error);
  }

  #remove(job: Job): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
  }
}

function closed(): MemoryError {
  return new MemoryError('CLOSED', 'The embedding model is closed; create a new one.');
}

function aborted(signal: AbortSignal | undefined): MemoryError {
  return new MemoryError('ABORTED', 'Embedding was aborted by the caller.', { cause: signal?.reason });
}
