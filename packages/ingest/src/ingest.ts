import { MemoryError } from '@tandem-memory/core';
import PQueue from 'p-queue';
import { findInputs, foldersAmong, type Input } from './find-files.ts';
import type { FileReport, IngestOptions, IngestReport, IngestTarget } from './ingest-options.ts';
import { type LoadedFile, loadBytes, loadFile } from './load-file.ts';
import { NamedFiles } from './named-files.ts';
import { ProgressCounter } from './progress.ts';
import { readStreamBytes } from './read-bytes.ts';
import { Sources } from './sources.ts';
import { countItems, type StoredFile, storeFile } from './store-file.ts';

const DEFAULT_MAX_FILE_BYTES = 50 * 1024 * 1024;
const DEFAULT_CONCURRENCY = 4;

type Source = Extract<Input, { readonly kind: 'file' | 'stdin' }>;

/**
 * Reads files, folders, globs and stdin (`-`) into a memory. A repeat stores nothing twice, completes a run that was stopped, replaces what
 * changed and removes what vanished: chunks, messages, and files of a folder that were stored from the same working folder before.
 * Inside folders and globs, what can't be read is listed in the report; what the user named must be readable, else nothing is stored.
 * @throws FILE_NOT_FOUND, FILE_UNSUPPORTED (a named file that is binary, damaged or too large), INPUT_EMPTY (empty stdin, no input), ABORTED,
 * and the errors of `Memory.store`
 */
export async function ingest(memory: IngestTarget, inputs: readonly string[], options: IngestOptions): Promise<IngestReport> {
  try {
    return await run(memory, inputs, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    throw new MemoryError('ABORTED', 'The ingest was stopped. What was stored is kept; run it again to go on.', { cause: error });
  }
}

interface FileOutcome {
  readonly report: FileReport;
  readonly stored?: Omit<StoredFile, 'ids'>;
  readonly leftOut?: number;
  readonly removed?: number;
}

async function run(memory: IngestTarget, inputs: readonly string[], options: IngestOptions): Promise<IngestReport> {
  const started = performance.now();
  const maxFileBytes = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
  const found = await findInputs(inputs, options);
  const stdin = found.some((input) => input.kind === 'stdin') ? await loadStdin(options.stdin ?? process.stdin, maxFileBytes) : undefined;
  const named = new NamedFiles();
  for (const input of found) {
    if (input.kind === 'file' && input.named) requireReadable(input.name, await named.load(input, maxFileBytes));
  }
  const sources = await Sources.of(memory, options);
  const progress = await ProgressCounter.of(found, options.onProgress);

  const ingestOne = async (input: Input): Promise<FileOutcome> => {
    if (!isSource(input)) return { report: { path: input.name, status: input.kind, reason: input.reason, items: 0, notes: [] } };
    options.signal?.throwIfAborted();
    const loaded = input.kind === 'file' ? ((await named.take(input)) ?? (await loadFile(input, maxFileBytes))) : stdin;
    const outcome = await storeLoaded(input, loaded, { memory, options, sources, progress });
    progress.fileDone(input.name);
    return outcome;
  };
  const queue = new PQueue({ concurrency: options.concurrency ?? DEFAULT_CONCURRENCY });
  let outcomes: FileOutcome[];
  try {
    outcomes = await Promise.all(found.map((input) => queue.add(() => ingestOne(input))));
  } catch (error) {
    queue.clear();
    await queue.onIdle().catch(() => undefined);
    throw error;
  }
  if (options.keepVanished !== true) {
    for (const { sourceId, removed } of await sources.removeVanished(found, await foldersAmong(inputs, options))) {
      const report = { path: sourceId, status: 'removed' as const, reason: 'the file is gone', items: removed, notes: [] };
      outcomes.push({ report, removed });
    }
  }
  const stored = outcomes.flatMap((outcome) => outcome.stored ?? []);
  return {
    files: outcomes.map((outcome) => outcome.report),
    episodes: sum(stored, (file) => file.episodes),
    created: sum(stored, (file) => file.created),
    entities: new Set(stored.flatMap((file) => [...file.entityIds])).size,
    facts: new Set(stored.flatMap((file) => [...file.factIds])).size,
    removed: sum(stored, (file) => file.replaced) + sum(outcomes, (outcome) => outcome.removed ?? 0),
    skipped: sum(outcomes, (outcome) => outcome.leftOut ?? 0) + sum(stored, (file) => file.skipped),
    bytes: progress.bytes,
    seconds: (performance.now() - started) / 1000,
  };
}

async function storeLoaded(
  input: Source,
  loaded: LoadedFile | undefined,
  run: { readonly memory: IngestTarget; readonly options: IngestOptions; readonly sources: Sources; readonly progress: ProgressCounter },
): Promise<FileOutcome> {
  const { memory, options, sources, progress } = run;
  if (loaded?.status !== 'loaded') {
    const removed = loaded?.status === 'empty' && options.keepVanished !== true ? await sources.removeAll(input.name) : 0;
    const status = removed > 0 ? 'removed' : loaded?.status === 'failed' ? 'failed' : 'skipped';
    return { report: { path: input.name, status, reason: loaded?.reason ?? 'empty', items: removed, notes: [] }, removed };
  }
  const { content, sourceId } = loaded;
  const items = countItems(content);
  progress.fileOpened(input.name, items);
  const scope = { ...sources.storeOptions(sourceId), ...(options.at === undefined && loaded.at !== undefined ? { at: loaded.at } : {}) };
  // The ids are let go of here: of a large folder they would be the most that is kept.
  const { ids, ...stored } = await storeFile(memory, content, scope, (done) => progress.itemsStored(input.name, done, items));
  const removed = options.keepVanished === true ? 0 : await sources.removeRest(sourceId, ids);
  const notes = [...content.notes, ...stored.notes];
  const { leftOut } = content;
  if (stored.episodes === 0 && removed + stored.replaced === 0) {
    return { report: { path: input.name, status: 'skipped', reason: 'nothing in it to remember', items: 0, notes }, stored, leftOut };
  }
  const status = stored.changed || removed > 0 ? 'ingested' : 'unchanged';
  return { report: { path: input.name, status, items: stored.episodes, notes }, stored, leftOut, removed };
}

async function loadStdin(stream: AsyncIterable<Uint8Array | string>, maxFileBytes: number): Promise<LoadedFile> {
  const loaded = await loadBytes(await readStreamBytes(stream, maxFileBytes), maxFileBytes);
  if (loaded.status === 'empty') throw new MemoryError('INPUT_EMPTY', 'Stdin is empty: pipe a text or chat lines into it, or name a file.');
  requireReadable('stdin', loaded);
  return loaded;
}

function requireReadable(name: string, loaded: LoadedFile): void {
  if (loaded.status === 'refused') throw new MemoryError('FILE_UNSUPPORTED', `${name}: ${loaded.reason}. Nothing was stored.`);
}

function isSource(input: Input): input is Source {
  return input.kind === 'file' || input.kind === 'stdin';
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
