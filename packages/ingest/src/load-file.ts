import { deriveId } from '@tandem-memory/core';
import { decodeText } from './decode-text.ts';
import { reasonOf } from './file-error.ts';
import { readFileBytes } from './read-bytes.ts';
import { readContent } from './readers/read-content.ts';
import type { ReadFile } from './readers/read-file.ts';

/** A file's content and the source id under which it is stored; or why there is none. */
export type LoadedFile =
  | { readonly status: 'loaded'; readonly sourceId: string; readonly content: ReadFile }
  | { readonly status: 'empty' | 'refused' | 'failed'; readonly reason: string };

/** Reads a file of the disk. Never throws: what the system refuses is `failed`. */
export async function loadFile(file: { readonly name: string; readonly path: string }, maxFileBytes: number): Promise<LoadedFile> {
  try {
    return loadBytes(await readFileBytes(file.path, maxFileBytes), maxFileBytes, file.name);
  } catch (error) {
    return { status: 'failed', reason: reasonOf(error) };
  }
}

/** @param name path with forward slashes; undefined for stdin, which has no name: there the content names the source. */
export function loadBytes(bytes: Uint8Array | undefined, maxFileBytes: number, name?: string): LoadedFile {
  if (bytes === undefined) return { status: 'refused', reason: `larger than ${maxFileBytes} bytes; raise maxFileBytes (CLI: --max-file-bytes)` };
  const decoded = decodeText(bytes);
  if ('refused' in decoded) return { status: 'refused', reason: decoded.refused };
  if (decoded.text.trim() === '') return { status: 'empty', reason: 'empty' };
  const read = readContent(decoded.text, name);
  const sourceId = name ?? `stdin:${deriveId(decoded.text)}`;
  return { status: 'loaded', sourceId, content: { ...read, notes: [...decoded.notes, ...read.notes] } };
}
