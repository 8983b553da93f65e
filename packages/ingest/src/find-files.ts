import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { MemoryError } from '@tandem-memory/core';
import { glob, isDynamicPattern } from 'tinyglobby';
import { reasonOf } from './file-error.ts';

/** What one of the inputs leads to. `name` is the path relative to the working folder, with forward slashes on every system. */
export type Input =
  | { readonly kind: 'file'; readonly name: string; readonly path: string /** The user named this very file. */; readonly named: boolean }
  | { readonly kind: 'stdin'; readonly name: '-' }
  | { readonly kind: 'skipped' | 'failed'; readonly name: string; readonly reason: string };

export interface FindOptions {
  /** Default: the working folder of the process. */
  readonly cwd?: string;
}

/** Left out of folders and globs, as are dot files: their text is a tool's and not the user's. A pattern that names one enters it. */
const SKIPPED_FOLDERS = ['node_modules', 'dist'];
/** What `store()` takes as a source id. */
const MAX_NAME_LENGTH = 1024;

/**
 * Finds the files behind paths, folders and globs; `-` is stdin. Each file once, in the order of the inputs and by name within a folder.
 * Inside folders no link is followed: what it leads to is read under its own name, or lies outside of what the user gave.
 * @throws INPUT_EMPTY without any input; FILE_NOT_FOUND for a path that does not exist and a glob without match;
 * FILE_UNSUPPORTED for a named pipe or device
 */
export async function findInputs(patterns: readonly string[], options: FindOptions = {}): Promise<Input[]> {
  if (patterns.length === 0) throw new MemoryError('INPUT_EMPTY', 'Nothing to ingest: name a file, a folder, a glob, or - for stdin.');
  const cwd = resolve(options.cwd ?? '.');
  const found = new Map<string, Input>();
  for (const pattern of patterns) {
    for (const input of await findInput(pattern, cwd)) {
      const before = found.get(input.name);
      // A file that a folder led to and that is also named stands at its first place, as named.
      if (before === undefined || (input.kind === 'file' && input.named)) found.set(input.name, input);
    }
  }
  return [...found.values()];
}

/** The folders among the inputs, by their names. */
export async function foldersAmong(patterns: readonly string[], options: FindOptions = {}): Promise<string[]> {
  const cwd = resolve(options.cwd ?? '.');
  const names: string[] = [];
  for (const pattern of patterns) {
    const path = resolve(cwd, pattern);
    const isFolder =
      pattern !== '-' &&
      (await stat(path)
        .then((status) => status.isDirectory())
        .catch(() => false));
    if (isFolder) names.push(nameOf(path, cwd));
  }
  return names;
}

async function findInput(pattern: string, cwd: string): Promise<Input[]> {
  if (pattern === '-') return [{ kind: 'stdin', name: '-' }];
  if (pattern.trim() === '') throw new MemoryError('INPUT_INVALID', 'An empty path was given. Use . for the working folder.');
  const path = resolve(cwd, pattern);
  let status: Stats;
  try {
    status = await stat(path);
  } catch (error) {
    // Brackets and the like may be part of a file's name, so a pattern is only read as a glob where no such file exists.
    const posixPattern = toPosix(pattern);
    if (isDynamicPattern(posixPattern)) return findGlob(posixPattern, cwd);
    throw new MemoryError('FILE_NOT_FOUND', `${pattern} cannot be opened: ${reasonOf(error)}. Paths are relative to ${cwd}.`, { cause: error });
  }
  if (status.isDirectory()) return sortByName(await findInFolder(path, cwd));
  if (!status.isFile())
    throw new MemoryError('FILE_UNSUPPORTED', `${pattern} is a ${typeOf(status)} and not a file. Pipe it into stdin and ingest -.`);
  return [toFile(path, cwd, true)];
}

async function findGlob(pattern: string, cwd: string): Promise<Input[]> {
  const named = new Set(pattern.split('/'));
  const ignored = SKIPPED_FOLDERS.filter((name) => !named.has(name));
  const ignore = ignored.map((name) => `**/${name}/**`);
  const paths = await glob(pattern, { cwd, ignore, absolute: true, onlyFiles: true, followSymbolicLinks: false, expandDirectories: false });
  if (paths.length === 0) {
    throw new MemoryError(
      'FILE_NOT_FOUND',
      `${pattern} matches no file. Dot files and the folders ${SKIPPED_FOLDERS.join(', ')} match only by name.`,
    );
  }
  return sortByName(await Promise.all(paths.map((path) => classifyMatch(resolve(path), cwd))));
}

/** `root` is the folder that the user named. */
/** It may be gone since the folder was listed. */
async function classifyMatch(path: string, cwd: string): Promise<Input> {
  try {
    return await classify(path, await lstat(path), cwd, cwd);
  } catch (error) {
    return unreadable(path, reasonOf(error), cwd);
  }
}

/** Node reads names as UTF-8; one in another encoding comes with U+FFFD in it, and nothing is found by that. */
function unreadable(path: string, reason: string, cwd: string): Input {
  return { kind: 'failed', name: nameOf(path, cwd), reason: path.includes('\ufffd') ? `its name is not UTF-8 (${reason}); rename it` : reason };
}

async function findInFolder(folder: string, cwd: string, root = folder): Promise<Input[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    return [unreadable(folder, reasonOf(error), cwd)];
  }
  const found: Input[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const path = join(folder, entry.name);
    const gone = entry.name.includes('\ufffd') ? await lstat(path).then(() => undefined, reasonOf) : undefined;
    if (gone !== undefined) found.push(unreadable(path, gone, cwd));
    else if (!entry.isDirectory()) found.push(await classify(path, entry, cwd, root));
    else if (!SKIPPED_FOLDERS.includes(entry.name)) for (const input of await findInFolder(path, cwd, root)) found.push(input);
  }
  return found;
}

async function classify(path: string, type: Dirent | Stats, cwd: string, root: string): Promise<Input> {
  if (type.isFile()) return toFile(path, cwd, false);
  return { kind: 'skipped', name: nameOf(path, cwd), reason: type.isSymbolicLink() ? await linkReason(path, root) : `a ${typeOf(type)}` };
}

function toFile(path: string, cwd: string, named: boolean): Input {
  const name = nameOf(path, cwd);
  if (name.length <= MAX_NAME_LENGTH) return { kind: 'file', name, path, named };
  return { kind: 'skipped', name, reason: `its path is longer than ${MAX_NAME_LENGTH} characters` };
}

async function linkReason(path: string, root: string): Promise<string> {
  try {
    const inside = relative(await realpath(root), await realpath(path));
    const leavesRoot = inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside;
    return leavesRoot ? 'a link out of the folder; name its target to ingest it' : 'a link to a path of the same folder';
  } catch {
    return 'a dead link';
  }
}

function typeOf(type: Dirent | Stats): string {
  if (type.isFIFO()) return 'named pipe';
  return type.isSocket() ? 'socket' : 'device';
}

function nameOf(path: string, cwd: string): string {
  return toPosix(relative(cwd, path)) || '.';
}

/** Outside of Windows a backslash is a letter of a name, or escapes one in a glob. */
function toPosix(path: string): string {
  return sep === '\\' ? path.replaceAll('\\', '/') : path;
}

function sortByName(inputs: readonly Input[]): Input[] {
  return inputs.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
