import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
/** The sources themselves run: Node strips their types, and the condition resolves our packages to them. */
const FLAGS = ['--conditions=@tandem-memory/source', '--disable-warning=ExperimentalWarning'];

export interface Finished {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SpawnOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly stdin?: string | Buffer;
  readonly cwd?: string;
}

/** Starts a TypeScript file of this repository in a process of its own. */
export function start(file: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const environment = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...options.environment };
  const child = spawn(process.execPath, [...FLAGS, join(ROOT, file), ...args], { cwd: options.cwd ?? ROOT, env: environment, stdio: 'pipe' });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  return child;
}

export function finished(child: ChildProcess): Promise<Finished> {
  const output = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) => resolve({ status, ...output }));
  });
}

export function tandem(args: readonly string[], options: SpawnOptions = {}): Promise<Finished> {
  return finished(start('packages/cli/src/main.ts', args, options));
}
