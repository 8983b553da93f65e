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
/** A scan touches memory up to so many bytes behind a chunk. */
const TOUCHED_BEHIND = 2048;

let module: object | undefined;

/** What the query scores against a chunk's rows by their upper four bits. */
export interface CoarseScores {
  /** One a row; times `queryScale` about the cosine, with an error like that of components rounded to `COARSE_STEP` row scales. */
  readonly scores: Float32Array;
  /** One a row: component = int8 x scale; 0 for an empty row. */
  readonly scales: Float32Array;
  /** The largest of the scores. */
  readonly best: number;
}

/** Int8 steps that are one where only the upper four bits are kept. */
export const COARSE_STEP = 16;
/** An int8 is 16 x (its upper bits as 0 to 15) - 128 + its lower bits, of which the mean is 7.5. */
const MISSING = -120.5;

interface ChunkViews {
  readonly scores: Float32Array;
  readonly scales: Float32Array;
}

/** The int8 row length of a dimension: the next multiple of 16, the kernel's step. */
export function rowWidth(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/**
 * WebAssembly memory that holds the vectors which the kernel scans, so that a scan copies nothing. It is handed out in chunks of one size,
 * each `chunkRows` int8 rows, their scales, room for their scores, and the upper four bits of the rows once more side by side: a scan waits
 * for memory more than it computes, so a first pass reads half as much. A released chunk is used again, so the memory never fragments.
 */
export class VectorMemory {
  /** Bytes that a chunk takes. */
  readonly chunkBytes: number;
  readonly #memory: WasmMemory;
  readonly #kernel: KernelExports;
  readonly #dimensions: number;
  readonly #width: number;
  readonly #chunkRows: number;
  readonly #int4Bytes: number;
  readonly #int16Query: number;
  readonly #int8Query: number;
  readonly #float32Query: number;
  readonly #exactRows: number;
  readonly #exactScores: number;
  /** Where one row's score is put. */
  readonly #rowScore: number;
  /** A view; growth detaches it, and makes it empty. */
  #rowResult = new Float32Array(0);
  readonly #free: number[] = [];
  /** Views of chunks by address; growth detaches them all. */
  readonly #views = new Map<number, ChunkViews>();
  #end: number;
  #queryScale = 0;
  #coarseOffset = 0;

  constructor(dimensions: number, chunkRows: number) {
    module ??= new webAssembly.Module(Buffer.from(KERNEL_BYTES_BASE64, 'base64'));
    this.#dimensions = dimensions;
    this.#width = rowWidth(dimensions);
    this.#chunkRows = chunkRows;
    // Two elements a byte, in whole steps of 16 bytes.
    this.#int4Bytes = Math.ceil(this.#width / 32) * 16;
    this.chunkBytes = chunkRows * (this.#width + 8 + this.#int4Bytes);
    this.#int16Query = 0;
    this.#int8Query = this.#width * 2;
    this.#float32Query = this.#int8Query + this.#int4Bytes * 2;
    this.#exactRows = this.#float32Query + this.#width * 4;
    this.#exactScores = this.#exactRows + EXACT_ROWS * this.#width * 4;
    this.#rowScore = this.#exactScores + EXACT_ROWS * 4;
    this.#end = this.#rowScore + 16;
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
    this.#kernel.packInt4(address, this.#int4Rows(address), this.#chunkRows, this.#width);
    return address;
  }

  release(address: number): void {
    this.#free.push(address);
  }

  setQuery(vector: Float32Array): void {
    const buffer = this.#memory.buffer;
    const query = new Int16Array(buffer, this.#int16Query, this.#width);
    this.#queryScale = quantize(vector, query, 0);
    new Int8Array(buffer, this.#int8Query, this.#width).set(query);
    this.#coarseOffset = MISSING * query.reduce((sum, component) => sum + component, 0);
    new Float32Array(buffer, this.#float32Query, this.#width).set(vector);
  }

  /** Scores every row of a chunk against the query. The scores are a view: they hold until the next query or `add`. */
  coarse(address: number): CoarseScores {
    const { scales, scores } = this.#viewsOf(address);
    const best = this.#kernel.dotInt4(
      this.#int4Rows(address),
      this.#int8Query,
      scales.byteOffset,
      scores.byteOffset,
      this.#chunkRows,
      this.#int4Bytes,
      this.#coarseOffset,
    );
    return { scales, scores, best };
  }

  /** One row's int8 dot product with the query times the row's scale; times `queryScale` it is about the cosine. */
  int8(address: number, slot: number): number {
    const scale = this.#scales(address) + slot * 4;
    this.#kernel.dotInt8(address + slot * this.#width, this.#int16Query, scale, this.#rowScore, 1, this.#width);
    if (this.#rowResult.length === 0) this.#rowResult = new Float32Array(this.#memory.buffer, this.#rowScore, 1);
    return this.#rowResult[0] ?? 0;
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

  #scales(address: number): number {
    return address + this.#chunkRows * this.#width;
  }

  #int4Rows(address: number): number {
    return this.#scales(address) + this.#chunkRows * 8;
  }

  #viewsOf(address: number): ChunkViews {
    const known = this.#views.get(address);
    if (known !== undefined) return known;
    const { buffer } = this.#memory;
    const scales = this.#scales(address);
    const views = {
      scales: new Float32Array(buffer, scales, this.#chunkRows),
      scores: new Float32Array(buffer, scales + this.#chunkRows * 4, this.#chunkRows),
    };
    this.#views.set(address, views);
    return views;
  }

  #extend(): number {
    const address = this.#end;
    const end = address + this.chunkBytes;
    const pages = this.#memory.buffer.byteLength / PAGE_BYTES;
    const missing = Math.ceil((end + TOUCHED_BEHIND + this.#int4Bytes) / PAGE_BYTES) - pages;
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
