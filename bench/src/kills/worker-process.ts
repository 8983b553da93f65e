import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { childScript } from '../child-script.ts';
import type { Order, Report } from './kill-worker.ts';

const SCRIPT = childScript('kill-worker', import.meta.url);

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
    const child = spawn(process.execPath, [...SCRIPT.flags, SCRIPT.path], { stdio: 'pipe', env });
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
