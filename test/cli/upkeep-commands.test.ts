import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('tandem doctor and reindex', () => {
  it('take a file to another embedding model, which the other commands refuse with this remedy', async () => {
    using folder = temporaryFolder();
    const at = ['--user', 'lia', '--db', join(folder.path, 'lia.db'), '--embedding'];
    expect(await tandem(['store', 'I moved from Lindby to Corran.', ...at, 'fast'])).toMatchObject({ status: 0 });
    expect(await tandem(['doctor', ...at, 'fast'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Graph and indexes agree.') });
    const refused = await tandem(['query', 'Where?', ...at, 'minilm']);
    expect(refused).toMatchObject({ status: 2, stdout: '' });
    expect(refused.stderr).toMatch(/`tandem reindex`.*DIMENSION_MISMATCH/s);
    expect(await tandem(['reindex', ...at, 'minilm'])).toMatchObject({ status: 0, stdout: expect.stringContaining('Indexed 1 record of 1 user') });
    expect((await tandem(['query', 'Where does Lia live?', ...at, 'minilm'])).stdout).toContain('Corran');
  });
});
