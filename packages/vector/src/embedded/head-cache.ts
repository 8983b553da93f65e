import type { RecordHead, RecordTable } from './record-table.ts';

/** Emptied when full; about 200 bytes each. */
const CAPACITY = 50_000;

/**
 * Heads of one user's records: the same records come up in question after question, and reading them is most of a search. A record never
 * changes under its ordinal, so only the blocks that a write changed are forgotten.
 */
export class HeadCache {
  readonly #table: RecordTable;
  readonly #user: number;
  readonly #blockRows: number;
  /** By block number, then by ordinal. */
  readonly #blocks = new Map<number, Map<number, RecordHead>>();
  readonly #ordinals = new Map<string, number>();
  #size = 0;

  constructor(table: RecordTable, user: number, blockRows: number) {
    this.#table = table;
    this.#user = user;
    this.#blockRows = blockRows;
  }

  forget(block: number): void {
    this.#size -= this.#blocks.get(block)?.size ?? 0;
    this.#blocks.delete(block);
  }

  /** In the order of the ordinals; those without a record are left out. */
  at(ordinals: readonly number[]): RecordHead[] {
    const found = new Map<number, RecordHead>();
    const unknown: number[] = [];
    for (const ordinal of ordinals) {
      const head = this.#blocks.get(this.#blockOf(ordinal))?.get(ordinal);
      if (head === undefined) unknown.push(ordinal);
      else found.set(ordinal, head);
    }
    if (unknown.length > 0) {
      for (const head of this.#table.heads(this.#user, unknown)) {
        found.set(head.ordinal, head);
        this.#keep(head);
      }
    }
    return ordinals.flatMap((ordinal) => found.get(ordinal) ?? []);
  }

  /**
   * By id; ids that the user does not have are left out. An ordinal is never given to another record, so one that was read before still holds
   * as long as its slot is in use.
   */
  ordinals(ids: readonly string[], isLive: (ordinal: number) => boolean): Map<string, number> {
    const found = new Map<string, number>();
    const unknown: string[] = [];
    for (const id of ids) {
      const ordinal = this.#ordinals.get(id);
      if (ordinal !== undefined && isLive(ordinal)) found.set(id, ordinal);
      else unknown.push(id);
    }
    for (const [id, ordinal] of this.#table.ordinalsOf(this.#user, unknown)) {
      if (this.#ordinals.size >= CAPACITY) this.#ordinals.clear();
      this.#ordinals.set(id, ordinal);
      found.set(id, ordinal);
    }
    return found;
  }

  #keep(head: RecordHead): void {
    if (this.#size >= CAPACITY) {
      this.#blocks.clear();
      this.#size = 0;
    }
    const number = this.#blockOf(head.ordinal);
    const block = this.#blocks.get(number) ?? new Map<number, RecordHead>();
    this.#blocks.set(number, block.set(head.ordinal, head));
    this.#size++;
  }

  #blockOf(ordinal: number): number {
    return Math.floor(ordinal / this.#blockRows);
  }
}
