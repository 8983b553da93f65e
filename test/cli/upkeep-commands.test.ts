import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ModelServer } from '../support/model-server.ts';
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

describe('tandem reextract', () => {
  it('has a model read what the rules have read, and says what is missing without one', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'lia', '--db', join(folder.path, 'lia.db'), '--embedding', 'fast'];
    await tandem(['store', 'I moved from Lindby to Corran.', ...scope]);
    const refused = await tandem(['reextract', ...scope]);
    expect(refused).toMatchObject({ status: 2, stdout: '', stderr: expect.stringContaining('TANDEM_MODEL') });
    await using server = await ModelServer.start(() => JSON.stringify({ facts: ['Lia lives in Corran'], entities: [], relations: [] }));
    const { environment } = server;
    expect((await tandem(['reextract', ...scope], { environment })).stdout).toMatch(
      /^Read 1 turn with the model in 1 call; [1-9] facts? of the rules gave way\.\n$/,
    );
    expect(JSON.parse((await tandem(['reextract', ...scope, '--json'], { environment })).stdout)).toMatchObject({ read: 0, failed: 0 });
  });
});
