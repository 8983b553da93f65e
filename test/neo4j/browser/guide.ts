import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', '..', '..', 'docs', 'neo4j-browser.cypher');

/** What a reader pastes into the editor, one after the other, without the comments. */
export function readGuide(): { readonly commands: string[]; readonly queries: string[] } {
  const text = readFileSync(FILE, 'utf8').replace(/^\/\/.*$/gm, '');
  const statements = text
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
  return { commands: statements.filter((each) => each.startsWith(':')), queries: statements.filter((each) => !each.startsWith(':')) };
}
