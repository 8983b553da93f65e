import { deriveId } from '@tandem-memory/core';
import { reasonOf } from './file-error.ts';
import { readFileBytes } from './read-bytes.ts';
import type { ReadFile } from './readers/read-file.ts';
import { readFileContent } from './readers/read-file-bytes.ts';

/** A file's content and the source id under which it is stored; or why there is none. */
export type LoadedFile =
  | { readonly status: 'loaded'; readonly sourceId: string; readonly content: ReadFile /** When the file was last changed. */; readonly at?: string }
  | { readonly status: 'empty' | 'refused' | 'failed'; readonly reason: string };

/** Reads a file of the disk. Never throws: what the system refuses is `failed`. */
export async function loadFile(file: { readonly name: string; readonly path: string }, maxFileBytes: number): Promise<LoadedFile> {
  try {
    const { bytes, modifiedAt } = await readFileBytes(file.path, maxFileBytes);
    const loaded = await loadBytes(bytes, maxFileBytes, file.name);
    return loaded.status === 'loaded' ? { ...loaded, at: modifiedAt.toISOString() } : loaded;
  } catch (error) {
    return { status: 'failed', reason: reasonOf(error) };
  }
}

/** @param name path with forward slashes; undefined for stdin, which has no name: there the content names the source. */
export async function loadBytes(bytes: Uint8Array | undefined, maxFileBytes: number, name?: string): Promise<LoadedFile> {
  if (bytes === undefined) return { status: 'refused', reason: `larger than ${maxFileBytes} bytes; raise maxFileBytes (CLI: --max-file-bytes)` };
  const content = await readFileContent(bytes, name);
  if ('refused' in content) return { status: 'refused', reason: content.refused };
  if (content.documents.length === 0 && content.messages.length === 0 && content.leftOut === 0) return { status: 'empty', reason: 'empty' };
  return { status: 'loaded', sourceId: name ?? `stdin:${deriveId(Buffer.from(bytes).toString('latin1'))}`, content };
}
