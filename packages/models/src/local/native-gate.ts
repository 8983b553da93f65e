const SHUT = 0;
const INSIDE = 1;

/**
 * Shared by a worker and its owner, so that the thread ends only while it is outside of native code: onnxruntime aborts the whole
 * process when its thread is terminated in the middle of a run. The worker enters before each run; the owner shuts the gate.
 */
export class NativeGate {
  /** To hand to the other thread. */
  readonly buffer: SharedArrayBuffer;
  readonly #state: Int32Array<SharedArrayBuffer>;

  constructor(buffer = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.buffer = buffer;
    this.#state = new Int32Array(buffer);
  }

  /** False when the gate is shut; then nothing may be called. */
  enter(): boolean {
    // Says "inside" first and looks second; the owner does it the other way round, so one of the two always sees the other.
    Atomics.store(this.#state, INSIDE, 1);
    if (Atomics.load(this.#state, SHUT) === 0) return true;
    this.leave();
    return false;
  }

  leave(): void {
    Atomics.store(this.#state, INSIDE, 0);
    Atomics.notify(this.#state, INSIDE);
  }

  /** Resolves when nobody is inside, and nobody will be again. */
  async shut(): Promise<void> {
    Atomics.store(this.#state, SHUT, 1);
    await Atomics.waitAsync(this.#state, INSIDE, 1).value;
  }

  /** The same for the end of the process, where nothing asynchronous runs any more. Gives up after `timeoutMs`. */
  shutSync(timeoutMs: number): void {
    Atomics.store(this.#state, SHUT, 1);
    Atomics.wait(this.#state, INSIDE, 1, timeoutMs);
  }
}
