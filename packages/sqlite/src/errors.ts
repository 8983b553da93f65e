import { MemoryError } from '@tandem-memory/core';

const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const CORRUPT = 11;
const FULL = 13;
const CANNOT_OPEN = 14;
const NOT_A_DB = 26;

function codeOf(error: Error): number | undefined {
  return 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : undefined;
}

export function isBusy(error: unknown): boolean {
  const code = error instanceof Error ? codeOf(error) : undefined;
  return code !== undefined && ((code & 0xff) === BUSY || (code & 0xff) === LOCKED);
}

/** The one place where native SQLite errors become ours. Errors that are ours already pass through. */
export function translateError(error: unknown, path: string): unknown {
  if (MemoryError.isInstance(error) || !(error instanceof Error)) return error;
  const extended = codeOf(error);
  if (extended === undefined) return error;
  const details = { sqliteCode: extended };
  switch (extended & 0xff) {
    case BUSY:
    case LOCKED:
      return new MemoryError(
        'STORAGE_BUSY',
        `${path} is being written by another process for longer than the busy timeout. Try again, or raise \`busyTimeoutMs\`.`,
        { cause: error, details },
      );
    case NOT_A_DB:
      return new MemoryError('NOT_A_DATABASE', `${path} is not a SQLite database. Choose another file with --db (option \`path\`).`, {
        cause: error,
        details,
      });
    case CANNOT_OPEN:
      return new MemoryError(
        'CONFIG_INVALID',
        `${path} can't be opened or created. Check that its folder exists and may be written (option \`path\`, --db).`,
        { cause: error, details },
      );
    case READONLY:
      return new MemoryError('STORAGE_FAILED', `${path} may not be written. Check the permissions of the file and its folder.`, {
        cause: error,
        details,
      });
    case FULL:
      return new MemoryError('STORAGE_FAILED', `The disk that holds ${path} is full. Nothing of this write was kept.`, { cause: error, details });
    case CORRUPT:
      return new MemoryError('STORAGE_FAILED', `${path} is damaged. Restore it from a copy.`, { cause: error, details });
    default:
      return new MemoryError('STORAGE_FAILED', `SQLite refused a statement on ${path}: ${error.message}`, { cause: error, details });
  }
}
