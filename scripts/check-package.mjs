// Packs one package as it would be published and lets publint and attw judge the tarball: check-package.mjs packages/<name>
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = process.cwd();
const folder = resolve(root, process.argv[2] ?? '');
const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const target = mkdtempSync(join(tmpdir(), 'tandem-pack-'));
try {
  run('npx', ['-y', packageManager, 'pack', '--pack-destination', target], folder);
  const tarball = join(target, readdirSync(target)[0] ?? '');
  run('publint', ['run', tarball, '--strict'], root);
  // All packages are ES modules only: how CommonJS and the resolution of Node 10 see them is no promise of ours.
  run('attw', [tarball, '--profile', 'esm-only', '--no-emoji'], root);
} finally {
  rmSync(target, { recursive: true, force: true });
}

function run(command, args, cwd) {
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell: process.platform === 'win32' });
  if (status === 0) return;
  console.log(`${command} ${args.join(' ')}\n${stdout ?? ''}${stderr ?? ''}${error?.message ?? ''}`);
  process.exitCode = 1;
}
