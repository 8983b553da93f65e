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
  readonly #heads = new Map<number, RecordHead>();
  readonly #ordinals = new Map<string, number>();

  constructor(table: RecordTable, user: number, blockRows: number) {
    this.#table = table;
    this.#user = user;
    this.#blockRows = blockRows;
  }

  forget(block: number): void {
    if (this.#heads.size === 0) return;
    const first = block * this.#blockRows;
    for (let ordinal = first; ordinal < first + this.#blockRows; ordinal++) this.#heads.delete(ordinal);
  }

  /** In the order of the ordinals; those without a record are left out. */
  at(ordinals: readonly number[]): RecordHead[] {
    if (this.#heads.size >= CAPACITY) this.#heads.clear();
    const unknown = ordinals.filter((ordinal) => !this.#heads.has(ordinal));
    if (unknown.length > 0) for (const head of this.#table.heads(this.#user, unknown)) this.#heads.set(head.ordinal, head);
    return ordinals.flatMap((ordinal) => this.#heads.get(ordinal) ?? []);
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
}
