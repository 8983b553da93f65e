import { Worker } from 'node:worker_threads';
import { MemoryError } from '@tandem-memory/core';
import { NativeGate } from './native-gate.ts';

export interface ModelWorkerOptions {
  /** The thread's program. It begins inside of its gate, and enters it before each run of native code. */
  readonly file: URL;
  /** To which `gateBuffer` is added. */
  readonly workerData: Readonly<Record<string, unknown>>;
  readonly modelId: string;
  /** As messages name it: "embedding model". */
  readonly name: string;
  /** What to do where the model can't be run. */
  readonly remedy: string;
}

interface Job<Request, Answer> {
  readonly requests: readonly Request[];
  readonly urgent: boolean;
  readonly answers: Answer[];
  readonly resolve: (answers: Answer[]) => void;
  readonly reject: (error: MemoryError) => void;
}

/** A run of the longest text takes 30 ms, and loading a model 200. */
const EXIT_TIMEOUT_MS = 2000;

/**
 * The line in front of a worker thread that runs a model. The worker is started by the first call, answers one request after another, and
 * does not keep the process alive while it is idle; one that failed is started anew by the next call. Urgent calls go before the others.
 */
export class ModelWorker<Request, Answer> {
  readonly #options: ModelWorkerOptions;
  readonly #waiting: Job<Request, Answer>[] = [];
  #running: Job<Request, Answer> | undefined;
  #worker: Worker | undefined;
  #gate = new NativeGate();
  #isClosed = false;

  constructor(options: ModelWorkerOptions) {
    this.#options = options;
  }

  /**
   * One answer a request, in their order. Between two requests of one call others may be answered, and an abort wastes no more than one.
   * @throws CLOSED, ABORTED, MODEL_UNAVAILABLE
   */
  async run(
    requests: readonly Request[],
    { urgent = false, signal }: { urgent?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<Answer[]> {
    if (this.#isClosed) throw this.#closedError();
    if (signal?.aborted) throw this.#abortedError(signal);
    if (requests.length === 0) return [];
    const { promise, resolve, reject } = Promise.withResolvers<Answer[]>();
    const job: Job<Request, Answer> = { requests, urgent, answers: [], resolve, reject };
    const onAbort = (): void => {
      this.#remove(job);
      reject(this.#abortedError(signal));
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
    this.#isClosed = true;
    this.#rejectAll(this.#closedError());
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#worker = undefined;
    await this.#gate.shut();
    await worker.terminate();
  }

  #dispatch(): void {
    if (this.#running !== undefined) return;
    const job = this.#waiting.find(({ urgent }) => urgent) ?? this.#waiting[0];
    if (job === undefined) {
      this.#worker?.unref();
      return;
    }
    this.#running = job;
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage(job.requests[job.answers.length]);
  }

  #start(): Worker {
    const gate = new NativeGate();
    gate.enter();
    this.#gate = gate;
    const { file, workerData } = this.#options;
    // The process's own flags are not for the worker: `--input-type`, for one, would stop it.
    const worker = new Worker(file, { workerData: { ...workerData, gateBuffer: gate.buffer }, execArgv: [] });
    const onProcessExit = (): void => gate.shutSync(EXIT_TIMEOUT_MS);
    process.on('exit', onProcessExit);
    worker.on('message', (answer: Answer) => this.#receive(answer));
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => {
      process.off('exit', onProcessExit);
      // A thread that failed inside never left.
      gate.leave();
      this.#fail(worker);
    });
    return worker;
  }

  #receive(answer: Answer): void {
    const job = this.#running;
    this.#running = undefined;
    // A call that was aborted meanwhile has left the line already; its answer goes nowhere.
    if (job !== undefined) {
      job.answers.push(answer);
      if (job.answers.length === job.requests.length) {
        this.#remove(job);
        job.resolve(job.answers);
      }
    }
    this.#dispatch();
  }

  #fail(worker: Worker, cause?: unknown): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const { name, modelId, remedy } = this.#options;
    const reason = cause instanceof Error ? cause.message : 'its thread ended';
    this.#rejectAll(
      new MemoryError('MODEL_UNAVAILABLE', `The ${name} ${modelId} can't be run: ${reason}. ${remedy}`, { cause, details: { modelId } }),
    );
  }

  #rejectAll(error: MemoryError): void {
    this.#running = undefined;
    for (const job of this.#waiting.splice(0)) job.reject(error);
  }

  #remove(job: Job<Request, Answer>): void {
    const index = this.#waiting.indexOf(job);
    if (index >= 0) this.#waiting.splice(index, 1);
  }

  #closedError(): MemoryError {
    return new MemoryError('CLOSED', `The ${this.#options.name} is closed; create a new one.`);
  }

  #abortedError(signal: AbortSignal | undefined): MemoryError {
    return new MemoryError('ABORTED', `The ${this.#options.name} was stopped by the caller.`, { cause: signal?.reason });
  }
}
