// Every check of the project, one row each. A failed row does not stop the others; what it printed follows the table.
// `--json <file>` also writes the outcome for programs; `--without-tests` is for who runs all tests besides.
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROW_LIMIT_MS = 480_000;
const root = resolve(fileURLToPath(import.meta.url), '../..');
const { values } = parseArgs({ options: { json: { type: 'string' }, 'without-tests': { type: 'boolean', default: false } } });
const jsonPath = values.json === undefined ? undefined : resolve(values.json);
process.chdir(root);

const bin = (path) => join(root, 'node_modules', ...path.split('/'));
const tsc = bin('typescript/bin/tsc');
const publicPackages = readdirSync('packages').filter((name) => JSON.parse(readFileSync(`packages/${name}/package.json`, 'utf8')).private !== true);
const sourceFolders = readdirSync('packages').map((name) => `packages/${name}/src`);
/** Examples that convert a file which the project may not ship; they are compiled, and used by hand. */
const NEEDS_INPUT = ['locomo-to-jsonl.ts'];
const examples = readdirSync('examples').filter((name) => /^[^.]+\.ts$/.test(name) && !NEEDS_INPUT.includes(name));

/** Each row is a script for the Node that runs this one. */
const rows = [
  { name: 'format and lint (biome)', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '--max-diagnostics=100'] },
  { name: 'arrows', args: ['scripts/check-arrows.mjs'] },
  { name: 'import cycles (madge)', args: [bin('madge/bin/cli.js'), '--circular', '--no-spinner', '--extensions', 'ts', ...sourceFolders] },
  { name: 'file rules', args: ['scripts/check-files.mjs'] },
  { name: 'build (tsc -b)', args: [tsc, '-b', '--pretty', 'false'] },
  { name: 'types of sources and tests (tsc)', args: [tsc, '-p', 'tsconfig.test.json', '--pretty', 'false'] },
  { name: 'unused files, exports, packages (knip)', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  // Those on servers run with `npm test` alone: they take minutes.
  ...(values['without-tests']
    ? []
    : [{ name: 'tests and embedded conformance (vitest)', args: [bin('vitest/vitest.mjs'), 'run', '--project', 'local'] }]),
  ...publicPackages.map((name) => ({ name: `package ${name} (publint, attw)`, args: ['scripts/check-package.mjs', `packages/${name}`] })),
  ...examples.map((name) => ({
    name: `example ${name}`,
    args: [join(root, 'examples/dist', name.replace(/\.ts$/, '.js'))],
    emptyFolder: true,
  })),
];

const results = [];
for (const row of rows) {
  const result = await execute(row);
  results.push(result);
  console.log(`${result.passed ? 'PASS' : 'FAIL'}  ${result.seconds.toFixed(1).padStart(6)} s  ${row.name}`);
}
const failed = results.filter(({ passed }) => !passed);
for (const { name, output } of failed) console.log(`\n--- ${name}\n${output.trimEnd()}`);
const seconds = results.reduce((sum, result) => sum + result.seconds, 0);
console.log(`\n${results.length - failed.length} checks passed, ${failed.length} failed (${seconds.toFixed(0)} s)`);
if (jsonPath !== undefined) writeFileSync(jsonPath, JSON.stringify({ passed: results.length - failed.length, failed: failed.length }));
process.exitCode = failed.length === 0 ? 0 : 1;

async function execute({ name, args, emptyFolder = false }) {
  const cwd = emptyFolder ? mkdtempSync(join(tmpdir(), 'tandem-example-')) : root;
  const start = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1' },
    timeout: ROW_LIMIT_MS,
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const passed = await new Promise((done) => {
    child.on('error', (error) => {
      output += error.message;
      done(false);
    });
    child.on('close', (code, signal) => {
      if (signal !== null) output += `\nended by ${signal} (a row may take ${ROW_LIMIT_MS / 1000} s)`;
      done(code === 0);
    });
  });
  if (emptyFolder) rmSync(cwd, { recursive: true, force: true });
  return { name, passed, output, seconds: (performance.now() - start) / 1000 };
}
