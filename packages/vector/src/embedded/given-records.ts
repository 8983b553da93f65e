import type { RecordKind } from '@tandem-memory/core';
import type { RowFilter } from './row-filter.ts';
import type { Chunk, UserState } from './user-cache.ts';

/** A record as a hit names it, and where it lies. */
export interface GivenRecord {
  readonly ordinal: number;
  readonly id: string;
  readonly kind: RecordKind;
}

/** Those of the ids that the user has and that pass the filter, each once. `rows`: records a block. */
export function givenRecords(ids: readonly string[], { chunks, heads }: UserState<Chunk>, rows: number, filter: RowFilter): GivenRecord[] {
  const place = (ordinal: number) => ({ slot: ordinal % rows, attributes: chunks.get(Math.floor(ordinal / rows))?.attributes });
  const isLive = (ordinal: number) => {
    const { slot, attributes } = place(ordinal);
    return attributes?.isLive(slot) === true;
  };
  const admitted: GivenRecord[] = [];
  for (const [id, ordinal] of heads.ordinals([...new Set(ids)], isLive)) {
    const { slot, attributes } = place(ordinal);
    if (attributes !== undefined && filter.admits(attributes, slot)) admitted.push({ ordinal, id, kind: attributes.kindAt(slot) });
  }
  if (filter.isExact) return admitted;
  const confirmed = new Set(
    heads
      .at(admitted.map((record) => record.ordinal))
      .filter((head) => filter.confirms(head))
      .map((head) => head.ordinal),
  );
  return admitted.filter((record) => confirmed.has(record.ordinal));
}
