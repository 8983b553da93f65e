import type { Memory, MessageInput, Receipt, StoreInput, StoreOptions, StoreProgress } from '@tandem-memory/core';
import { NoteList } from './note-list.ts';
import type { ReadFile, TextDocument } from './readers/read-file.ts';
import { groupSessions } from './sessions.ts';

/** Messages a call: what a killed run has to do again at most, and few enough for progress to be seen. */
const BATCH_SIZE = 200;

export interface StoredFile {
  readonly episodes: number;
  /** Of the episodes. */
  readonly ids: ReadonlySet<string>;
  readonly created: number;
  /** Chunks of the version before that went. */
  readonly replaced: number;
  readonly entityIds: ReadonlySet<string>;
  readonly factIds: ReadonlySet<string>;
  /** Items that `store()` did not take. */
  readonly skipped: number;
  readonly notes: readonly string[];
  /** False where everything was there before and nothing had to be done. */
  readonly changed: boolean;
}

/** Messages and documents to store. */
export function countItems(content: ReadFile): number {
  return content.messages.length + content.documents.length;
}

/**
 * Stores a file's content through `memory.store()`, call after call; each call is durable when it returns, and a repeat goes on behind it.
 * @param onStored told how many items are stored so far; within a call its part of them
 * @throws the errors of `Memory.store`, and the signal's reason between two calls
 */
export async function storeFile(
  memory: Pick<Memory, 'store'>,
  content: ReadFile,
  options: StoreOptions & { readonly sourceId: string },
  onStored: (items: number) => void,
): Promise<StoredFile> {
  const receipts: Receipt[] = [];
  let stored = 0;
  const store = async (input: StoreInput, scope: StoreOptions, items: number) => {
    options.signal?.throwIfAborted();
    // Reading and indexing count half each: which takes longer depends on the models.
    const onProgress = ({ read, indexed, total }: StoreProgress) => onStored(stored + (items * (read + indexed)) / (2 * total));
    receipts.push(await memory.store(input, { ...scope, onProgress }));
    stored += items;
    onStored(stored);
  };
  for (const { sessionId, messages } of groupSessions(content.messages, options.sessionId)) {
    const scope = { ...options, ...(sessionId === undefined ? {} : { sessionId }) };
    for (const batch of batches(messages)) await store(batch, scope, batch.length);
  }
  // A document replaces what was stored of its source before, chunk by chunk.
  for (const document of content.documents) await store(toInput(document, options.sourceId), options, 1);
  return summarise(receipts);
}

function toInput(document: TextDocument, sourceId: string): StoreInput {
  const { at, ...rest } = document;
  return { ...rest, sourceId, ...(at === undefined ? {} : { at }) };
}

function* batches(messages: readonly MessageInput[]): Generator<readonly MessageInput[]> {
  for (let from = 0; from < messages.length; from += BATCH_SIZE) yield messages.slice(from, from + BATCH_SIZE);
}

function summarise(receipts: readonly Receipt[]): StoredFile {
  const episodes = receipts.flatMap((receipt) => receipt.episodes);
  const skipped = receipts.flatMap((receipt) => receipt.skipped);
  const created = episodes.filter((episode) => episode.created).length;
  const replaced = receipts.reduce((sum, receipt) => sum + (receipt.replaced ?? 0), 0);
  const revised = receipts.reduce((sum, receipt) => sum + (receipt.revised ?? 0), 0);
  const entityIds = new Set(receipts.flatMap((receipt) => receipt.entities.map((entity) => entity.id)));
  const factIds = new Set(receipts.flatMap((receipt) => receipt.facts.map((fact) => fact.id)));
  const degraded = receipts.flatMap((receipt) => receipt.degraded);
  const masked = new Set(receipts.flatMap((receipt) => receipt.masked ?? []));
  const notes = new NoteList();
  if (masked.size > 0) notes.add(`masked: ${[...masked].join(', ')}`);
  for (const note of degraded) notes.add(note);
  for (const [reason, items] of Map.groupBy(skipped, (item) => `${item.item}: ${item.reason}`)) notes.add(`${items.length} left out (${reason})`);
  return {
    episodes: episodes.length,
    ids: new Set(episodes.map((episode) => episode.id)),
    created,
    replaced,
    entityIds,
    factIds,
    skipped: skipped.length,
    notes: notes.list(),
    changed: created + replaced + revised + entityIds.size + factIds.size + degraded.length > 0,
  };
}
