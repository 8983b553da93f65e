import { type IndexFilter, MemoryError } from '@tandem-memory/core';
import { type AttributeColumns, type Attributes, hashText } from './attribute-columns.ts';

/** An `IndexFilter` prepared for a scan. `ids` is not looked at here: it decides which rows are scanned at all. */
export class RowFilter {
  readonly #filter: IndexFilter;
  readonly #kinds: readonly number[] | undefined;
  readonly #agent: number;
  readonly #session: number;
  readonly #source: number;
  readonly #since: number;
  readonly #until: number;

  /** @throws INPUT_INVALID where `since` or `until` is no moment */
  constructor(filter: IndexFilter) {
    this.#filter = filter;
    this.#kinds = filter.kinds?.map(hashText);
    this.#agent = hashText(filter.agentId);
    this.#session = hashText(filter.sessionId);
    this.#source = hashText(filter.sourceId);
    this.#since = filter.since === undefined ? Number.NEGATIVE_INFINITY : moment(filter.since, 'since');
    this.#until = filter.until === undefined ? Number.POSITIVE_INFINITY : moment(filter.until, 'until');
  }

  /** Whether `admits` leaves nothing to `confirms`: moments and kinds are compared exactly, texts by their hashes. */
  get isExact(): boolean {
    return this.#agent === 0 && this.#session === 0 && this.#source === 0;
  }

  /** False for an empty slot and for a record that can't match; true for one that matches, or very rarely has colliding hashes. */
  admits(columns: AttributeColumns, slot: number): boolean {
    const at = columns.at[slot] ?? Number.NaN;
    return (
      columns.isLive(slot) &&
      at >= this.#since &&
      at < this.#until &&
      (this.#agent === 0 || columns.agent[slot] === this.#agent) &&
      (this.#session === 0 || columns.session[slot] === this.#session) &&
      (this.#source === 0 || columns.source[slot] === this.#source) &&
      (this.#kinds === undefined || this.#kinds.includes(columns.kind[slot] ?? 0))
    );
  }

  /** The exact test, on the record itself. */
  confirms(record: Attributes): boolean {
    const { agentId, sessionId, sourceId, kinds } = this.#filter;
    const at = Date.parse(record.at);
    return (
      at >= this.#since &&
      at < this.#until &&
      (agentId === undefined || record.agentId === agentId) &&
      (sessionId === undefined || record.sessionId === sessionId) &&
      (sourceId === undefined || record.sourceId === sourceId) &&
      (kinds === undefined || kinds.some((kind) => kind === record.kind))
    );
  }
}

function moment(text: string, name: string): number {
  const milliseconds = Date.parse(text);
  if (Number.isNaN(milliseconds))
    throw new MemoryError('INPUT_INVALID', `The filter's \`${name}\` is not a moment; write it as ISO 8601, e.g. 2024-02-29T12:00:00.000Z.`);
  return milliseconds;
}
