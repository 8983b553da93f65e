import { isBearable, MemoryError } from '../errors.ts';

/**
 * The calls to one server within one question, each with a time limit. After a failure that one can go on without the next ones fail at once: a
 * server that does not answer is waited for once, not at every stage.
 */
export class ServerCalls {
  /** What is asked, e.g. `vector search`. */
  readonly name: string;
  readonly #signal: AbortSignal | undefined;
  #failure: MemoryError | undefined;

  /** @param failure what is known of the server before the first call */
  constructor(name: string, signal: AbortSignal | undefined, failure?: MemoryError) {
    this.name = name;
    this.#signal = signal;
    this.#failure = failure;
  }

  get failure(): MemoryError | undefined {
    return this.#failure;
  }

  /** @throws TIMEOUT, ABORTED, and what the work throws */
  async run<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      return await withDeadline(this.name, milliseconds, this.#signal, work);
    } catch (error) {
      if (isBearable(error)) this.#failure = error;
      throw error;
    }
  }

  /** As `run`, with what to go on with where the server does not answer. */
  async runOr<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>, otherwise: T): Promise<T> {
    try {
      return await this.run(milliseconds, work);
    } catch (error) {
      if (isBearable(error)) return otherwise;
      throw error;
    }
  }
}

/** Ends with the work, the time limit or the caller's signal, whatever comes first, also where the work heeds no signal. */
export async function withDeadline<T>(
  stage: string,
  milliseconds: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = Promise.withResolvers<never>();
  const stop = (error: MemoryError) => {
    ended.reject(error);
    controller.abort(error);
  };
  const abort = () => stop(new MemoryError('ABORTED', `The call was aborted (${stage}).`, { cause: signal?.reason }));
  const late = () =>
    stop(new MemoryError('TIMEOUT', `${stage}: no answer within ${milliseconds} ms. Check the server, or raise \`options.deadlines\`.`));
  const timer = setTimeout(late, milliseconds);
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  try {
    const working = controller.signal.aborted ? ended.promise : work(controller.signal);
    // What it still throws after the end is of no interest to anybody.
    working.catch(() => undefined);
    return await Promise.race([ended.promise, working]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}
