import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ENGINE = 'qdrant-edge-py';
const VERSION = '0.9.0';
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tandem-memory');
const SERVER = join(import.meta.dirname, 'edge-server.py');

export interface EdgeServer {
  readonly url: string;
  readonly port: number;
  /** Ends the process, at once with SIGKILL. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the engine behind its REST front on a free port, or on the port of one that was stopped. What it stores lies in `folder`. */
export async function startEdgeServer(folder: string, options: { readonly port?: number; readonly apiKey?: string } = {}): Promise<EdgeServer> {
  const environment = { PATH: process.env['PATH'] ?? '', ...(options.apiKey === undefined ? {} : { QDRANT_EDGE_API_KEY: options.apiKey }) };
  const child = spawn('python3', ['-I', '-c', launcher(installEngine()), SERVER, String(options.port ?? 0), folder], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).once('line', (line) => resolve(Number(line.split(' ')[1])));
    child.once('error', reject);
    child.once('close', (status) => reject(new Error(`The Qdrant engine ended with status ${status}: ${errors.slice(-500)}`)));
  });
  // A test run that is interrupted must not leave the server behind.
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    async stop(signal = 'SIGTERM') {
      process.off('exit', end);
      child.kill(signal);
      await ended;
    },
  };
}

/** With `-I` no other package of the machine gets in; the folder of the engine is added by hand. */
function launcher(engine: string): string {
  return `import runpy, sys; sys.argv = sys.argv[1:]; sys.path.insert(0, ${JSON.stringify(engine)}); runpy.run_path(sys.argv[0], run_name='__main__')`;
}

/** The engine's folder, downloaded once for each machine (14 MB). Several test files may ask at once: the finished folder is moved in place. */
function installEngine(): string {
  const folder = join(CACHE, `${ENGINE}-${VERSION}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, 'installing-'));
  try {
    run('python3', ['-m', 'venv', join(work, 'venv')]);
    run(join(work, 'venv', 'bin', 'python'), [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--target',
      join(work, 'engine'),
      `${ENGINE}==${VERSION}`,
    ]);
    if (!existsSync(folder)) renameSync(join(work, 'engine'), folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return folder;
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: 180_000 });
  if (status !== 0) throw new Error(`${command} ${args[0]} ${args[1]} failed: ${(error?.message ?? stderr).slice(-300)}`);
}
