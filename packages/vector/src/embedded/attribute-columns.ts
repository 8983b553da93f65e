import { MemoryError, type RecordKind } from '@tandem-memory/core';

/** Bytes a row: moment (float64) and hashes of kind, agent, session and source (uint32). */
export const ATTRIBUTE_BYTES = 24;

const KINDS: readonly RecordKind[] = ['episode', 'fact'];

export interface Attributes {
  readonly kind: string;
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly sourceId?: string | undefined;
  readonly at: string;
}

/**
 * What filters read of a block's records, so that a filter costs no SQL. Texts are kept as 32-bit hashes, 0 for absent: a match is a
 * candidate, and `RowFilter.confirms` compares the record itself.
 */
export class AttributeColumns {
  readonly at: Float64Array;
  readonly kind: Uint32Array;
  readonly agent: Uint32Array;
  readonly session: Uint32Array;
  readonly source: Uint32Array;

  constructor(buffer: ArrayBufferLike, offset: number, rows: number) {
    this.at = new Float64Array(buffer, offset, rows);
    this.kind = new Uint32Array(buffer, offset + rows * 8, rows);
    this.agent = new Uint32Array(buffer, offset + rows * 12, rows);
    this.session = new Uint32Array(buffer, offset + rows * 16, rows);
    this.source = new Uint32Array(buffer, offset + rows * 20, rows);
  }

  /** A copy that does not keep the block alive. */
  copy(): AttributeColumns {
    const rows = this.at.length;
    const bytes = new Uint8Array(this.at.buffer, this.at.byteOffset, rows * ATTRIBUTE_BYTES).slice();
    return new AttributeColumns(bytes.buffer, 0, rows);
  }

  write(slot: number, attributes: Attributes): void {
    this.at[slot] = Date.parse(attributes.at);
    this.kind[slot] = hashText(attributes.kind);
    this.agent[slot] = hashText(attributes.agentId);
    this.session[slot] = hashText(attributes.sessionId);
    this.source[slot] = hashText(attributes.sourceId);
  }

  erase(slot: number): void {
    for (const column of [this.at, this.kind, this.agent, this.session, this.source]) column[slot] = 0;
  }

  /** @throws CORRUPT_RECORD for an empty slot */
  kindAt(slot: number): RecordKind {
    const kind = KINDS.find((name) => hashText(name) === this.kind[slot]);
    if (kind === undefined) throw new MemoryError('CORRUPT_RECORD', 'The index holds a record of an unknown kind; run `tandem reindex`.');
    return kind;
  }

  /** Every record has a kind, so an empty slot is told by its absence. */
  isLive(slot: number): boolean {
    return this.kind[slot] !== 0;
  }
}

/** FNV-1a with a final mix; 0 only for `undefined`. */
export function hashText(text: string | undefined): number {
  if (text === undefined) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0 || 1;
}
