import { readFileSync } from 'node:fs';

/** One JSON value a line; blank lines are none. */
export function readJsonLines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}
