import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemory } from 'tandem-memory';
import { childScript } from '../child-script.ts';
import { Random } from '../latency/random.ts';
import { round } from '../recall.ts';
import { writeFiles } from './write-files.ts';

const CHILD = childScript('ingest-child', import.meta.url);
/**
 * Half of V8's young generation. Left alone it grows to 64 MiB on a machine of much memory, twice, and with it what is kept although nobody
 * needs it: of a peak of 509 MiB some 40 are alive.
 */
const SEMI_SPACE_MIB = 16;
const FLAGS = [...CHILD.flags, '--disable-warning=ExperimentalWarning', `--max-semi-space-size=${SEMI_SPACE_MIB}`];
const USER = 'reader';
const MIB = 2 ** 20;

export interface IngestBenchOptions {
  readonly files: number;
  readonly megabytes: number;
  readonly embedding: 'minilm' | 'fast';
  readonly infer: boolean;
  /** How often the process is killed on the way. */
  readonly kills: number;
  readonly onProgress: (line: string) => void;
}

interface ChildReport {
  readonly episodes: number;
  readonly created: number;
  readonly seconds: number;
  readonly entities: number;
  readonly facts: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly peakBytes: number;
  /** Without the pages of mapped files. */
  readonly peakOwnBytes: number;
  /** Of all threads: on a busy machine this tells more than the clock. */
  readonly cpuSeconds: number;
}

const NOTHING: ChildReport = {
  episodes: 0,
  created: 0,
  seconds: 0,
  entities: 0,
  facts: 0,
  statuses: {},
  peakBytes: 0,
  peakOwnBytes: 0,
  cpuSeconds: 0,
};

/** Files of mixed formats into a new database: rate, memory, and what a killed and resumed run leaves. Without a language model. */
export async function runIngest(options: IngestBenchOptions): Promise<object> {
  const root = mkdtempSync(join(tmpdir(), 'tandem-bench-ingest-'));
  try {
    const folder = join(root, 'files');
    mkdirSync(folder);
    writeFiles(folder, options.files, options.megabytes * MIB);
    const bytes = sizeOf(folder);
    options.onProgress(`${options.files} files, ${round(bytes / MIB)} MiB`);
    const whole = await runChild(folder, join(root, 'whole.db'), options);
    const again = await runChild(folder, join(root, 'whole.db'), options);
    const killed = options.kills === 0 ? undefined : await runKilled(folder, join(root, 'killed.db'), options, whole);
    return {
      rate: { clean: rate(whole, options.files, bytes), unchanged: rate(again, options.files, bytes) },
      ...(killed === undefined ? {} : { killed }),
      statuses: whole.statuses,
      database_MiB: Math.round(statSync(join(root, 'whole.db')).size / MIB),
      files: options.files,
      MiB: round(bytes / MIB),
      settings: { embedding: options.embedding, extraction: options.infer ? 'rules' : 'none', semi_space_MiB: SEMI_SPACE_MIB },
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function rate(report: ChildReport, files: number, bytes: number): Record<string, number> {
  const perSecond = (seconds: number) => Math.round((100 * bytes) / MIB / seconds) / 100;
  return {
    seconds: round(report.seconds),
    'files/s': round(files / report.seconds),
    'MiB/s': perSecond(report.seconds),
    'CPU s': round(report.cpuSeconds),
    'MiB/CPU s': perSecond(report.cpuSeconds),
    episodes: report.created,
    facts: report.facts,
    'peak MiB': Math.round(report.peakOwnBytes / MIB),
    'with mapped file': Math.round(report.peakBytes / MIB),
  };
}

/** Ends the process without a word at random moments, starts it again, and at last compares with the run that nobody ended. */
async function runKilled(folder: string, database: string, options: IngestBenchOptions, whole: ChildReport): Promise<object> {
  const random = new Random(11);
  const share = 1 / (options.kills + 1);
  for (let kill = 0; kill < options.kills; kill++) {
    const milliseconds = 1000 * whole.seconds * share * (0.5 + random.next());
    options.onProgress(`kill ${kill + 1} after ${round(milliseconds / 1000)} s`);
    await runChild(folder, database, options, milliseconds);
  }
  const last = await runChild(folder, database, options);
  await using memory = await openMemory({ path: database, embedding: options.embedding });
  const stats = await memory.stats(USER);
  return {
    kills: options.kills,
    episodes: stats.episodes,
    missing: whole.episodes - stats.episodes,
    doubles: stats.episodes - last.episodes,
    waiting: stats.outbox,
    vectors: stats.vectors,
    resumedSeconds: round(last.seconds),
  };
}

function runChild(folder: string, database: string, options: IngestBenchOptions, killAfterMs?: number): Promise<ChildReport> {
  const args = [...FLAGS, CHILD.path, database, options.embedding, String(options.infer)];
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let progress = '';
  let told = performance.now();
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    progress = chunk.toString().trim().split('\n').at(-1) ?? '';
    if (performance.now() - told < 10_000) return;
    told = performance.now();
    options.onProgress(progress);
  });
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => {
      clearTimeout(timer);
      if (status === 0) resolve(JSON.parse(output) as ChildReport);
      else if (killAfterMs !== undefined) resolve(NOTHING);
      else reject(new Error(`The ingest ended with status ${status}: ${progress}`));
    });
  });
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}
