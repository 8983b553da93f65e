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

/** Scores of a chunk's rows by their signs alone. */
export interface CoarseScores {
  /** One a row: about the cosine, see `coarseDeviation`; 0 for an empty row. */
  readonly scores: Float32Array;
  /** The largest of the scores. */
  readonly best: number;
}

/** A chunk in the vector memory. */
export interface Held {
  /** For `coarse`, `int8` and `release`. */
  readonly address: number;
  /** The least sum of magnitudes of its rows: what bounds the error of a coarse score. */
  readonly leastSum: number;
}

/** Entries of a table are 0 to 254, and 127 stands for nothing. */
const TABLE_ZERO = 127;
/** Elements that one table is about, and the combinations of their signs. */
const TABLE_ELEMENTS = 4;
const TABLE_ENTRIES = 16;

/** The int8 row length of a dimension: the next multiple of 16, the kernel's step. */
export function rowWidth(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/**
 * WebAssembly memory that holds the vectors which the kernel scans, so that a scan copies nothing. It is handed out in chunks of one size,
 * each `chunkRows` int8 rows (a multiple of 16), their scales, and what a first pass reads: the signs of the rows, an eighth of their bytes,
 * since a scan waits for memory more than it computes. A released chunk is used again, so the memory never fragments.
 */
export class VectorMemory {
  /** Bytes that a chunk takes. */
  readonly chunkBytes: number;
  readonly #memory: WasmMemory;
  readonly #kernel: KernelExports;
  readonly #dimensions: number;
  readonly #width: number;
  readonly #chunkRows: number;
  readonly #signBytes: number;
  readonly #int16Query: number;
  readonly #tables: number;
  readonly #float32Query: number;
  readonly #exactRows: number;
  readonly #exactScores: number;
  /** Where one row's score is put. */
  readonly #rowScore: number;
  /** A view; growth detaches it, and makes it empty. */
  #rowResult = new Float32Array(0);
  readonly #free: number[] = [];
  /** Views of chunks' coarse scores by address; growth detaches them all. */
  readonly #views = new Map<number, Float32Array>();
  #end: number;
  #queryScale = 0;
  #querySum = 0;
  #tableStep = 0;

  constructor(dimensions: number, chunkRows: number) {
    module ??= new webAssembly.Module(Buffer.from(KERNEL_BYTES_BASE64, 'base64'));
    this.#dimensions = dimensions;
    this.#width = rowWidth(dimensions);
    this.#chunkRows = chunkRows;
    this.#signBytes = this.#width / 8;
    // Of each row a scale, one over its sum of magnitudes, and a score.
    this.chunkBytes = chunkRows * (this.#width + 3 * 4 + this.#signBytes);
    this.#int16Query = 0;
    this.#tables = this.#width * 2;
    this.#float32Query = this.#tables + (this.#width / TABLE_ELEMENTS) * TABLE_ENTRIES;
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
   * @throws INDEX_UNAVAILABLE when the machine has no memory left, or 4 GB are full
   */
  add(block: Uint8Array): Held {
    const address = this.#free.pop() ?? this.#extend();
    new Uint8Array(this.#memory.buffer).set(block.subarray(0, this.#chunkRows * (this.#width + 4)), address);
    const { scales, signs, inverses } = this.#parts(address);
    return { address, leastSum: this.#kernel.packSigns(address, scales, signs, inverses, this.#chunkRows, this.#width) };
  }

  release(address: number): void {
    this.#free.push(address);
  }

  setQuery(vector: Float32Array): void {
    const buffer = this.#memory.buffer;
    const query = new Int16Array(buffer, this.#int16Query, this.#width);
    this.#queryScale = quantize(vector, query, 0);
    new Float32Array(buffer, this.#float32Query, this.#width).set(vector);
    this.#querySum = vector.reduce((sum, component) => sum + component, 0);
    this.#tableStep = writeTables(vector, new Uint8Array(buffer, this.#tables, this.#float32Query - this.#tables));
  }

  /**
   * Scores every row of a chunk by its signs: the query's sum with the signs over the row's sum of magnitudes. It is right on average
   * where vectors point in all directions (RaBitQ, Gao and Long 2024, without its rotation). The scores are a view: they hold until
   * the next query or `add`.
   */
  coarse(address: number): CoarseScores {
    const { signs, inverses, scores } = this.#parts(address);
    const zeros = TABLE_ZERO * (this.#width / TABLE_ELEMENTS);
    const step = 2 * this.#tableStep;
    const best = this.#kernel.dotSigns(signs, this.#tables, inverses, scores, this.#chunkRows, this.#signBytes, this.#querySum + step * zeros, step);
    let view = this.#views.get(address);
    if (view === undefined) {
      view = new Float32Array(this.#memory.buffer, scores, this.#chunkRows);
      this.#views.set(address, view);
    }
    return { scores: view, best };
  }

  /**
   * Standard deviation of a coarse score of a unit vector. With f = the sum of magnitudes over the root of the dimension, the score's variance is
   * (1 - f^2) / f^2 / (dimension - 1) (RaBitQ), and that of the rounded tables.
   * @param leastSum of the chunk
   */
  coarseDeviation(leastSum: number): number {
    const share = Math.min(1, leastSum ** 2 / this.#dimensions);
    const ofSigns = (1 - share) / share / Math.max(1, this.#dimensions - 1);
    const ofTables = ((this.#tableStep / leastSum) ** 2 * this.#width) / TABLE_ELEMENTS / 3;
    return Math.sqrt(ofSigns + ofTables);
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

  /** Where the parts of a chunk lie; its int8 rows come first. */
  #parts(address: number): { readonly scales: number; readonly inverses: number; readonly scores: number; readonly signs: number } {
    const scales = this.#scales(address);
    const column = this.#chunkRows * 4;
    return { scales, inverses: scales + column, scores: scales + 2 * column, signs: scales + 3 * column };
  }

  #extend(): number {
    const address = this.#end;
    const end = address + this.chunkBytes;
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

/**
 * For each four elements of the query 16 sums, over those that a sign bit is set for, in steps from -127 to 127.
 * @returns the step
 */
function writeTables(query: Float32Array, into: Uint8Array): number {
  let largest = 0;
  for (let first = 0; first < query.length; first += TABLE_ELEMENTS) {
    let sum = 0;
    for (let k = first; k < first + TABLE_ELEMENTS; k++) sum += Math.abs(query[k] ?? 0);
    largest = Math.max(largest, sum);
  }
  const step = largest / TABLE_ZERO || 1;
  for (let at = 0; at < into.length; at++) {
    const first = Math.floor(at / TABLE_ENTRIES) * TABLE_ELEMENTS;
    let sum = 0;
    for (let bit = 0; bit < TABLE_ELEMENTS; bit++) if (((at >> bit) & 1) === 1) sum += query[first + bit] ?? 0;
    into[at] = TABLE_ZERO + Math.round(sum / step);
  }
  return step;
}
