import type { FactOrigin } from './fact.ts';
import type { RecordKind } from './record-kind.ts';
import type { Timestamp } from './time.ts';

/**
 * `invalidate`: a fact ended. `reopen`: such an end was undone; ends that were told before it count no more. `revise`: the text or metadata of a record changed. `merge`: a name was taken for a known entity.
 * `unmerge`: such a merge was undone, and the two never meet again; without names what told of it is gone, and they may.
 */
export const UPDATE_ACTIONS = ['invalidate', 'reopen', 'revise', 'merge', 'unmerge'] as const;
export type UpdateAction = (typeof UPDATE_ACTIONS)[number];

/** One change of a record that was there before. What was merely added is told by the record itself. */
export interface Update {
  /** Derived from what it tells: written twice it is one. */
  readonly id: string;
  readonly userId: string;
  readonly action: UpdateAction;
  readonly kind: RecordKind | 'entity';
  readonly recordId: string;
  /** The other record: the fact that took the place, the entity that the name would have been. */
  readonly relatedId?: string;
  readonly actor: FactOrigin;
  readonly reason: string;
  /** The turn that brought it about. */
  readonly episodeId?: string;
  /** Text before and after; of a merge the known name and the spelling that was met. */
  readonly before?: string;
  readonly after?: string;
  /** Record time. */
  readonly at: Timestamp;
}

/** An update with what its records say now, for people. A record that is gone has no text. */
export interface ToldUpdate extends LoggedUpdate {
  /** Text of the fact or turn, name of the entity. */
  readonly text?: string;
  /** The same of the related record. */
  readonly relatedText?: string;
}

/** An update as it is read back: in the order of the commits. */
export interface LoggedUpdate extends Update {
  readonly sequence: number;
}
