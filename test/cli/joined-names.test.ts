import { join } from 'node:path';
import type { Receipt } from 'tandem-memory';
import { describe, expect, it, vi } from 'vitest';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Each command is a process of its own. */
vi.setConfig({ testTimeout: 120_000 });

describe('tandem store', () => {
  it('says which names it joined, why, and what undoes it, as a dry run says what would be joined', async () => {
    using folder = temporaryFolder();
    const at = ['--user', 'mika', '--db', join(folder.path, 'm.db'), '--embedding', 'fast'];
    await tandem(['store', 'Mika runs the Harbour Cafe.', ...at]);
    const { stdout } = await tandem(['store', 'The Harbor Cafe sells bread.', ...at]);
    const [, id = ''] = / {2}joined {4}Harbor Cafe is Harbour Cafe {2}spelling; undone by tandem merges undo (\S+)\n/.exec(stdout) ?? [];
    expect((await tandem(['merges', 'list', ...at])).stdout).toBe(`${id}  Harbor Cafe is Harbour Cafe  spelling\n`);
    expect((await tandem(['merges', 'undo', id, ...at])).stdout).toBe('Undone: 1 mention and 1 fact now belong to an entity of their own.\n');
    expect((await tandem(['merges', 'dry-run', ...at])).stdout).toBe('Nothing would be merged.\n');
    const other = ['--user', 'ivo', ...at.slice(2)];
    await tandem(['store', 'Ivo runs the Mount Bakery.', ...other]);
    const told = JSON.parse((await tandem(['store', 'The Mt Bakery sells bread.', '--json', ...other])).stdout) as Receipt;
    expect(told.merges).toMatchObject([{ name: 'Mount Bakery', spelling: 'Mt Bakery', step: 'spelling', episodeId: told.episodes[0]?.id }]);
  });
});
