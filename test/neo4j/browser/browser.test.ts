import { join } from 'node:path';
import { emptyChangeSet } from '@tandem-memory/core';
import { Neo4jGraphStore } from '@tandem-memory/graph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tandem } from '../../support/spawn.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { emptyDatabase, neo4jMissing, neo4jServer, openDriver } from '../open-neo4j-store.ts';
import { readGuide } from './guide.ts';
import { findChromium, Neo4jBrowser } from './neo4j-browser.ts';

const SAMPLE = join(import.meta.dirname, '..', '..', '..', 'examples', 'sample', 'team-chat.jsonl');

const chromium = findChromium();
const mayRun = chromium !== undefined && neo4jServer.httpUrl !== undefined;
if (!neo4jMissing && !mayRun) {
  const reason = chromium === undefined ? 'Chromium is not there' : 'the address of Neo4j Browser is not known';
  if (process.env['CI'] === 'true') throw new Error(`The test of Neo4j Browser must run in CI, but ${reason}.`);
  console.warn(`The test that draws in Neo4j Browser is left out: ${reason}.`);
}

describe.skipIf(neo4jMissing)('the guide to Neo4j Browser, on the sample data', () => {
  const driver = openDriver();
  const { commands, queries } = readGuide();

  beforeAll(async () => {
    await emptyDatabase(driver);
    using folder = temporaryFolder();
    const { url, username, password } = neo4jServer;
    const environment = {
      NEO4J_URI: url,
      ...(username === undefined ? {} : { NEO4J_USER: username }),
      ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
    };
    const args = ['ingest', SAMPLE, '--user', 'team', '--db', join(folder.path, 'indexes.db'), '--embedding', 'fast', '--json'];
    const ingested = await tandem(args, { environment });
    expect({ status: ingested.status, stderr: ingested.stderr }).toEqual({ status: 0, stderr: '' });
    await closeOneFact();
  });
  afterAll(async () => {
    await emptyDatabase(driver);
    await driver.close();
  });

  /** Whether the rules find a contradiction in the sample is not the matter here. */
  async function closeOneFact(): Promise<void> {
    const store = new Neo4jGraphStore({ server: driver });
    await store.open();
    const [fact] = await store.findFacts({ userId: 'team', currentOnly: true }, { limit: 1 });
    const at = '2026-03-17T10:00:00.000Z';
    const closures = [{ factId: fact?.id ?? '', invalidAt: at, expiredAt: at, reason: 'A later turn says otherwise.' }];
    await store.commit({ ...emptyChangeSet('team'), closures });
    await store.close();
  }

  it('has queries that all find something', async () => {
    const parameters = Object.fromEntries([...(commands[0] ?? '').matchAll(/(\w+): '([^']*)'/g)].map(([, name, value]) => [name, value]));
    expect(queries).toHaveLength(8);
    for (const query of queries) {
      const { records } = await driver.executeQuery(query, parameters);
      expect(records.length, query).toBeGreaterThan(0);
    }
  });

  it.skipIf(!mayRun)(
    'is drawn by the real Browser, with captions that can be read',
    async () => {
      const browser = await Neo4jBrowser.open(chromium ?? '', neo4jServer);
      try {
        for (const command of commands) await browser.run(command);
        await browser.run(queries[0] ?? '');
        const timeline = await browser.graph();
        expect(timeline.captions).toHaveLength(17);
        expect(timeline.captions.filter((caption) => /^(Tomasz|Ruben|Signe|Oskar|Leila|Priya):/.test(caption)).length).toBeGreaterThan(10);
        expect(timeline.captions.some((caption) => caption.startsWith('thread-'))).toBe(true);
        expect(timeline.relationships.filter((name) => name === 'NEXT').length).toBe(15);
        await browser.run(queries[7] ?? '');
        const known = await browser.graph();
        expect(known.captions).toContain('Postgres');
        // The predicate in place of the type, by the guide's style.
        expect(known.relationships).not.toContain('RELATES_TO');
        expect(known.relationships).toContain('like');
      } finally {
        await browser.close();
      }
    },
    240_000,
  );
});
