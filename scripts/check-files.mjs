// House rules on files that no other tool checks, or that another tool lets a comment switch off.
import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { lineOf, listFiles, parse, readSource, walk } from './sources.mjs';

const MAX_LINES = 400;
const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** Names that say nothing about what is inside, so that everything ends up there. */
const EMPTY_NAMES = ['util', 'utils', 'helper', 'helpers', 'manager', 'common', 'misc'];
/** Their tools want a default export. */
const DEFAULT_EXPORT_FILES = ['vitest.config.ts'];
/** The data of benchmarks lives outside of the repository, in a neighbour folder of any name; only they may know it. */
const NEIGHBOUR_READERS = /^(docs\/benchmarks|bench\/)/;
const NEIGHBOUR = /(\.\.|\/work)\/shared\b/;
const REGISTRY =
  /\b(registry\.(npmjs|yarnpkg)\.(org|com)|npm\.pkg\.github\.com|registry\.npmmirror\.com)\b|^\s*(tarball:|resolution:.*tarball|registry\s*=)/m;

/** Takes one `{ path, text }` and returns lines to print. */
export function findFileProblems(source) {
  const problems = [];
  const report = (line, what) => problems.push(`${source.path}:${line}: ${what}`);
  checkText(source, report);
  if (isCode(source.path)) {
    checkName(source.path, report);
    const lines = source.text.trimEnd().split('\n').length;
    if (lines > MAX_LINES) report(MAX_LINES + 1, `${lines} lines; split it by what it does (at most ${MAX_LINES})`);
    checkSyntax(source, report);
  }
  return problems;
}

function checkText({ path, text }, report) {
  const at = (match) => lineOf(text, { start: match.index });
  const neighbour = NEIGHBOUR_READERS.test(path) ? null : NEIGHBOUR.exec(text);
  if (neighbour !== null) report(at(neighbour), 'names a folder outside of the repository');
  const registry = path.startsWith('scripts/check-files.') ? null : REGISTRY.exec(text);
  if (registry !== null) report(at(registry), 'names a package registry; which one is the business of the machine');
}

function checkName(path, report) {
  const folders = path.split('/').slice(0, -1);
  const stem = basename(path).replace(/(\.(test|contract|property|bench|config|as|d))*\.(ts|mjs)$/, '');
  for (const name of [...folders, stem]) {
    if (!KEBAB_CASE.test(name)) report(1, `${name} is not kebab-case`);
    const empty = name.split('-').find((word) => EMPTY_NAMES.includes(word));
    if (empty !== undefined) report(1, `"${empty}" says nothing about the content; name what it does`);
  }
}

function checkSyntax(source, report) {
  const { path, text } = source;
  const { program, comments } = parse(source);
  const refuse = (what) => (node) => report(lineOf(text, node), what);
  const typeScript = path.endsWith('.ts');
  for (const comment of comments) {
    if (/@ts-(ignore|expect-error|nocheck)/.test(comment.value)) refuse('a type error is silenced; mend the type')(comment);
  }
  const noDefault = DEFAULT_EXPORT_FILES.includes(path) ? () => {} : refuse('default export; name it');
  walk(program, {
    ExportDefaultDeclaration: noDefault,
    ExportSpecifier(node) {
      if (node.exported.name === 'default') noDefault(node);
    },
    ExportAllDeclaration: refuse('`export *` hides what is public; list the names'),
    TSAnyKeyword: typeScript ? refuse('`any`; use `unknown` or the real type') : () => {},
    TSNonNullExpression: refuse('non-null assertion; handle the missing value'),
    MemberExpression: path.includes('.test.') ? refuseTestModes(refuse) : () => {},
    CallExpression(node) {
      if (path.includes('.test.') && ['xit', 'fit', 'xtest', 'xdescribe', 'fdescribe'].includes(node.callee.name))
        refuse('focused or skipped test')(node);
    },
  });
}

/** `skipIf` and `runIf` stay allowed: a test of a server has to ask whether there is one. */
function refuseTestModes(refuse) {
  return (node) => {
    let base = node.object;
    while (base.type === 'MemberExpression' || base.type === 'CallExpression') base = base.object ?? base.callee;
    if (!['it', 'test', 'describe', 'suite'].includes(base.name) || node.computed) return;
    if (['only', 'skip', 'todo', 'fails'].includes(node.property.name)) refuse('focused or skipped test')(node);
  };
}

function isCode(path) {
  return /\.(ts|mjs)$/.test(path);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = process.cwd();
  // Bigger files are data or model weights.
  const paths = listFiles(root).filter((path) => statSync(path).size <= 1_000_000);
  const problems = paths.flatMap((path) => findFileProblems(readSource(root, path)));
  for (const problem of problems) console.log(problem);
  console.log(`${paths.length} files, ${problems.length} problems`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
