import type { Timestamp } from '../domain/time.ts';

/** One decision of a user on one purpose. The newest of a purpose counts. */
export interface ConsentRecord {
  readonly userId: string;
  readonly purpose: string;
  readonly granted: boolean;
  readonly at: Timestamp;
  /** Who recorded it, and where it can be looked up. */
  readonly actor?: string;
  readonly note?: string;
}

/** What is known of the life of one record. */
export interface LifeMark {
  readonly id: string;
  readonly accessedAt?: Timestamp;
  /** How often it was recalled. */
  readonly accesses: number;
  readonly expiresAt?: Timestamp;
  readonly archivedAt?: Timestamp;
}

/**
 * What is known about records beside the record itself: consents, expiry, last access, archive. Holds no text of a memory, and names users
 * by a hash, so that a withdrawal can outlive the user's data.
 */
export interface LifecycleStore {
  open(): Promise<void>;
  /** In the order in which they were recorded. */
  consents(userId: string): Promise<ConsentRecord[]>;
  recordConsent(record: ConsentRecord): Promise<void>;
  /** Durability may lag: an access lost in a crash is no harm. */
  recordAccess(userId: string, ids: readonly string[], at: Timestamp): Promise<void>;
  setExpiry(userId: string, ids: readonly string[], expiresAt: Timestamp): Promise<void>;
  /** @param at undefined brings the records back */
  setArchived(userId: string, ids: readonly string[], at: Timestamp | undefined): Promise<void>;
  /** Puts what is known of records in the place of what was; for an import. */
  putMarks(userId: string, marks: readonly LifeMark[]): Promise<void>;
  /** By id; records of which nothing is known are left out. */
  marks(userId: string, ids: readonly string[]): Promise<Map<string, LifeMark>>;
  /** Records that are archived, or expired at that moment. */
  hidden(userId: string, at: Timestamp): Promise<LifeMark[]>;
  /** Forgets what is known of the records; without `ids` of all of the user, and consents too, save withdrawals, of which actor and note go. */
  forget(userId: string, ids?: readonly string[]): Promise<void>;
}
