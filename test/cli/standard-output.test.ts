import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A library that talks, as soon as it can and once more later. */
const NOISE = `data:text/javascript,${encodeURIComponent(
  'const talk = () => { console.log("noise"); console.info("noise"); console.warn("noise"); process.emitWarning("old", "DeprecationWarning"); }; setTimeout(talk, 0); setTimeout(talk, 100);',
)}`;

describe('standard output', () => {
  const folder = temporaryFolder();

  const user = ['--user', 'lia'];
  const environment = { NODE_OPTIONS: `--import=${NOISE}`, TANDEM_EMBEDDING: 'fast', TANDEM_DB: 'talk.db' };
  writeFileSync(join(folder.path, 'pier.md'), '# Pier\n\nThe pier light is green.\n');

  // One after the other on one file.
  it.each<readonly string[][]>([
    [['store', 'I moved from Lindby to Corran.', ...user]],
    [['ingest', 'pier.md', ...user]],
    [['query', 'Where does Lia live?', ...user, '--explain']],
    [['history', ...user]],
    [['merges', 'list', ...user]],
    [['merges', 'dry-run', ...user]],
    [['stats']],
    [['doctor']],
    [['reindex']],
    [['audit', ...user]],
    [['consent', 'grant', ...user]],
    [['decay', ...user]],
    [['export', ...user]],
    [['import', 'lia.jsonl']],
    [['forget', ...user, '--yes']],
  ])('holds JSON and nothing else, whatever a library prints, for %j', async (command) => {
    const { status, stdout, stderr } = await tandem([...command, '--json'], { cwd: folder.path, environment });
    expect(status).toBe(0);
    if (command[0] === 'export') writeFileSync(join(folder.path, 'lia.jsonl'), stdout);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(() => JSON.parse(line), line).not.toThrow();
    expect(stderr).toContain('noise');
    expect(stderr).toContain('DeprecationWarning');
  });

  it.each([[['nonsense']], [['merges', 'nonsense']], [[]]])('and what goes wrong is one line of JSON on the other, also for %j', async (command) => {
    const { status, stdout, stderr } = await tandem([...command, '--json'], { cwd: folder.path });
    expect([status, stdout]).toEqual([2, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'INPUT_INVALID' } });
  });
});
