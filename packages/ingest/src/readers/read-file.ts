import type { DocumentInput, MessageInput } from '@tandem-memory/core';

export interface TextDocument {
  readonly text: DocumentInput['text'];
  readonly title?: string;
  /** When it was written, where it says so; ISO 8601. */
  readonly at?: string;
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

/** Why a file can't be read at all. */
export interface Refusal {
  readonly refused: string;
}

/** A file that is one document. */
export function asDocument(document: TextDocument, notes: readonly string[] = []): ReadFile {
  return { documents: [document], messages: [], leftOut: 0, notes };
}

/** A field only where it has a value: `{ ...field('title', title) }`. */
export function field<Name extends string, Value>(name: Name, value: Value | undefined): { readonly [name in Name]?: Value } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [name in Name]?: Value };
}

/** The last part of a path with forward slashes. */
export function fileNameOf(path: string | undefined): string | undefined {
  return path?.split('/').at(-1);
}
