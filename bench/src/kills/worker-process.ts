import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './kill-worker.ts';

/** Compiled, or as source: Node strips the types, and the condition resolves our packages to theirs. */
const EXTENSION = extname(import.meta.url);
const SCRIPT = fileURLToPath(new URL(`./kill-worker${EXTENSION}`, import.meta.url));
const FLAGS = EXTENSION === '.ts' ? ['--conditions=@tandem-memory/source', '--disable-warning=ExperimentalWarning'] : [];

/** A worker that loads its code while the run before it is looked at. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #reports: Report[] = [];
  readonly #ended: Promise<void>;
  readonly #open = Promise.withResolvers<void>();
  #errors = '';

  constructor() {
    // Spares every worker the compiling.
    const env = { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'tandem-kills-compile-cache') };
    const child = spawn(process.execPath, [...FLAGS, SCRIPT], { stdio: 'pipe', env });
    this.#child = child;
    child.stdin.on('error', () => undefined);
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors += text;
    });
    createInterface({ input: child.stdout }).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      this.#reports.push(report);
      if (report.said === 'open') this.#open.resolve();
    });
    this.#ended = new Promise((resolve) => child.once('close', () => resolve()));
  }

  /** @param killAfterMs kills it so long after its stores are open; undefined lets it run @returns what it told before its end */
  async run(order: Order, killAfterMs?: number): Promise<Report[]> {
    this.#child.stdin?.end(`${JSON.stringify(order)}\n`);
    if (killAfterMs !== undefined) {
      await Promise.race([this.#open.promise, this.#ended]);
      setTimeout(() => this.#child.kill('SIGKILL'), killAfterMs).unref();
    }
    await this.#ended;
    if (this.#errors !== '') throw new Error(`The worker failed: ${this.#errors}`);
    return this.#reports;
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
