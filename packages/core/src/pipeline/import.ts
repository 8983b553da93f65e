import { readConversationEntries } from '../conversation/read-entry.ts';
import { MemoryError } from '../errors.ts';
import { broken } from '../lifecycle/export-format.ts';
import { type Beside, type ImportReceipt, readExport, writeBeside, writeExport } from '../lifecycle/import.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { requireUser } from './read-input.ts';

export interface ImportDependencies extends Beside {
  readonly graph: GraphStore;
  readonly relay: { until(sequence: number, signal?: AbortSignal): Promise<void> };
}

/** @throws INPUT_INVALID */
function checkEntries(entries: readonly unknown[], lineNumber: number): void {
  try {
    readConversationEntries(JSON.stringify(entries), '');
  } catch {
    throw broken(lineNumber, 'it holds an entry of a conversation that is none');
  }
}

/** @throws INPUT_INVALID, and the errors of the graph store. An index that is down is reported: it follows later. */
export async function importMemory(
  lines: AsyncIterable<string> | Iterable<string>,
  options: { readonly userId?: string; readonly signal?: AbortSignal },
  dependencies: ImportDependencies,
): Promise<ImportReceipt> {
  const { graph, relay } = dependencies;
  const read = await readExport(lines);
  for (const [index, record] of read.records.entries()) if (record.type === 'conversation') checkEntries(record.entries, index + 2);
  requireUser(read.userId);
  // Ids rest on the user, so a memory can't change hands by a mere rename.
  if (options.userId !== undefined && options.userId !== read.userId) {
    throw new MemoryError(
      'INPUT_INVALID',
      'The export is the memory of another user than options.userId (CLI: --user). Nothing was imported; leave the option out to import it for its own user.',
    );
  }
  const { created, sequences } = await writeExport(read, graph, options.signal);
  await writeBeside(read, dependencies);
  const degraded: string[] = [];
  try {
    if (sequences.length > 0)
      await relay.until(
        sequences.reduce((a, b) => Math.max(a, b)),
        options.signal,
      );
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.kind === 'config') throw error;
    degraded.push(`imported, but not yet in the index: ${error.code}: ${error.message}`);
  }
  const count = (type: string) => read.records.filter((record) => record.type === type).length;
  return {
    userId: read.userId,
    episodes: count('episode'),
    entities: count('entity'),
    facts: count('fact'),
    mentions: count('mention'),
    conversations: count('conversation'),
    created,
    indexed: degraded.length === 0,
    degraded,
  };
}
