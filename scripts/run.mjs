// The one way in: `npm run <task>` on a fresh clone installs, builds and runs, with nothing but git, Node 18 and npm on the machine.
// This file and setup.mjs run on that old Node and without any package; everything they start runs on the Node 24 of the lockfile.
import { spawn } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, ensureInstalled, nodeBinary, SetupError } from './setup.mjs';

const PARENT_POLL_MS = 250;
const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const inRoot = (path) => join(root, ...path.split('/'));

/**
 * `build`: needs the compiled packages. `where: 'caller'`: relative paths are those of the folder in which npm was called. `nodeArgs`: an ingest
 * of thousands of files fills a young generation of any size, 128 MB by default, and is a tenth faster for it.
 */
const TASKS = {
  demo: { script: 'examples/dist/demo.js', build: true },
  tandem: { script: 'packages/cli/dist/main.js', build: true, where: 'caller', nodeArgs: ['--max-semi-space-size=16'] },
  bench: { script: 'bench/dist/main.js', build: true },
  test: { script: 'node_modules/vitest/vitest.mjs', args: ['run'], build: true },
  check: { script: 'scripts/check.mjs' },
  format: { script: 'node_modules/@biomejs/biome/bin/biome', args: ['check', '--write'] },
};

const [name, ...args] = process.argv.slice(2);
const task = Object.hasOwn(TASKS, name ?? '') ? TASKS[name] : undefined;
if (task === undefined) {
  console.error(`Unknown task ${name ?? '(none)'}. Tasks: ${Object.keys(TASKS).join(', ')}.`);
  process.exit(2);
}

try {
  await ensureInstalled(root);
  if (task.build) await ensureBuilt(root, inRoot(task.script));
  run(task);
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}

function run({ script, args: taskArgs = [], where, nodeArgs = [] }) {
  const node = nodeBinary(root);
  const env = { ...process.env };
  // Package managers set it in their shims, to reach every package; a dependency that nobody declared must fail here as it does for users.
  delete env.NODE_PATH;
  const pathKey = Object.keys(env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH';
  const separator = process.platform === 'win32' ? ';' : ':';
  env[pathKey] = [dirname(node), inRoot('node_modules/.bin'), env[pathKey]].filter(Boolean).join(separator);

  // INIT_CWD is inherited by grandchildren, so it is believed only when npm started this very task.
  const caller = process.env.npm_lifecycle_event === name && process.env.INIT_CWD ? process.env.INIT_CWD : process.cwd();
  const cwd = where === 'caller' ? caller : root;
  const child = spawn(node, [...nodeArgs, inRoot(script), ...taskArgs, ...args], { stdio: 'inherit', env, cwd });

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the whole group itself; forwarding it would interrupt the child twice.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  // npm passes SIGTERM to the shell between it and us, which dies alone. Having another parent than at the start says the same.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, PARENT_POLL_MS).unref();

  child.on('error', (error) => {
    console.error(`Could not start ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
