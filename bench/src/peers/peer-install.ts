import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGES = ['mem0ai@3.3.1', 'better-sqlite3@^12.6.2', `node-${process.platform}-${process.arch}@22`];

/**
 * Installs the peer into a folder of its own, once: mem0ai, the SQLite driver that it asks for, and a Node 22 to run them, since that driver
 * aborts the process on Node 24. The driver is compiled with the headers of that Node: needs a C++ compiler, and some minutes.
 * @returns the Node to run the peer with
 */
export function installPeer(folder: string, onProgress: (line: string) => void): string {
  const runtime = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`);
  const node = join(runtime, 'bin', 'node');
  const driver = join(folder, 'node_modules', 'better-sqlite3');
  mkdirSync(folder, { recursive: true });
  if (!existsSync(join(folder, 'node_modules', 'mem0ai')) || !existsSync(node)) {
    onProgress(`installing ${PACKAGES.join(', ')} into ${folder}`);
    writeFileSync(join(folder, 'package.json'), '{ "name": "peer", "private": true }\n');
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  }
  if (!existsSync(join(driver, 'build', 'Release', 'better_sqlite3.node'))) {
    onProgress('compiling better-sqlite3');
    const env = { ...process.env, PATH: `${join(runtime, 'bin')}:${process.env['PATH'] ?? ''}`, npm_config_nodedir: runtime };
    execFileSync('npm', ['run', 'build-release'], { cwd: driver, env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return node;
}
