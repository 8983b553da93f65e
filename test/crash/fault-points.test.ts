import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { startQdrant } from '../services/qdrant/qdrant-service.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';
import { finished, start } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A longer run: TANDEM_KILLS=1000. */
const KILLS = Number(process.env['TANDEM_KILLS'] ?? 24);
const TURNS = 3;
/** More than three turns make, so that some runs end by themselves. */
const MAX_WRITES = 110;
const TIME_LIMIT_MS = 60_000 + KILLS * 4_000;
/** Spares every child the compiling; the folder may outlive the tests. */
const environment = { NODE_COMPILE_CACHE: join(tmpdir(), 'tandem-test-compile-cache') };

/** Which write each run dies at: the same every time, spread over all of them. */
function fatalWrite(run: number): number {
  return 1 + ((run * 2_654_435_761) % MAX_WRITES);
}

interface Run {
  readonly acknowledged: string[];
  readonly killed: boolean;
}

async function killedRun(path: string, run: number, qdrant: readonly string[]): Promise<Run> {
  const child = start('test/crash/fault-loop.ts', [path, `run-${run}`, String(TURNS), String(fatalWrite(run)), ...qdrant], { environment });
  const { stdout, stderr } = await finished(child);
  expect(stderr).toBe('');
  const lines = stdout.split('\n');
  return {
    acknowledged: lines.flatMap((line) => (line.startsWith('stored ') ? [line.slice(7)] : [])),
    killed: !lines.some((line) => line.startsWith('writes ')),
  };
}

/** Kills one run after another on the same memory, and looks after each whether all that was acknowledged is there and the stores agree. */
async function killManyTimes(
  runs: readonly number[],
  path: string,
  qdrant: readonly string[],
  open: () => ReturnType<typeof openTestMemory>['memory'],
): Promise<{ killed: number; acknowledged: number }> {
  const acknowledged = new Set<string>();
  let killed = 0;
  for (const run of runs) {
    const outcome = await killedRun(path, run, qdrant);
    for (const id of outcome.acknowledged) acknowledged.add(id);
    if (outcome.killed) killed += 1;
    const memory = open();
    await memory.flush();
    const kept = new Set((await memory.episodes({ userId: 'ana' }, { limit: 10_000 })).map((episode) => episode.id));
    expect(
      [...acknowledged].filter((id) => !kept.has(id)),
      `lost in run ${run}, killed at write ${fatalWrite(run)}`,
    ).toEqual([]);
    expect(await memory.check(), `drift after run ${run}, killed at write ${fatalWrite(run)}`).toMatchObject({
      missing: 0,
      orphaned: 0,
      drifted: [],
      outbox: { waiting: 0 },
    });
    await memory.close();
  }
  return { killed, acknowledged: acknowledged.size };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);

describe('killed between any two writes of store()', () => {
  it('the embedded memory loses nothing acknowledged and its parts never differ', { timeout: TIME_LIMIT_MS }, async () => {
    using folder = temporaryFolder();
    const lanes = [range(0, Math.ceil(KILLS / 2)), range(Math.ceil(KILLS / 2), KILLS)].map((runs, lane) => {
      const path = join(folder.path, `lane-${lane}.db`);
      return killManyTimes(runs, path, [], () => openTestMemory({ path }).memory);
    });
    const [first, second] = await Promise.all(lanes);
    const killed = (first?.killed ?? 0) + (second?.killed ?? 0);
    console.log(`${killed} of ${KILLS} runs killed, ${(first?.acknowledged ?? 0) + (second?.acknowledged ?? 0)} turns acknowledged, none lost`);
    expect(killed).toBeGreaterThan(KILLS / 2);
  });
});

const service = await startQdrant();

describe.skipIf('missing' in service)('killed between any two writes, with the indexes on Qdrant', () => {
  if ('missing' in service) return;
  const indexes = new TestIndexes(service);
  afterAll(async () => {
    await indexes.clear();
    await service.stop();
  });

  it.skipIf(service.apiKey !== undefined)('graph and Qdrant never drift apart', { timeout: TIME_LIMIT_MS }, async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const collectionPrefix = `test-${randomUUID()}`;
    const runs = range(0, Math.ceil(KILLS / 4));
    const { killed } = await killManyTimes(
      runs,
      path,
      [service.url, collectionPrefix],
      () => openTestMemory({ path, index: indexes.make({ collectionPrefix }) }).memory,
    );
    console.log(`${killed} of ${runs.length} runs killed, none lost`);
    expect(killed).toBeGreaterThan(0);
  });
});
