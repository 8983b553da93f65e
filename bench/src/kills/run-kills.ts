import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../latency/random.ts';
import { clearServers, nameOf, requireEmpty, type Servers } from '../servers/servers.ts';
import { type Findings, Ledger } from './ledger.ts';
import { type Backend, openBackend } from './open-backend.ts';
import { stepsOf } from './work.ts';
import { WorkerProcess } from './worker-process.ts';

export interface KillsOptions {
  readonly servers: Servers;
  /** Kills at random moments. */
  readonly kills: number;
  /** Kills at fault points: so many of them, spread evenly; each once with `all`. */
  readonly points: number | 'all';
  readonly onProgress?: (line: string) => void;
}

export interface KillsResult {
  readonly backend: string;
  readonly random_kills: number;
  readonly fault_points: number;
  readonly fault_points_killed_at: number;
  /** Turns and chunks that were acknowledged, and those of which it was acknowledged that they are forgotten. */
  readonly stored: number;
  readonly forgotten: number;
  readonly lost: number;
  readonly returned: number;
  readonly drift: number;
  readonly seconds: number;
  /** Empty, unless something above is not 0: what was found after which kill. */
  readonly findings: readonly string[];
}

/** More attempts than kills: a random moment may come after the end. */
const ATTEMPTS = 3;

/**
 * Kills a process that stores and forgets, again and again on the same memory: at random moments, and between any two writes. After each kill
 * the memory is opened by another process, which finds out what of all that was ever acknowledged is lost, what of the forgotten is back,
 * and where the stores differ; then it does the step again that had been begun, and looks once more.
 */
export async function runKills({ servers, kills, points, onProgress = () => undefined }: KillsOptions): Promise<KillsResult> {
  await requireEmpty(servers);
  const folder = mkdtempSync(join(tmpdir(), 'tandem-kills-'));
  const backend: Backend = { ...servers, path: join(folder, 'memory.db'), collectionPrefix: `tandem-kills-${randomUUID()}` };
  const start = performance.now();
  const series = new KillSeries(backend, onProgress);
  try {
    // The first makes the stores; the second tells how many points there are, and how long it takes.
    await series.undisturbed();
    const calm = await series.undisturbed();
    const wanted = points === 'all' ? calm.points : Math.min(points, calm.points);
    const step = calm.points / Math.max(1, wanted);
    for (let n = 0; n < wanted; n++) await series.killed(1 + Math.floor(n * step));
    const killedAtPoints = series.kills;
    const random = new Random(1);
    for (let attempt = 0; series.kills - killedAtPoints < kills && attempt < kills * ATTEMPTS; attempt++)
      await series.killed(0, random.next() * calm.milliseconds);
    const { findings, ledger } = series;
    const count = (kind: keyof Findings) => findings.reduce((sum, [, found]) => sum + found[kind].length, 0);
    return {
      backend: nameOf(servers),
      random_kills: series.kills - killedAtPoints,
      fault_points: calm.points,
      fault_points_killed_at: killedAtPoints,
      stored: ledger.stored,
      forgotten: ledger.forgotten,
      lost: count('lost'),
      returned: count('returned'),
      drift: count('drift'),
      seconds: Math.round((performance.now() - start) / 1000),
      findings: findings.map(([when, found]) => `${when}: ${JSON.stringify(found)}`),
    };
  } finally {
    await series.stop();
    await clearServers(servers, backend.collectionPrefix);
    rmSync(folder, { recursive: true, force: true });
  }
}

class KillSeries {
  readonly ledger = new Ledger();
  readonly findings: [when: string, found: Findings][] = [];
  kills = 0;
  readonly #backend: Backend;
  readonly #onProgress: (line: string) => void;
  #round = 0;
  #next = new WorkerProcess();

  constructor(backend: Backend, onProgress: (line: string) => void) {
    this.#backend = backend;
    this.#onProgress = onProgress;
  }

  async undisturbed(): Promise<{ readonly points: number; readonly milliseconds: number }> {
    const { done } = await this.#run(0, undefined);
    if (done === undefined) throw new Error('The worker ended before its work was done, and nobody had killed it.');
    return done;
  }

  /** @param fatal the fault point to die at, or 0 with a moment to be killed at */
  async killed(fatal: number, killAfterMs?: number): Promise<void> {
    const { done } = await this.#run(fatal, killAfterMs);
    if (done === undefined) this.kills += 1;
  }

  async stop(): Promise<void> {
    await this.#next.stop();
  }

  async #run(fatal: number, killAfterMs: number | undefined) {
    const round = this.#round++;
    const worker = this.#next;
    this.#next = new WorkerProcess();
    const steps = stepsOf(round);
    const reports = await worker.run({ backend: this.#backend, round, fatal }, killAfterMs);
    let begun: (typeof steps)[number] | undefined;
    for (const report of reports) {
      if (report.said !== 'begin' && report.said !== 'end') continue;
      const step = steps[report.step];
      if (step === undefined) continue;
      this.ledger[report.said](step);
      begun = report.said === 'begin' ? step : undefined;
    }
    const done = reports.find((report) => report.said === 'done');
    const point = reports.find((report) => report.said === 'point')?.name;
    const when = point ?? (done === undefined ? `${Math.round(killAfterMs ?? 0)} ms, ${begun?.name ?? 'between two steps'}` : 'not killed');
    this.#onProgress(`${round}: ${when}`);
    const asked = steps.flatMap((step) => step.forgets.filter((code) => code.startsWith('qt')));
    const memory = openBackend(this.#backend);
    try {
      this.#note(`round ${round}, ${when}`, await this.ledger.compare(memory, asked));
      if (begun !== undefined) {
        await begun.run(memory);
        this.ledger.end(begun);
        this.#note(`round ${round}, ${when}, done again`, await this.ledger.compare(memory, asked));
      }
    } finally {
      await memory.close();
    }
    return { done };
  }

  #note(when: string, found: Findings): void {
    if (found.lost.length + found.returned.length + found.drift.length > 0) this.findings.push([when, found]);
  }
}
