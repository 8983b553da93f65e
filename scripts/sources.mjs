// The project's files as text and as syntax trees, read the same way by every check.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'vite';

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'coverage', '.git', '.tandem']);

/** Paths relative to `root`, with forward slashes, sorted. */
export function listFiles(root, folder = '') {
  const found = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(entry.name)) found.push(...listFiles(root, path));
    } else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

export function readSource(root, path) {
  return { path, text: readFileSync(join(root, path), 'utf8') };
}

/** Throws when the text is no TypeScript. */
export function parse({ path, text }) {
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0].message}`);
  return { program, comments };
}

/** Calls the function named after each node's type. `lineOf(node)` tells where a node starts. */
export function walk(program, visitor) {
  new Visitor(visitor).visit(program);
}

export function lineOf(text, { start }) {
  return text.slice(0, start).split('\n').length;
}

/** Every module that the file names: static and dynamic imports, re-exports, `import('x').Type`. */
export function importsOf(source) {
  const found = [];
  const add = (node) => {
    if (typeof node.source?.value === 'string') found.push({ specifier: node.source.value, line: lineOf(source.text, node) });
  };
  const { program } = parse(source);
  walk(program, {
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
  });
  return found;
}
