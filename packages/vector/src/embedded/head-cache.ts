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
  readonly #byId = new Map<string, RecordHead>();

  constructor(table: RecordTable, user: number, blockRows: number) {
    this.#table = table;
    this.#user = user;
    this.#blockRows = blockRows;
  }

  forget(block: number): void {
    for (const head of this.#blocks.get(block)?.values() ?? []) this.#byId.delete(head.id);
    this.#blocks.delete(block);
  }

  /** In the order of the ordinals; those without a record are left out. */
  at(ordinals: readonly number[]): RecordHead[] {
    const known = (ordinal: number) => this.#blocks.get(this.#blockOf(ordinal))?.get(ordinal);
    return this.#find(
      ordinals,
      known,
      (unknown) => this.#table.heads(this.#user, unknown),
      (head) => head.ordinal,
    );
  }

  /** Those of the ids that the user has, each once. */
  of(ids: readonly string[]): RecordHead[] {
    const known = (id: string) => this.#byId.get(id);
    return this.#find(
      [...new Set(ids)],
      known,
      (unknown) => this.#table.headsOf(this.#user, unknown),
      (head) => head.id,
    );
  }

  #find<K>(
    keys: readonly K[],
    known: (key: K) => RecordHead | undefined,
    read: (unknown: K[]) => RecordHead[],
    keyOf: (head: RecordHead) => K,
  ): RecordHead[] {
    const found = new Map<K, RecordHead>();
    const unknown: K[] = [];
    for (const key of keys) {
      const head = known(key);
      if (head === undefined) unknown.push(key);
      else found.set(key, head);
    }
    if (unknown.length > 0) {
      for (const head of read(unknown)) {
        found.set(keyOf(head), head);
        this.#keep(head);
      }
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }

  #keep(head: RecordHead): void {
    if (this.#byId.size >= CAPACITY) {
      this.#blocks.clear();
      this.#byId.clear();
    }
    const block = this.#blocks.get(this.#blockOf(head.ordinal)) ?? new Map<number, RecordHead>();
    this.#blocks.set(this.#blockOf(head.ordinal), block.set(head.ordinal, head));
    this.#byId.set(head.id, head);
  }

  #blockOf(ordinal: number): number {
    return Math.floor(ordinal / this.#blockRows);
  }
}
