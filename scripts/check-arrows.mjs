// Finds imports against the architecture (scripts/arrows.mjs) and says why each rule exists.
import { existsSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CORE_LIBRARIES, CORE_NODE_MODULES, CORE_ROOMS, DRIVER_PACKAGES, ENVIRONMENT, PACKAGE_DOOR, PACKAGES } from './arrows.mjs';
import { importsOf, lineOf, listFiles, parse, readSource, walk } from './sources.mjs';

const NPM_NAMES = new Map(Object.keys(PACKAGES).map((folder) => [folder === 'memory' ? 'tandem-memory' : `@tandem-memory/${folder}`, folder]));
const TEST_ROOMS = ['testing', 'conformance'];

/** Takes `{ path, text }` of files under packages/ and returns lines to print. */
export function findArrowViolations(sources) {
  return sources.flatMap((source) => {
    const [, folder] = source.path.split('/');
    const problems = [];
    const report = (line, what, why) => problems.push(`${source.path}:${line}: ${what}\n    ${why}`);
    if (!Object.hasOwn(PACKAGES, folder))
      report(1, `packages/${folder} has no arrows`, 'Decide what it may import and say why in scripts/arrows.mjs.');
    else for (const found of importsOf(source)) checkImport(source.path, folder, found, report);
    checkEnvironment(source, report);
    return problems;
  });
}

function checkImport(path, folder, { specifier, line }, report) {
  if (specifier.startsWith('.')) {
    const target = posix.normalize(posix.join(posix.dirname(path), specifier));
    if (!target.startsWith(`packages/${folder}/`)) report(line, `reaches into ${target}`, PACKAGE_DOOR);
    else if (folder === 'core') checkCoreRoom(path, target, line, report);
    else if (DRIVER_PACKAGES.names.includes(folder)) checkDrivers(path, target, line, report);
    return;
  }
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  const target = NPM_NAMES.get(name);
  if (target !== undefined) {
    const { may, why } = PACKAGES[folder];
    if (!may.includes(target)) report(line, `${folder} imports ${name}`, why);
  } else if (folder === 'core' && !isTest(path)) checkCoreOutside(specifier, name, line, report);
}

function checkCoreRoom(path, target, line, report) {
  const from = roomOf(path);
  const to = roomOf(target);
  const rule = Object.hasOwn(CORE_ROOMS, from) ? CORE_ROOMS[from] : undefined;
  if (rule === undefined) report(line, `core/${from} has no arrows`, 'Decide what it may import and say why in scripts/arrows.mjs.');
  else if (from !== to && !rule.may.includes(to) && !(isTest(path) && TEST_ROOMS.includes(to)))
    report(line, `core/${from} imports core/${to}`, rule.why);
}

function checkCoreOutside(specifier, name, line, report) {
  const rule = specifier.startsWith('node:') ? CORE_NODE_MODULES : CORE_LIBRARIES;
  if (!rule.may.includes(specifier.startsWith('node:') ? specifier : name)) report(line, `core imports ${specifier}`, rule.why);
}

function checkDrivers(path, target, line, report) {
  const from = roomOf(path);
  const to = roomOf(target);
  const isFolder = (room) => !room.includes('.');
  if (isFolder(from) && isFolder(to) && from !== to) report(line, `driver ${from} imports driver ${to}`, DRIVER_PACKAGES.why);
}

function checkEnvironment(source, report) {
  if (isTest(source.path) || ENVIRONMENT.readers.includes(source.path)) return;
  const { program } = parse(source);
  const refuse = (node) => report(lineOf(source.text, node), 'reads the environment', ENVIRONMENT.why);
  walk(program, {
    MemberExpression(node) {
      if (propertyName(node) === 'env' && ['process', 'meta'].includes(node.object.name ?? node.object.property?.name)) refuse(node);
    },
    VariableDeclarator(node) {
      if (node.init?.name === 'process' && node.id.type === 'ObjectPattern') refuse(node);
    },
    ImportDeclaration(node) {
      if (/^(node:)?process$/.test(node.source.value)) refuse(node);
    },
  });
}

function propertyName({ computed, property }) {
  return computed ? property.value : property.name;
}

/** The first folder (or the file) under src; a test belongs to the room of what it tests. */
function roomOf(path) {
  return (path.split('/')[3] ?? '').replace(/\.test\.ts$/, '.ts');
}

function isTest(path) {
  return /\.test\.ts$/.test(path);
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = process.cwd();
  for (const [name, folder] of NPM_NAMES) {
    const manifest = `packages/${folder}/package.json`;
    if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, 'utf8')).name !== name)
      throw new Error(`${manifest} is not ${name}; update scripts/arrows.mjs.`);
  }
  const paths = listFiles(root, 'packages').filter((path) => /^packages\/[^/]+\/src\/.*\.ts$/.test(path));
  const problems = findArrowViolations(paths.map((path) => readSource(root, path)));
  for (const problem of problems) console.log(problem);
  console.log(`${paths.length} files, ${problems.length} forbidden arrows`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
