import { MemoryError } from '@tandem-memory/core';
import { KERNEL_BYTES_BASE64 } from './kernel-bytes.ts';
import { quantize } from './quantize.ts';
import { type KernelExports, type WasmMemory, webAssembly } from './web-assembly.ts';

const PAGE_BYTES = 65_536;
/** 4 GB, the most that 32-bit addresses reach. */
const MAX_PAGES = 65_536;
/** Vectors scored in float32 by one call. */
const EXACT_ROWS = 64;
const GROWTH_PAGES = 16;

let module: object | undefined;

export interface ChunkScores {
  /** One a row: its int8 dot product with the query times the row's scale; times `queryScale` it is about the cosine. */
  readonly scores: Float32Array;
  readonly scales: Float32Array;
}

/** The int8 row length of a dimension: the next multiple of 16, the kernel's step. */
export function rowWidth(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/**
 * WebAssembly memory that holds the vectors which the kernel scans, so that a scan copies nothing. It is handed out in chunks of one size,
 * each `chunkRows` int8 rows, their scales and room for their scores; a released chunk is used again, so the memory never fragments.
 */
export class VectorMemory {
  readonly #memory: WasmMemory;
  readonly #kernel: KernelExports;
  readonly #dimensions: number;
  readonly #width: number;
  readonly #chunkRows: number;
  readonly #int8Query: number;
  readonly #float32Query: number;
  readonly #exactRows: number;
  readonly #exactScores: number;
  readonly #free: number[] = [];
  /** Views of chunks by address; growth detaches them all. */
  readonly #views = new Map<number, ChunkScores>();
  #end: number;
  #queryScale = 0;

  constructor(dimensions: number, chunkRows: number) {
    module ??= new webAssembly.Module(Buffer.from(KERNEL_BYTES_BASE64, 'base64'));
    this.#dimensions = dimensions;
    this.#width = rowWidth(dimensions);
    this.#chunkRows = chunkRows;
    this.#int8Query = 0;
    this.#float32Query = this.#width * 2;
    this.#exactRows = this.#float32Query + this.#width * 4;
    this.#exactScores = this.#exactRows + EXACT_ROWS * this.#width * 4;
    this.#end = this.#exactScores + EXACT_ROWS * 4;
    this.#memory = new webAssembly.Memory({ initial: Math.ceil(this.#end / PAGE_BYTES), maximum: MAX_PAGES });
    this.#kernel = new webAssembly.Instance(module, { env: { memory: this.#memory } }).exports as KernelExports;
  }

  /** Scale of the query in int8. */
  get queryScale(): number {
    return this.#queryScale;
  }

  /**
   * Copies a chunk in: `chunkRows` int8 rows of `rowWidth(dimensions)` bytes, then their float32 scales; what follows is ignored.
   * @returns the chunk's address, for `score` and `release`
   * @throws INDEX_UNAVAILABLE when the machine has no memory left, or 4 GB are full
   */
  add(block: Uint8Array): number {
    const address = this.#free.pop() ?? this.#extend();
    new Uint8Array(this.#memory.buffer).set(block.subarray(0, this.#chunkRows * (this.#width + 4)), address);
    return address;
  }

  release(address: number): void {
    this.#free.push(address);
  }

  setQuery(vector: Float32Array): void {
    const buffer = this.#memory.buffer;
    this.#queryScale = quantize(vector, new Int16Array(buffer, this.#int8Query, this.#width), 0);
    new Float32Array(buffer, this.#float32Query, this.#width).set(vector);
  }

  /** Scores every row of a chunk against the query. The result is a view: it holds until the next query or `add`. */
  score(address: number): ChunkScores {
    const scales = address + this.#chunkRows * this.#width;
    const scores = scales + this.#chunkRows * 4;
    this.#kernel.dotInt8(address, this.#int8Query, scales, scores, this.#chunkRows, this.#width);
    let view = this.#views.get(address);
    if (view === undefined) {
      const { buffer } = this.#memory;
      view = { scales: new Float32Array(buffer, scales, this.#chunkRows), scores: new Float32Array(buffer, scores, this.#chunkRows) };
      this.#views.set(address, view);
    }
    return view;
  }

  /** Float32 dot products of the query with vectors given as bytes. */
  exact(vectors: readonly Uint8Array[]): Float32Array {
    const scores = new Float32Array(vectors.length);
    const bytes = new Uint8Array(this.#memory.buffer);
    for (let start = 0; start < vectors.length; start += EXACT_ROWS) {
      const batch = vectors.slice(start, start + EXACT_ROWS);
      // The padding behind each vector is zero since the memory was made, and stays so.
      for (const [row, vector] of batch.entries()) bytes.set(vector.subarray(0, this.#dimensions * 4), this.#exactRows + row * this.#width * 4);
      this.#kernel.dotFloat32(this.#exactRows, this.#float32Query, this.#exactScores, batch.length, this.#width);
      scores.set(new Float32Array(this.#memory.buffer, this.#exactScores, batch.length), start);
    }
    return scores;
  }

  #extend(): number {
    const address = this.#end;
    const end = address + this.#chunkRows * (this.#width + 8);
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES;
    const missing = Math.ceil(end / PAGE_BYTES) - pages;
    if (missing > 0) {
      this.#grow(Math.max(missing, Math.min(missing + GROWTH_PAGES, MAX_PAGES - pages)));
      this.#views.clear();
    }
    this.#end = end;
    return address;
  }

  #grow(pages: number): void {
    try {
      this.#memory.grow(pages);
    } catch (error) {
      throw new MemoryError('INDEX_UNAVAILABLE', 'There is no memory left for vectors; lower `cacheBytes` of the vector index, or move to Qdrant.', {
        cause: error,
      });
    }
  }
}
