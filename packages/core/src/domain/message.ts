export const ROLES = ['user', 'assistant', 'system', 'tool'] as const;
export type Role = (typeof ROLES)[number];

/** One turn as the caller has it. */
export interface Message {
  readonly role: Role;
  readonly content: string;
  /** The speaker's name where it is known (group chats). */
  readonly name?: string;
  /** When it was said: ISO 8601, with the speaker's offset where known. The clock's now without it. */
  readonly at?: string | Date;
  /** The caller's own id: storing the same id again is the same turn, whatever its text. */
  readonly id?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}
