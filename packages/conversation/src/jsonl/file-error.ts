import { MemoryError } from '@tandem-memory/core';

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** The one place where errors of the file system become ours. */
export function translateFileError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string' || MemoryError.isInstance(error)) return error;
  const remedy =
    error.code === 'ENOSPC'
      ? 'The disk is full. Nothing of this write counts.'
      : 'Check that the folder exists and may be written (option `folder`).';
  return new MemoryError('STORAGE_FAILED', `${path} can't be read or written (${error.code}). ${remedy}`, { cause: error });
}
