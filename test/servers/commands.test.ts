import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase, neo4jMissing, neo4jServer, openDriver } from '../neo4j/open-neo4j-store.ts';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const { username, password } = neo4jServer;
const LOGIN = {
  ...(username === undefined ? {} : { NEO4J_USER: username }),
  ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
  ...(qdrantServer.apiKey === undefined ? {} : { QDRANT_API_KEY: qdrantServer.apiKey }),
};

describe.skipIf(neo4jMissing || qdrantMissing)('the command on both servers', () => {
  const driver = openDriver();
  const indexes = new TestIndexes(qdrantServer);
  beforeEach(() => emptyDatabase(driver));
  afterAll(async () => {
    await indexes.clear();
    await emptyDatabase(driver);
    await driver.close();
  });

  /** The rest of the environment: embeddings that load in a moment, and a collection that nobody else has. */
  function setting() {
    const prefix = `test-${randomUUID()}`;
    indexes.make({ collectionPrefix: prefix });
    return { ...LOGIN, TANDEM_EMBEDDING: 'fast', TANDEM_QDRANT_PREFIX: prefix, TANDEM_USER: 'lia' };
  }

  it('needs nothing but the environment, whatever it is asked, and makes no file', async () => {
    using folder = temporaryFolder();
    const environment = { ...setting(), NEO4J_URI: neo4jServer.url, QDRANT_URL: qdrantServer.url };
    const run = async (args: readonly string[], stdin?: string) => {
      const { status, stdout, stderr } = await tandem(args, { environment, cwd: folder.path, ...(stdin === undefined ? {} : { stdin }) });
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
      return stdout;
    };
    await run(['consent', 'grant', '--actor', 'form 7']);
    await run(['store', 'I moved from Lindby to Corran.', '--at', '2024-03-02']);
    await run(['ingest', '-', '--session', 'monday'], '{"role":"user","content":"Marit repairs boats in Corran."}\n');
    expect(await run(['query', 'Where does Lia live?'])).toContain('Corran');
    expect(await run(['chat', '--session', 'trip'], 'Who repairs boats?\n')).toContain('Marit');
    expect(await run(['chat', '--session', 'trip', '--json'], 'And where?\n/memory\n')).toContain('"command":"memory"');
    expect(JSON.parse(await run(['stats', '--json']))).toMatchObject({ graphStore: 'neo4j', vectorIndex: 'qdrant', outbox: 0 });
    await run(['history']);
    await run(['merges', 'list']);
    await run(['merges', 'dry-run']);
    expect(await run(['consent'])).toContain('form 7');
    await run(['audit']);
    await run(['decay', '--dry-run']);
    expect(await run(['doctor'])).toContain('Graph and indexes agree.');
    await run(['reindex']);
    await run(['doctor', '--repair']);
    const exported = await run(['export']);
    expect(exported).toContain('Marit repairs boats');
    expect(JSON.parse(await run(['forget', '--yes', '--json']))).toMatchObject({ remaining: { episodes: 0, vectors: 0 } });
    expect(JSON.parse(await run(['query', 'Where does Lia live?', '--json']))).toMatchObject({ items: [], degraded: [] });
    await run(['import', '-'], exported);
    expect(await run(['query', 'Where does Lia live?'])).toContain('Corran');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('copies a memory from a file to the servers and back, to the letter', async () => {
    using folder = temporaryFolder();
    const environment = setting();
    const file = ['--db', join(folder.path, 'lia.db')];
    const servers = ['--graph', neo4jServer.url, '--vector', qdrantServer.url];
    const run = async (args: readonly string[], stdin?: string) => {
      const { status, stdout, stderr } = await tandem(args, { environment, ...(stdin === undefined ? {} : { stdin }) });
      expect({ args, status, stderr }).toEqual({ args, status: 0, stderr: '' });
      return stdout;
    };
    await run(['store', 'I moved from Lindby to Corran. 에이다 👩‍👩‍👧', '--session', 'monday', '--at', '2024-02-29T23:59:59.987Z', ...file]);
    await run(['store', 'Marit lives in Corran and repairs boats.', ...file]);
    const records = (text: string) => text.split('\n').slice(1);
    const first = await run(['export', ...file]);
    await run(['import', '-', ...servers], first);
    const second = await run(['export', ...servers]);
    expect(records(second)).toEqual(records(first));
    const again = ['--db', join(folder.path, 'again.db')];
    await run(['import', '-', ...again], second);
    expect(records(await run(['export', ...again]))).toEqual(records(first));
    const answers = [await run(['query', 'Where does Lia live?', ...servers]), await run(['query', 'Where does Lia live?', ...again])];
    for (const answer of answers) expect(answer).toContain('Corran');
  });
});
