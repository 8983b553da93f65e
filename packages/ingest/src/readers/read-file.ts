import type { MessageInput } from '@tandem-memory/core';

export interface TextDocument {
  readonly text: string;
  readonly title?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface ChatMessage {
  readonly message: MessageInput;
  readonly sessionId?: string;
}

/** What a reader found in a file. Messages are in the file's order. */
export interface ReadFile {
  readonly documents: readonly TextDocument[];
  readonly messages: readonly ChatMessage[];
  /** How many parts could not be read; `notes` say which and why. */
  readonly leftOut: number;
  readonly notes: readonly string[];
}
