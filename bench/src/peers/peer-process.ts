import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { PeerReply, PeerRequest } from './mem0-worker.ts';

/** The peer in its own process; times are taken inside of it, so that the way between the processes does not count against it. */
export class PeerProcess implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (reply: PeerReply) => void; reject: (error: Error) => void }>();
  #next = 0;

  constructor(options: { readonly node: string; readonly folder: string; readonly data: string; readonly baseUrl: string }) {
    const worker = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'mem0-worker.ts' : 'mem0-worker.js');
    this.#child = fork(worker, [options.folder, options.data, options.baseUrl], {
      execPath: options.node,
      execArgv: ['--disable-warning=ExperimentalWarning'],
      env: { PATH: process.env['PATH'] ?? '', HOME: options.data, MEM0_TELEMETRY: 'false' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#child.on('message', (reply: PeerReply) => {
      const waiting = this.#waiting.get(reply.id);
      this.#waiting.delete(reply.id);
      if (reply.error === undefined) waiting?.resolve(reply);
      else waiting?.reject(new Error(`The peer failed: ${reply.error}`));
    });
    this.#child.on('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`The peer's process ended (${String(signal ?? code)}).`));
      this.#waiting.clear();
    });
  }

  call(request: Omit<PeerRequest, 'id'>): Promise<PeerReply> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ ...request, id });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill();
    await ended;
  }
}
