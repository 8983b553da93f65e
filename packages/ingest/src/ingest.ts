import { type Memory, MemoryError, type StoreOptions } from '@tandem-memory/core';
import { findInputs, type Input } from './find-files.ts';
import { type LoadedFile, loadBytes, loadFile } from './load-file.ts';
import { readStreamBytes } from './read-bytes.ts';
import { countItems, type StoredFile, storeFile } from './store-file.ts';

const DEFAULT_MAX_FILE_BYTES = 50 * 1024 * 1024;

export interface IngestProgress {
  readonly filesDone: number;
  readonly filesTotal: number;
  /** Messages and documents stored so far. */
  readonly itemsDone: number;
  /** Messages and documents of the files that were opened so far: it grows from file to file. */
  readonly itemsTotal: number;
  /** Undefined between two files and at the end. */
  readonly currentFile: string | undefined;
  readonly elapsedMs: number;
}

export interface IngestOptions {
  readonly userId: string;
  readonly agentId?: string;
  /** Session of messages that name none. Default: the file is their thread. */
  readonly sessionId?: string;
  /** Time of what carries none. */
  readonly at?: string | Date;
  /** False: keep the text as it is and extract nothing. Default true. */
  readonly infer?: boolean;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Stops between two calls of `store()` at the latest. What was stored stays; the same ingest again goes on. */
  readonly signal?: AbortSignal;
  /** Larger files are refused. Default 50 MiB. */
  readonly maxFileBytes?: number;
  /** What the input `-` reads. Default: the stdin of the process. */
  readonly stdin?: AsyncIterable<Uint8Array | string>;
  /** Folder that relative paths start from, and that the names of the sources are relative to. Default: the process's. */
  readonly cwd?: string;
}

export interface FileReport {
  /** Relative to the working folder, with forward slashes: the source id of what was stored. `-` is stdin. */
  readonly path: string;
  /** `unchanged`: all of it was stored before. `skipped`: not for a memory, `reason` says why. `failed`: it could not be read. */
  readonly status: 'ingested' | 'unchanged' | 'skipped' | 'failed';
  readonly reason?: string;
  /** Episodes that the file holds: its messages, or the chunks of its text. */
  readonly items: number;
  readonly notes: readonly string[];
}

export interface IngestReport {
  readonly files: readonly FileReport[];
  /** Episodes that the files hold, new and known. */
  readonly episodes: number;
  readonly created: number;
  /** Different entities and facts that the run created or met again. */
  readonly entities: number;
  readonly facts: number;
  /** Messages and other items inside the ingested files that were left out; the notes of the files say why. */
  readonly skipped: number;
  readonly seconds: number;
}

type Source = Extract<Input, { readonly kind: 'file' | 'stdin' }>;

/**
 * Reads files, folders, globs and stdin (`-`) into a memory. A repeat stores nothing twice, and completes a run that was stopped.
 * Inside folders and globs, what can't be read is listed in the report; what the user named must be readable, else nothing is stored.
 * @throws FILE_NOT_FOUND, FILE_UNSUPPORTED (a named file that is binary or too large), INPUT_EMPTY (empty stdin, no input), ABORTED, and
 * the errors of `Memory.store`
 */
export async function ingest(memory: Pick<Memory, 'store'>, inputs: readonly string[], options: IngestOptions): Promise<IngestReport> {
  try {
    return await run(memory, inputs, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    throw new MemoryError('ABORTED', 'The ingest was stopped. What was stored is kept; run it again to go on.', { cause: error });
  }
}

async function run(memory: Pick<Memory, 'store'>, inputs: readonly string[], options: IngestOptions): Promise<IngestReport> {
  const started = performance.now();
  const maxFileBytes = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
  const found = await findInputs(inputs, options);
  const stdin = found.some((input) => input.kind === 'stdin') ? await loadStdin(options.stdin ?? process.stdin, maxFileBytes) : undefined;
  for (const input of found) if (input.kind === 'file' && input.named) requireReadable(input.name, await loadFile(input, maxFileBytes));

  const progress = { filesDone: 0, filesTotal: found.filter(isSource).length, itemsDone: 0, itemsTotal: 0 };
  const tell = (currentFile: string | undefined) =>
    options.onProgress?.({ ...progress, currentFile, elapsedMs: Math.round(performance.now() - started) });
  const files: FileReport[] = [];
  const stored: StoredFile[] = [];
  let leftOut = 0;
  for (const input of found) {
    if (!isSource(input)) {
      files.push({ path: input.name, status: input.kind, reason: input.reason, items: 0, notes: [] });
      continue;
    }
    options.signal?.throwIfAborted();
    const loaded = input.kind === 'file' ? await loadFile(input, maxFileBytes) : stdin;
    if (loaded?.status === 'loaded') {
      const { content, sourceId } = loaded;
      progress.itemsTotal += countItems(content);
      tell(input.name);
      const outcome = await storeFile(memory, content, toStoreOptions(options, sourceId), (items) => {
        progress.itemsDone += items;
        tell(input.name);
      });
      stored.push(outcome);
      leftOut += content.leftOut;
      files.push(reportStored(input.name, outcome, content.notes));
    } else if (loaded !== undefined) {
      files.push({ path: input.name, status: loaded.status === 'failed' ? 'failed' : 'skipped', reason: loaded.reason, items: 0, notes: [] });
    }
    progress.filesDone++;
    tell(undefined);
  }
  return {
    files,
    episodes: sum(stored, (file) => file.episodes),
    created: sum(stored, (file) => file.created),
    entities: new Set(stored.flatMap((file) => [...file.entityIds])).size,
    facts: new Set(stored.flatMap((file) => [...file.factIds])).size,
    skipped: leftOut + sum(stored, (file) => file.skipped),
    seconds: (performance.now() - started) / 1000,
  };
}

async function loadStdin(stream: AsyncIterable<Uint8Array | string>, maxFileBytes: number): Promise<LoadedFile> {
  const loaded = loadBytes(await readStreamBytes(stream, maxFileBytes), maxFileBytes);
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

function toStoreOptions(options: IngestOptions, sourceId: string): StoreOptions & { readonly sourceId: string } {
  const { userId, agentId, sessionId, at, infer, signal } = options;
  return {
    userId,
    sourceId,
    ...(agentId === undefined ? {} : { agentId }),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(at === undefined ? {} : { at }),
    ...(infer === undefined ? {} : { infer }),
    ...(signal === undefined ? {} : { signal }),
  };
}

function reportStored(path: string, stored: StoredFile, readerNotes: readonly string[]): FileReport {
  const notes = [...readerNotes, ...stored.notes];
  if (stored.episodes === 0) return { path, status: 'skipped', reason: 'nothing in it to remember', items: 0, notes };
  return { path, status: stored.changed ? 'ingested' : 'unchanged', items: stored.episodes, notes };
}

function sum<T>(items: readonly T[], size: (item: T) => number): number {
  return items.reduce((total, item) => total + size(item), 0);
}
