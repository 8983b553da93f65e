import type { SqliteDatabase } from '@tandem-memory/sqlite';
import type { StoredRecord } from './record-table.ts';
import { forEachTerm } from './term-list.ts';

/** Records whose postings of one term share a row. Thirteen bits are a record's place in its part, the other three its weight. */
const PART_ROWS = 2 ** 13;

/** Weights in quarters that fit the three bits; any other follows in a word of its own. */
const COMMON_STEPS = [1, 2, 3, 4, 6, 8, 12];
const RARE = COMMON_STEPS.length;

/**
 * Posting lists: one row for each user, term and part of `PART_ROWS` records, holding 16-bit words, one (rarely two) a record, in no
 * order. New postings are appended inside SQLite without being read.
 */
export class PostingTable {
  static readonly schema = `CREATE TABLE keyword_posting(user INTEGER NOT NULL, term INTEGER NOT NULL, part INTEGER NOT NULL, data BLOB NOT NULL,
    PRIMARY KEY(user, term, part)) WITHOUT ROWID;`;
  readonly #database: SqliteDatabase;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Rows of one term. */
  read(user: number, term: number): { readonly firstOrdinal: number; readonly words: Uint16Array }[] {
    const rows = this.#database.prepareArrays('SELECT part, data FROM keyword_posting WHERE user = ? AND term = ?').all(user, term);
    return rows.map(([part, data]) => ({ firstOrdinal: Number(part) * PART_ROWS, words: toWords(data as Uint8Array) }));
  }

  add(user: number, records: readonly StoredRecord[]): void {
    const append = this.#database.prepare(`INSERT INTO keyword_posting(user, term, part, data) VALUES (?, ?, ?, ?)
      ON CONFLICT(user, term, part) DO UPDATE SET data = CAST(data || excluded.data AS BLOB)`);
    for (const [part, terms] of byPart(records)) {
      for (const term of [...terms.keys()].sort((a, b) => a - b)) {
        const words: number[] = [];
        for (const { place, steps } of terms.get(term) ?? []) {
          const code = COMMON_STEPS.indexOf(steps);
          if (code >= 0) words.push((place << 3) | code);
          else words.push((place << 3) | RARE, steps);
        }
        append.run(user, term, part, toBytes(words));
      }
    }
  }

  remove(user: number, records: readonly StoredRecord[]): void {
    const select = this.#database.prepare('SELECT data FROM keyword_posting WHERE user = ? AND term = ? AND part = ?');
    const update = this.#database.prepare('UPDATE keyword_posting SET data = ? WHERE user = ? AND term = ? AND part = ?');
    const remove = this.#database.prepare('DELETE FROM keyword_posting WHERE user = ? AND term = ? AND part = ?');
    for (const [part, terms] of byPart(records)) {
      for (const [term, postings] of terms) {
        const data = select.get(user, term, part)?.['data'];
        if (data === undefined) continue;
        const gone = new Set(postings.map((posting) => posting.place));
        const kept: number[] = [];
        const words = toWords(data as Uint8Array);
        for (let i = 0; i < words.length; i++) {
          const word = words[i] ?? 0;
          const rare = (word & 7) === RARE ? words[++i] : undefined;
          if (gone.has(word >> 3)) continue;
          kept.push(word);
          if (rare !== undefined) kept.push(rare);
        }
        if (kept.length === 0) remove.run(user, term, part);
        else update.run(toBytes(kept), user, term, part);
      }
    }
  }

  wipe(user: number): void {
    this.#database.prepare('DELETE FROM keyword_posting WHERE user = ?').run(user);
  }

  deleteAll(): void {
    this.#database.prepare('DELETE FROM keyword_posting').run();
  }
}

/** Calls `visit` with each posting's place in the part and its weight in quarters. */
export function forEachPosting(words: Uint16Array, visit: (place: number, steps: number) => void): void {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] ?? 0;
    const code = word & 7;
    visit(word >> 3, (code === RARE ? words[++i] : COMMON_STEPS[code]) ?? 0);
  }
}

export function countPostings(words: Uint16Array): number {
  let count = 0;
  for (let i = 0; i < words.length; i++, count++) if (((words[i] ?? 0) & 7) === RARE) i++;
  return count;
}

interface Posting {
  readonly place: number;
  readonly steps: number;
}

/** Postings by part, then by term. */
function byPart(records: readonly StoredRecord[]): Map<number, Map<number, Posting[]>> {
  const parts = new Map<number, Map<number, Posting[]>>();
  for (const record of records) {
    const part = Math.floor(record.ordinal / PART_ROWS);
    const terms = parts.get(part) ?? new Map<number, Posting[]>();
    parts.set(part, terms);
    forEachTerm(record.payload, (term, steps) => {
      const posting = { place: record.ordinal % PART_ROWS, steps };
      const postings = terms.get(term);
      if (postings === undefined) terms.set(term, [posting]);
      else postings.push(posting);
    });
  }
  return parts;
}

function toWords(data: Uint8Array): Uint16Array {
  return new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2);
}

function toBytes(words: readonly number[]): Uint8Array {
  return new Uint8Array(Uint16Array.from(words).buffer);
}
