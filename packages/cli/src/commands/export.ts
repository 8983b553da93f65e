import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MemoryError, openMemory } from 'tandem-memory';
import { type ExportCommandOptions, knownMemoryConfig, requireUserOption } from '../command-options.ts';
import type { Terminal } from '../terminal.ts';

export async function exportCommand(options: ExportCommandOptions, terminal: Terminal): Promise<void> {
  const userId = requireUserOption(options, terminal);
  await using memory = await openMemory(knownMemoryConfig(options, terminal));
  const lines = Readable.from(memory.export({ userId }));
  if (options.out === undefined) {
    await pipeline(lines, terminal.stdout, { end: false });
    return;
  }
  try {
    // A memory is private: a file that only its owner may read, and never in the place of another.
    await pipeline(lines, createWriteStream(options.out, { flags: 'wx', mode: 0o600 }));
  } catch (error) {
    if (MemoryError.isInstance(error)) throw error;
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new MemoryError('INPUT_INVALID', `${options.out} ${exists ? 'exists already; name a new file' : "can't be written"} (--out).`, {
      cause: error,
    });
  }
}
