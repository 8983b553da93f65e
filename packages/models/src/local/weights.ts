import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MemoryError } from '@tandem-memory/core';

/** What `manifest.json` in a folder of weights says; written by `scripts/build-weights.py`. */
export interface WeightsManifest {
  readonly modelId: string;
  readonly dimensions: number;
  /** How the model wants to be used; see `OnnxEmbeddingOptions`. */
  readonly queryPrefix?: string;
  readonly documentPrefix?: string;
  readonly pooling?: 'mean' | 'cls';
  readonly maxTokens?: number;
  readonly keywordWeight?: number;
  readonly files: readonly { readonly name: string; readonly bytes: number; readonly sha256: string }[];
}

/** The folder that ships with this package; the same from `src/local` and from `dist/local`. */
export function packagedWeights(name: 'minilm' | 'static'): string {
  return fileURLToPath(new URL(`../../weights/${name}/`, import.meta.url));
}

/**
 * Reads the manifest and sees that every file is there in full. Sizes only: checksums of 32 MB at each start would cost more than the
 * start itself, and a test compares them.
 * @throws MODEL_FILES_MISSING
 */
export function readManifest(folder: string): WeightsManifest {
  let manifest: WeightsManifest;
  try {
    manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  } catch (error) {
    throw missing(folder, 'manifest.json', error);
  }
  for (const file of manifest.files) {
    const bytes = statSync(join(folder, file.name), { throwIfNoEntry: false })?.size;
    if (bytes !== file.bytes) throw missing(folder, file.name);
  }
  return manifest;
}

function missing(folder: string, file: string, cause?: unknown): MemoryError {
  return new MemoryError(
    'MODEL_FILES_MISSING',
    `The embedding model's file ${file} is missing or incomplete in ${folder}. Install @tandem-memory/models again, or choose another embedding model.`,
    { cause, details: { folder, file } },
  );
}
