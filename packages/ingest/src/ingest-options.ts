import type { Memory } from '@tandem-memory/core';
import type { IngestProgress } from './progress.ts';

/** What of a memory an ingest needs. */
export type IngestTarget = Pick<Memory, 'store' | 'episodes' | 'sources' | 'forget'>;

export interface IngestOptions {
  readonly userId: string;
  readonly agentId?: string;
  /** Session of messages that name none. Default: the file is their thread. */
  readonly sessionId?: string;
  /** Kept beside what is new, under what the files themselves say. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Time of what carries none. */
  readonly at?: string | Date;
  /** False: keep the text as it is and extract nothing. Default true. */
  readonly infer?: boolean;
  readonly onProgress?: (progress: IngestProgress) => void;
  /** Stops between two calls of `store()` at the latest. What was stored stays; the same ingest again goes on. */
  readonly signal?: AbortSignal;
  /** Files read at once; with a language model the calls of several files then run side by side. Default 4. */
  readonly concurrency?: number;
  /** Keep what was stored of files that are gone from a folder, and of messages that are gone from a chat. Default: they go too. */
  readonly keepVanished?: boolean;
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
  /**
   * `unchanged`: all of it was stored before. `skipped`: not for a memory, `reason` says why. `failed`: it could not be read. `removed`: it is
   * gone, or empty now, and what was stored of it went.
   */
  readonly status: 'ingested' | 'unchanged' | 'skipped' | 'failed' | 'removed';
  readonly reason?: string;
  /** Episodes that the file holds: its messages, or the chunks of its text. Of one that was removed: those that went. */
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
  /** Episodes that went, since what they were read from is gone. */
  readonly removed: number;
  /** Messages and other items inside the ingested files that were left out; the notes of the files say why. */
  readonly skipped: number;
  /** Size of the files that were read. */
  readonly bytes: number;
  readonly seconds: number;
}
