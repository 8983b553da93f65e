import type { AttributeColumns } from './attribute-columns.ts';
import { BlockLayout } from './block-layout.ts';
import type { PostingTable } from './posting-table.ts';
import type { StoredRecord } from './record-table.ts';
import type { RecordCodec } from './record-writer.ts';
import { totalSteps } from './term-list.ts';
import type { Chunk, ChunkLoader } from './user-cache.ts';

/** Records between two merges into the posting lists: the more, the cheaper a record; the tail is searched record by record. */
export const KEYWORD_BLOCK_ROWS = 512;
const LENGTH_BYTES = 4;

export interface KeywordChunk extends Chunk {
  readonly attributes: AttributeColumns;
  /** Sum of a record's weights, in quarters. */
  readonly lengths: Float32Array;
  readonly totalLength: number;
}

/** Keyword records as blocks of lengths; with a block its records' terms move into the posting lists. The payload is the list of terms. */
export class KeywordCodec implements RecordCodec, ChunkLoader<KeywordChunk> {
  readonly layout = new BlockLayout(KEYWORD_BLOCK_ROWS, [LENGTH_BYTES]);
  readonly chunkBytes = this.layout.bytes;
  readonly keepsPayloads = true;
  readonly #postings: PostingTable;

  constructor(postings: PostingTable) {
    this.#postings = postings;
  }

  write(block: Uint8Array, slot: number, payload: Uint8Array): void {
    this.#lengths(block)[slot] = totalSteps(payload);
  }

  load(block: Uint8Array): KeywordChunk {
    const lengths = this.#lengths(block).slice();
    return { attributes: this.layout.attributes(block).copy(), lengths, totalLength: lengths.reduce((sum, length) => sum + length, 0) };
  }

  release(): void {}

  pack(user: number, records: readonly StoredRecord[]): void {
    this.#postings.add(user, records);
  }

  unpack(user: number, records: readonly StoredRecord[]): void {
    this.#postings.remove(user, records);
  }

  wipe(user: number): void {
    this.#postings.wipe(user);
  }

  #lengths(block: Uint8Array): Float32Array {
    return new Float32Array(block.buffer, block.byteOffset, KEYWORD_BLOCK_ROWS);
  }
}
