import type { AttributeColumns } from './attribute-columns.ts';
import type { RowFilter } from './row-filter.ts';

/** A block of records after scoring. */
export interface ScoredBlock {
  /** Ordinal of its first record. */
  readonly first: number;
  readonly attributes: AttributeColumns;
  readonly scores: Float32Array | Float64Array;
  /** The largest of the scores. */
  readonly best: number;
}

/** The best `count` records that pass the filter and score more than `floor`. */
export function bestRows(blocks: readonly ScoredBlock[], filter: RowFilter, count: number, floor: number): TopRows {
  const top = new TopRows(count, floor);
  // From the best block on the floor rises at once, and most blocks need not be looked at.
  for (const { first, attributes, scores, best } of blocks.toSorted((a, b) => b.best - a.best)) {
    if (best <= top.floor) break;
    for (let slot = 0; slot < scores.length; slot++) {
      const score = scores[slot] ?? 0;
      if (score > top.floor && filter.admits(attributes, slot)) top.offer(first + slot, score);
    }
  }
  return top;
}

/** The `capacity` best of the rows offered: a binary heap with the worst on top. Reserves nothing beyond what is offered. */
export class TopRows {
  readonly #capacity: number;
  readonly #scores: number[] = [];
  readonly #rows: number[] = [];
  #floor: number;

  constructor(capacity: number, floor: number) {
    this.#capacity = capacity;
    this.#floor = floor;
  }

  /** A row has to score more than this to get in. */
  get floor(): number {
    return this.#floor;
  }

  get isFull(): boolean {
    return this.#rows.length >= this.#capacity;
  }

  /** In no order. */
  get rows(): readonly number[] {
    return this.#rows;
  }

  offer(row: number, score: number): void {
    if (score <= this.#floor) return;
    if (this.isFull) this.#sink(row, score);
    else this.#rise(row, score);
    if (this.isFull) this.#floor = this.#scores[0] ?? this.#floor;
  }

  #rise(row: number, score: number): void {
    let at = this.#rows.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((this.#scores[parent] ?? 0) <= score) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#scores[at] = score;
    this.#rows[at] = row;
  }

  #sink(row: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#rows.length) break;
      if (child + 1 < this.#rows.length && (this.#scores[child + 1] ?? 0) < (this.#scores[child] ?? 0)) child++;
      if ((this.#scores[child] ?? 0) >= score) break;
      this.#move(child, at);
      at = child;
    }
    this.#scores[at] = score;
    this.#rows[at] = row;
  }

  #move(from: number, to: number): void {
    this.#scores[to] = this.#scores[from] ?? 0;
    this.#rows[to] = this.#rows[from] ?? 0;
  }
}
