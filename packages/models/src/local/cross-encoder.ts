import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MemoryError, type RerankingModel } from '@tandem-memory/core';
import { NativeGate } from './native-gate.ts';

export interface CrossEncoderOptions {
  /**
   * Folder with `model.onnx` and `tokenizer.json` of a BERT cross-encoder, e.g. an export of ms-marco-MiniLM-L6-v2. None comes with this
   * package, and nothing is downloaded.
   */
  readonly folder: string;
}

const WORKER = new URL(import.meta.url.endsWith('.ts') ? './cross-encoder-worker.ts' : './cross-encoder-worker.js', import.meta.url);
const EXIT_TIMEOUT_MS = 2000;

interface Job {
  readonly question: string;
  readonly texts: readonly string[];
  readonly resolve: (scores: number[]) => void;
  readonly reject: (error: MemoryError) => void;
}

/**
 * A local cross-encoder: reads question and text together, in a worker thread through onnxruntime. The worker is started by the first
 * `score`, answers one call after another, and does not keep the process alive while it is idle.
 * @throws MODEL_FILES_MISSING from the constructor
 */
export class CrossEncoder implements RerankingModel {
  readonly modelId: string;
  readonly #folder: string;
  readonly #waiting: Job[] = [];
  #running: Job | undefined;
  #worker: Worker | undefined;
  #gate = new NativeGate();
  #closed = false;

  constructor({ folder }: CrossEncoderOptions) {
    for (const file of ['model.onnx', 'tokenizer.json']) {
      if (statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === true) continue;
      throw new MemoryError(
        'MODEL_FILES_MISSING',
        `The reranking model's file ${file} is missing in ${folder}. Give the folder of a cross-encoder exported to ONNX.`,
        { details: { folder, file } },
      );
    }
    this.#folder = folder;
    this.modelId = `cross-encoder:${basename(folder)}`;
  }

  async score(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]> {
    if (this.#closed) throw new MemoryError('CLOSED', 'The reranking model is closed; create a new one.');
    if (signal?.aborted) throw aborted(signal);
    if (texts.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<number[]>();
    const job: Job = { question, texts: [...texts], resolve, reject };
    const onAbort = (): void => {
      this.#remove(job);
      reject(aborted(signal));
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.#waiting.push(job);
    this.#next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#rejectAll(new MemoryError('CLOSED', 'The reranking model is closed; create a new one.'));
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    await this.#gate.shut();
    await worker.terminate();
  }

  #next(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting[0];
    if (job === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage({ question: job.question, texts: job.texts });
  }

  #start(): Worker {
    const gate = new NativeGate();
    gate.enter();
    this.#gate = gate;
    const worker = new Worker(WORKER, { workerData: { folder: this.#folder, gateBuffer: gate.buffer }, execArgv: [] });
    const onProcessExit = (): void => gate.shutSync(EXIT_TIMEOUT_MS);
    process.on('exit', onProcessExit);
    worker.on('message', (scores: number[]) => {
      const job = this.#running;
      this.#running = undefined;
      if (job !== undefined) this.#remove(job);
      // A job that was aborted meanwhile has its answer already.
      job?.resolve(scores);
      this.#next();
    });
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => {
      process.off('exit', onProcessExit);
      gate.leave();
      this.#fail(worker);
    });
    return worker;
  }

  #fail(worker: Worker, cause?: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const reason = cause instanceof Error ? cause.message : 'its thread ended';
    this.#rejectAll(
      new MemoryError('MODEL_UNAVAILABLE', `The reranking model ${this.modelId} can't be run: ${reason}. Try another export of it, or none.`, {
        cause,
        details: { modelId: this.modelId },
      }),
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

function aborted(signal: AbortSignal | undefined): MemoryError {
  return new MemoryError('ABORTED', 'Reranking was aborted by the caller.', { cause: signal?.reason });
}
