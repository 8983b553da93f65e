import type { AttributeColumns } from './attribute-columns.ts';
import { BlockLayout } from './block-layout.ts';
import { quantize } from './kernel/quantize.ts';
import { type Held, rowWidth, VectorMemory } from './kernel/vector-memory.ts';
import type { RecordCodec } from './record-writer.ts';
import type { Chunk, ChunkLoader } from './user-cache.ts';

/** Large enough that a cold load reads few rows, small enough that a delete rewrites little (53 kB at 384 dimensions). */
export const VECTOR_BLOCK_ROWS = 128;
const SCALE_BYTES = 4;

export interface VectorChunk extends Chunk, Held {
  /** Of its rows' scales; what bounds the error of an int8 score. */
  readonly largestScale: number;
  readonly attributes: AttributeColumns;
}

/** Vectors as blocks: int8 rows, one float32 scale each. The payload of a record is its float32 vector, in little-endian bytes. */
export class VectorCodec implements RecordCodec, ChunkLoader<VectorChunk> {
  readonly layout: BlockLayout;
  readonly chunkBytes: number;
  readonly keepsPayloads = false;
  readonly memory: VectorMemory;
  readonly #width: number;

  constructor(dimensions: number) {
    this.#width = rowWidth(dimensions);
    this.layout = new BlockLayout(VECTOR_BLOCK_ROWS, [this.#width, SCALE_BYTES]);
    this.memory = new VectorMemory(dimensions, VECTOR_BLOCK_ROWS);
    this.chunkBytes = this.layout.bytes + this.memory.chunkBytes - VECTOR_BLOCK_ROWS * (this.#width + SCALE_BYTES);
  }

  write(block: Uint8Array, slot: number, payload: Uint8Array): void {
    const vector = new Float32Array(payload.buffer, payload.byteOffset, payload.byteLength / 4);
    const rows = new Int8Array(block.buffer, block.byteOffset, VECTOR_BLOCK_ROWS * this.#width);
    const scales = new Float32Array(block.buffer, block.byteOffset + this.layout.offset(1), VECTOR_BLOCK_ROWS);
    scales[slot] = quantize(vector, rows, slot * this.#width);
  }

  load(block: Uint8Array): VectorChunk {
    const scales = new Float32Array(block.buffer, block.byteOffset + this.layout.offset(1), VECTOR_BLOCK_ROWS);
    return { ...this.memory.add(block), largestScale: Math.max(...scales), attributes: this.layout.attributes(block).copy() };
  }

  release(chunk: VectorChunk): void {
    this.memory.release(chunk.address);
  }
}
