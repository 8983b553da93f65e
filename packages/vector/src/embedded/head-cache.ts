import type { RecordHead, RecordTable } from './record-table.ts';

/** Emptied when full: far more than the hits of the questions asked between two writes of one user. */
const CAPACITY = 20_000;

/** Heads of one user's records as of one revision: the same records come up in question after question, and reading them is most of a search. */
export class HeadCache {
  readonly #table: RecordTable;
  readonly #user: number;
  readonly #byOrdinal = new Map<number, RecordHead>();
  readonly #byId = new Map<string, RecordHead>();

  constructor(table: RecordTable, user: number) {
    this.#table = table;
    this.#user = user;
  }

  clear(): void {
    this.#byOrdinal.clear();
    this.#byId.clear();
  }

  /** In the order of the ordinals; those without a record are left out. */
  at(ordinals: readonly number[]): RecordHead[] {
    return this.#find(
      ordinals,
      this.#byOrdinal,
      (unknown) => this.#table.heads(this.#user, unknown),
      (head) => head.ordinal,
    );
  }

  /** Those of the ids that the user has, each once. */
  of(ids: readonly string[]): RecordHead[] {
    return this.#find(
      [...new Set(ids)],
      this.#byId,
      (unknown) => this.#table.headsOf(this.#user, unknown),
      (head) => head.id,
    );
  }

  #find<K>(
    keys: readonly K[],
    known: ReadonlyMap<K, RecordHead>,
    read: (unknown: K[]) => RecordHead[],
    keyOf: (head: RecordHead) => K,
  ): RecordHead[] {
    const found = new Map<K, RecordHead>();
    const unknown: K[] = [];
    for (const key of keys) {
      const head = known.get(key);
      if (head === undefined) unknown.push(key);
      else found.set(key, head);
    }
    if (unknown.length > 0) {
      const heads = read(unknown);
      if (this.#byOrdinal.size + heads.length > CAPACITY) this.clear();
      for (const head of heads) {
        found.set(keyOf(head), head);
        this.#byOrdinal.set(head.ordinal, head);
        this.#byId.set(head.id, head);
      }
    }
    return keys.flatMap((key) => found.get(key) ?? []);
  }
}
