import { type Clock, createMemory, type Memory } from '@tandem-memory/core';
import { compose } from './compose.ts';
import { type OpenMemoryConfig, parseConfig } from './config.ts';

/**
 * Opens a memory: by default one SQLite file with local embeddings and extraction by rules, so that nothing is needed and nothing is sent.
 * @throws CONFIG_INVALID, DATABASE_TOO_NEW, NOT_A_DATABASE, MODEL_FILES_MISSING
 */
export async function openMemory(config: OpenMemoryConfig = {}, runtime: { readonly clock?: Clock } = {}): Promise<Memory> {
  return createMemory(await compose(parseConfig(config), runtime.clock));
}
