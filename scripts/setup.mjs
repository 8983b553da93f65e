// Installing and building, each only when its inputs changed. Runs on Node 18 and without packages. Prints to stderr only: stdout
// belongs to the task (`npm run -s tandem -- query --json` is read by programs).
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from './lock.mjs';

export class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The Node of the lockfile itself; what lies in .bin may be a script around it, which passes no signal on. */
export function nodeBinary(root) {
  return join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}

export async function ensureInstalled(root) {
  const wanted = installKey(root);
  const stamp = join(root, 'node_modules', '.tandem', 'installed');
  const done = () => read(stamp) === wanted && existsSync(nodeBinary(root));
  if (done()) return;
  console.error('Setting up: installing the packages of pnpm-lock.yaml (once, usually under a minute) ...');
  await withLock(join(root, 'node_modules', '.tandem', 'lock'), async () => {
    if (done()) return;
    const pnpm = JSON.parse(read(join(root, 'package.json'))).packageManager;
    await step(
      'Installing',
      root,
      ...npx('-y', pnpm, 'install', '--frozen-lockfile', '--ignore-scripts=false', '--config.confirmModulesPurge=false'),
    );
    write(stamp, wanted);
  });
}

export async function ensureBuilt(root, script) {
  const stamp = join(root, 'node_modules', '.tandem', 'built');
  const projects = JSON.parse(read(join(root, 'tsconfig.json'))).references.map(({ path }) => join(root, path));
  const outputs = [script, ...projects.map((folder) => join(folder, 'dist', 'tsconfig.tsbuildinfo'))];
  const done = () => read(stamp) === buildKey(root, projects) && outputs.every((path) => existsSync(path));
  if (done()) return;
  console.error('Building ...');
  await withLock(join(root, 'node_modules', '.tandem', 'lock'), async () => {
    if (done()) return;
    // Taken before: a source that changes while the compiler runs is built again next time.
    const key = buildKey(root, projects);
    await step('Building', root, nodeBinary(root), [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-b', '--pretty', 'false']);
    if (!existsSync(script)) throw new SetupError(`The build did not write ${script}.`);
    write(stamp, key);
  });
}

/** Runs a command with its output held back, and shows all of it when it fails. */
async function step(label, root, command, args) {
  const env = { ...process.env, CI: 'true' };
  // What an outer `npm run -s` or a production shell says about its own run must not silence or thin out ours.
  for (const key of Object.keys(env)) if (/^(npm_config_(loglevel|silent|json|omit|production)|node_env|node_path)$/i.test(key)) delete env[key];
  const shell = command.endsWith('.cmd');
  const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const forward = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, forward);
  const { code, signal } = await new Promise((done) => {
    child.on('error', (error) => {
      output.push(Buffer.from(`${command}: ${error.message}\n`));
      done({ code: 1, signal: null });
    });
    child.on('close', (exitCode, exitSignal) => done({ code: exitCode, signal: exitSignal }));
  });
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, forward);
  if (signal !== null) throw new SetupError(`${label} was interrupted (${signal}); run the command again.`, signal === 'SIGINT' ? 130 : 143);
  if (code === 0) return;
  const log = Buffer.concat(output).toString('utf8').trimEnd();
  const remedy = log.includes('ERR_PNPM_OUTDATED_LOCKFILE')
    ? '\nA package.json changed without its lockfile; CONTRIBUTING.md says how to add a dependency.'
    : '';
  throw new SetupError(`${log}\n${label} failed (exit code ${code}).${remedy}`);
}

/** npx as a script of npm where npm says where it is: starting `npx.cmd` needs a shell. */
function npx(...args) {
  const script = process.env.npm_execpath === undefined ? '' : join(dirname(process.env.npm_execpath), 'npx-cli.js');
  if (existsSync(script)) return [process.env.npm_node_execpath ?? process.execPath, [script, ...args]];
  return [process.platform === 'win32' ? 'npx.cmd' : 'npx', args];
}

function installKey(root) {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  const manifests = [...packages, 'test', 'bench', 'examples'].map((folder) => join(root, folder, 'package.json'));
  const files = [join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml'), join(root, 'package.json'), ...manifests];
  return hash([process.platform, process.arch, root, ...files.map(read)]);
}

/** Names, times and sizes of all that the compiler reads: also a deleted file, or an older one that was put back, changes the key. */
function buildKey(root, projects) {
  const found = [join(root, 'tsconfig.json'), join(root, 'tsconfig.base.json')];
  for (const folder of projects) collect(folder, found);
  return hash(
    found.sort().map((path) => {
      const { mtimeMs, size } = statSync(path);
      return `${path} ${mtimeMs} ${size}`;
    }),
  );
}

function collect(folder, found) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' && entry.name !== 'dist' && !entry.name.startsWith('.')) collect(path, found);
    } else if (/\.(ts|json)$/.test(entry.name)) found.push(path);
  }
}

function hash(parts) {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
