import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openMemory } from 'tandem-memory';
import { type BenchUser, question } from './corpus.ts';
import { median } from './distribution.ts';
import { storeAll } from './store-all.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Milliseconds from the start of a process to its end, the answer printed; median of the runs. */
export interface ColdStart {
  readonly small: number;
  readonly biggest: number;
}

const RUNS = 5;
const EMBEDDING = 'fast';
const COMMAND = fileURLToPath(new URL('../../../packages/cli/dist/main.js', import.meta.url));
const run = promisify(execFile);

/** The command line has real embeddings only, so it gets a file of its own with the same memories, embedded by the packaged `fast` model. */
export async function measureColdStart(
  folder: string,
  users: readonly BenchUser[],
  vocabulary: Vocabulary,
  onProgress: (line: string) => void,
): Promise<ColdStart> {
  if (!existsSync(COMMAND)) throw new Error(`${COMMAND} is not built; run the benchmark by \`npm run bench\`.`);
  const path = join(folder, 'cold-start.db');
  onProgress(`cold start: storing the same memories with --embedding ${EMBEDDING}`);
  const memory = await openMemory({ path, embedding: EMBEDDING });
  await storeAll(memory, users, vocabulary, undefined, onProgress);
  await memory.close();
  const measure = async (user: BenchUser | undefined): Promise<number> => {
    if (user === undefined) return Number.NaN;
    const milliseconds: number[] = [];
    // The first run is not counted: it compiles the code that later runs find in Node's compile cache, and brings the file into memory.
    for (let number = 0; number <= RUNS; number++) {
      const start = performance.now();
      await run(
        process.execPath,
        [COMMAND, 'query', question(user, number, vocabulary), '--user', user.id, '--db', path, '--embedding', EMBEDDING, '--json'],
        { maxBuffer: 2 ** 26 },
      );
      if (number > 0) milliseconds.push(performance.now() - start);
    }
    return median(milliseconds);
  };
  onProgress(`cold start: ${RUNS} processes each`);
  return { small: await measure(users.at(-1)), biggest: await measure(users[0]) };
}
