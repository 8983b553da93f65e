import type { FactOrigin } from './fact.ts';
import type { RecordKind } from './record-kind.ts';
import type { Timestamp } from './time.ts';

/** One event in the life of a memory and of those that took its place. */
export interface HistoryEntry {
  readonly action: 'added' | 'changed' | 'ended';
  readonly kind: RecordKind;
  readonly id: string;
  /** The text that held from then on; of an end, the text that ended. */
  readonly text: string;
  /** The text before a change. */
  readonly before?: string;
  /** When the record learned of it. */
  readonly at: Timestamp;
  /** Since when, and until when, it holds in the world. */
  readonly validAt?: Timestamp;
  readonly invalidAt?: Timestamp;
  readonly reason: string;
  readonly actor: FactOrigin;
  /** The turn that brought it about. */
  readonly episodeId?: string;
  /** The fact that took its place. */
  readonly replacedBy?: string;
}
