import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { MemoryCheck } from 'tandem-memory';
import { afterAll, describe, expect, it } from 'vitest';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe.skipIf(qdrantMissing)('tandem with its indexes on Qdrant', () => {
  const indexes = new TestIndexes(qdrantServer);
  const prefix = `test-${randomUUID()}`;
  indexes.make({ collectionPrefix: prefix });
  afterAll(() => indexes.clear());

  it('finds it by the environment or by --vector, and moves a memory there', async () => {
    using folder = temporaryFolder();
    const environment = {
      QDRANT_URL: qdrantServer.url,
      TANDEM_QDRANT_PREFIX: prefix,
      ...(qdrantServer.apiKey === undefined ? {} : { QDRANT_API_KEY: qdrantServer.apiKey }),
    };
    const { QDRANT_URL, ...withoutUrl } = environment;
    const scope = ['--user', 'lia', '--db', join(folder.path, 'lia.db'), '--embedding', 'fast'];
    await tandem(['store', 'I moved from Lindby to Corran.', ...scope]);

    const lost = await tandem(['doctor', ...scope, '--json'], { environment });
    expect(lost.status).toBe(1);
    expect(JSON.parse(lost.stdout)).toMatchObject({ missing: 1, drifted: [{ userId: 'lia' }] });
    expect(JSON.parse(lost.stderr)).toMatchObject({ error: { code: 'INDEX_DRIFT', message: expect.stringContaining('tandem doctor --repair') } });
    const repaired = await tandem(['doctor', '--repair', ...scope, '--vector', QDRANT_URL, '--json'], { environment: withoutUrl });
    expect(repaired.status).toBe(0);
    expect(JSON.parse(repaired.stdout) as MemoryCheck).toMatchObject({ missing: 0, orphaned: 0, before: { missing: 1 } });
    expect((await tandem(['query', 'Where does Lia live?', ...scope], { environment })).stdout).toContain('Corran');
    expect((await tandem(['stats', ...scope], { environment })).stdout).toMatch(/1 vectors[\s\S]*qdrant \(vectors\), qdrant \(keywords\)/);
    expect(await tandem(['reindex', ...scope, '--json'], { environment })).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('"records":1'),
    });
  });

  it('says what is missing while it is down, and which option is wrong', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'lia', '--db', join(folder.path, 'lia.db'), '--embedding', 'fast'];
    const nobody = ['--vector', 'http://127.0.0.1:9'];
    const stored = await tandem(['store', 'Ilse grows saffron', ...scope, ...nobody]);
    expect(stored).toMatchObject({ status: 0, stdout: expect.stringContaining('INDEX_UNAVAILABLE') });
    expect((await tandem(['query', 'saffron', ...scope, ...nobody])).stdout).toContain('vector search unavailable (INDEX_UNAVAILABLE)');
    expect((await tandem(['stats', ...scope, ...nobody])).stdout).toContain('unknown number of vectors');
    expect(await tandem(['doctor', ...scope, ...nobody])).toMatchObject({ status: 1, stderr: expect.stringContaining('INDEX_UNAVAILABLE') });
    const wrong = await tandem(['store', 'x', ...scope, '--vector', 'localhost:6333']);
    expect(wrong).toMatchObject({ status: 2, stderr: expect.stringMatching(/vectors\.url.*CONFIG_INVALID/s) });
  });
});
