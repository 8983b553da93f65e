import type { Metadata } from './json.ts';
import type { Message } from './message.ts';

/** A relation that the caller knows; stored as given, without a model. */
export interface Triple {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  readonly subjectType?: string;
  readonly objectType?: string;
  readonly validAt?: string;
  readonly invalidAt?: string;
  /** 0 to 1; 1 unless given. */
  readonly confidence?: number;
  readonly properties?: Metadata;
}

/** A turn with what the caller knows about it. With `triples` the turn is not read by an extractor. */
export interface MessageInput extends Message {
  readonly triples?: readonly (Triple | readonly [subject: string, predicate: string, object: string])[];
}

/** A part of a document that a format sets apart: a page, a definition in code, a chapter. No chunk reaches over its end. */
export interface DocumentSection {
  readonly text: string;
  /** The titles above it, outermost first, joined by " > ". */
  readonly heading?: string;
  /** Of its chunks, beside the document's own, e.g. `{ page: 3 }`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A text that is longer than a turn; it is cut into chunks, each an episode of the thread `sourceId`. */
export interface DocumentInput {
  /** Markdown or plain text, cut at its headings; or the sections it consists of, which are not searched for headings. */
  readonly text: string | readonly DocumentSection[];
  /** Names the document: a path, a URL, an id of the caller. Storing the same one again replaces it. */
  readonly sourceId: string;
  readonly title?: string;
  readonly at?: string | Date;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export type StoreInput = string | MessageInput | readonly MessageInput[] | DocumentInput;

export interface StoreOptions {
  readonly userId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
  /** The caller's own key for this call: the same key again is the same call, whatever the text. What was stored first stays; `created` is false. */
  readonly key?: string;
  /** Time of messages that carry none. */
  readonly at?: string | Date;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** False: keep the text as it is and extract nothing. Default true. */
  readonly infer?: boolean;
  /** File or stream the messages came from. */
  readonly sourceId?: string;
  /** When it has to go, ISO 8601: from then on it is not recalled, and `decay()` deletes it. */
  readonly expiresAt?: string | Date;
  /** What it is stored for; the user's consent to it is looked up. Default `memory`. */
  readonly purpose?: string;
  /** Return when the record is durable, and let the indexes follow (`flush()` waits for them). Default: wait for them. */
  readonly waitForIndex?: boolean;
  readonly signal?: AbortSignal;
  /** Told of each part of a long call as it is done. */
  readonly onProgress?: (progress: StoreProgress) => void;
}

/** How far a call of `store()` is, in its turns or chunks. Both numbers only grow. */
export interface StoreProgress {
  /** Read and durable, those that were known before included. */
  readonly read: number;
  /** And in the indexes. */
  readonly indexed: number;
  readonly total: number;
}
