import type { Metadata } from './json.ts';
import type { Role } from './message.ts';

/** A call that the model asked for. Several in one message run in parallel. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON, as the model wrote it. */
  readonly arguments: string;
}

/** One message of a conversation with a model: a turn, or a part of a tool exchange. */
export interface ChatMessage {
  readonly role: Role;
  readonly content: string;
  /** The speaker's name (user), or the tool's (tool). */
  readonly name?: string;
  /** ISO 8601. A conversation fills in its clock's now. */
  readonly at?: string;
  /** The caller's own id: the same id again is the same message. */
  readonly id?: string;
  /** Of an assistant message: the calls it asks for. */
  readonly toolCalls?: readonly ToolCall[];
  /** Of a tool message: the call it answers. */
  readonly toolCallId?: string;
  readonly metadata?: Metadata;
}
