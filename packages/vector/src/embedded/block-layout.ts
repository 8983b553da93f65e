import { ATTRIBUTE_BYTES, AttributeColumns } from './attribute-columns.ts';

/** A block holds `rows` records column by column: first the index's own columns, then those that filters read. */
export class BlockLayout {
  readonly rows: number;
  readonly bytes: number;
  readonly #widths: readonly number[];

  /** @param widths bytes a row of each own column; `rows` is a multiple of 8, so that every column starts aligned */
  constructor(rows: number, widths: readonly number[]) {
    this.rows = rows;
    this.#widths = widths;
    this.bytes = this.offset(widths.length) + rows * ATTRIBUTE_BYTES;
  }

  /** Where the own column begins. */
  offset(column: number): number {
    let offset = 0;
    for (const width of this.#widths.slice(0, column)) offset += width * this.rows;
    return offset;
  }

  attributes(block: Uint8Array): AttributeColumns {
    return new AttributeColumns(block.buffer, block.byteOffset + this.offset(this.#widths.length), this.rows);
  }

  /** Overwrites a row with zeros: what was forgotten must not stay in the block. */
  erase(block: Uint8Array, slot: number): void {
    for (const [column, width] of this.#widths.entries()) {
      const start = this.offset(column) + slot * width;
      block.fill(0, start, start + width);
    }
    this.attributes(block).erase(slot);
  }

  liveSlots(block: Uint8Array): number[] {
    if (block.length === 0) return [];
    const attributes = this.attributes(block);
    const slots: number[] = [];
    for (let slot = 0; slot < this.rows; slot++) if (attributes.isLive(slot)) slots.push(slot);
    return slots;
  }
}
