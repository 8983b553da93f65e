import { join } from 'node:path';
import { ENTITY_TYPES } from '@tandem-memory/core';
import { Neo4jGraphStore } from '@tandem-memory/graph';
import { openMemory } from 'tandem-memory';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { tandem } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { observeDriver } from './observed-driver.ts';
import { emptyDatabase, neo4jMissing, neo4jServer, openDriver } from './open-neo4j-store.ts';

const { url, username, password } = neo4jServer;
const login = { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) };
const FAST = ['--embedding', 'fast'];

const AWKWARD = ['O\'Neil "Ox" \\ {id: 1} $limit\nJr.', 'C:\\depot\\', '`) DETACH DELETE (n', '에이다 👩‍👩‍👧', 'Person', 'MENTIONS'];
const PREDICATES = ['co-signed_with', '2nd reviewer of', 'is part of...', 'a/b & c: d', "]->() DELETE x //'", 'RELATES_TO'];

describe.skipIf(neo4jMissing)('a memory whose graph is in Neo4j', () => {
  const driver = openDriver();
  beforeEach(() => emptyDatabase(driver));
  afterAll(async () => {
    await emptyDatabase(driver);
    await driver.close();
  });

  async function distinct(cypher: string): Promise<string[]> {
    return (await driver.executeQuery(cypher)).records.map((row) => String(row.get(0))).sort();
  }

  it('keeps what models and users write out of labels, types and property names', async () => {
    const reply = {
      facts: AWKWARD.map((name) => `Bo met ${name}`),
      entities: ['Bo', ...AWKWARD].map((name, n) => ({ name, type: ['Person-Name', 'City/State', '2nd type', 'person'][n % 4] })),
      relations: AWKWARD.map((target, n) => ({ subject: 'Bo', predicate: PREDICATES[n], object: target })),
    };
    const { memory } = openTestMemory({ replies: [JSON.stringify(reply)] });
    const turn = { role: 'user' as const, content: AWKWARD.join('\n'), metadata: { 'a b`': { $set: 1 }, userId: 'eve' } };
    await memory.store([turn], { userId: 'u-cy', sessionId: AWKWARD[0] ?? '', agentId: '`x`' });
    const names = (await memory.entities({ userId: 'u-cy' })).map(({ name }) => name);
    for (const name of AWKWARD) {
      expect(names).toContain(name);
      expect((await memory.retrieve(name, { userId: 'u-cy', budget: 2000, hops: 2 })).items.length).toBeGreaterThan(0);
    }
    const bo = (await memory.entities({ userId: 'u-cy' })).find(({ name }) => name === 'Bo')?.id ?? '';
    const told = (await memory.facts({ userId: 'u-cy', entityId: bo }))
      .map(({ predicate }) => predicate)
      .filter((predicate) => predicate !== undefined);
    expect(new Set(told)).toEqual(new Set(PREDICATES));
    await memory.close();

    const typeLabels = ENTITY_TYPES.map((type) => `${type[0]?.toUpperCase()}${type.slice(1)}`);
    const allowed = ['MemoryStore', 'User', 'Session', 'Episode', 'Entity', 'Fact', 'Alias', 'OutboxEntry', 'UpdateEntry', 'LifeMark', ...typeLabels];
    expect(allowed).toEqual(expect.arrayContaining(await distinct('MATCH (n) UNWIND labels(n) AS label RETURN DISTINCT label')));
    const types = ['HAS_SESSION', 'HAS_EPISODE', 'MENTIONS', 'ABOUT', 'STATED_IN', 'RELATES_TO', 'ALIAS_OF', 'NEXT'];
    expect(types).toEqual(expect.arrayContaining(await distinct('MATCH ()-[r]->() RETURN DISTINCT type(r)')));
    const keys = await distinct('MATCH (n) UNWIND keys(n) AS key RETURN DISTINCT key');
    for (const key of keys) expect(key).toMatch(/^[a-z][A-Za-z]+\d?$/);
    expect(keys).not.toContain('a b`');
  });

  it('takes many turns in a number of transactions that does not grow with them', async () => {
    const observed = observeDriver(driver);
    const { memory } = openTestMemory({ graph: new Neo4jGraphStore({ server: observed.driver }) });
    const attemptsFor = async (turns: number, userId: string) => {
      observed.attempts.read = 0;
      observed.attempts.write = 0;
      const said = (firm: string) =>
        Array.from({ length: turns }, (_, n) => ({
          role: 'user' as const,
          content: `Note ${n}`,
          triples: [[`Person ${String.fromCharCode(97 + (n % 26))}${n}`, 'works at', `${firm} ${n}`] as const],
        }));
      for (const firm of ['Aldi', 'Lidl']) await memory.store(said(firm), { userId, sessionId: firm });
      return observed.attempts.read + observed.attempts.write;
    };
    await attemptsFor(1, 'u-one');
    const [few, many] = [await attemptsFor(4, 'u-few'), await attemptsFor(60, 'u-many')];
    expect(many).toBeLessThan(2 * few);
    await memory.close();
  });

  it('carries the user on every node and relationship', async () => {
    const memory = await openMemory({ path: ':memory:', embedding: 'fast', graph: { url, ...login } });
    for (const userId of ['rosa', 'ivan']) {
      await memory.store('Dana works at Harbor Cafe. Harbor Cafe owes rent to Mr. Pell.', { userId, sessionId: 'monday' });
      await memory.store([{ role: 'user', content: 'Dana plays chess.', name: 'Ann' }], { userId });
    }
    await memory.close();
    expect(await distinct('MATCH (n) WHERE n.userId IS NULL UNWIND labels(n) AS label RETURN DISTINCT label')).toEqual(['MemoryStore']);
    expect(await distinct('MATCH ()-[r]->() WHERE r.userId IS NULL RETURN DISTINCT type(r)')).toEqual([]);
    expect(await distinct('MATCH (a)-[r]->(b) WHERE a.userId <> b.userId OR r.userId <> a.userId RETURN DISTINCT type(r)')).toEqual([]);
  });

  it('answers the same after it was closed and opened again', async () => {
    using folder = temporaryFolder();
    const config = { path: join(folder.path, 'indexes.db'), embedding: 'fast' as const, graph: { url, ...login } };
    const ask = { userId: 'lia', budget: 300 };
    const first = await openMemory(config);
    await first.store('I moved from Lindby to Corran in 2024.', { userId: 'lia', at: '2024-03-02T10:00:00+01:00' });
    await first.store('Marit lives in Corran and repairs boats.', { userId: 'lia' });
    const before = await first.retrieve('Where does Lia live, and who repairs boats there?', ask);
    await first.close();
    const second = await openMemory(config);
    const after = await second.retrieve('Where does Lia live, and who repairs boats there?', ask);
    expect(after.text).toContain('Corran');
    expect(after.text).toBe(before.text);
    expect(await second.stats('lia')).toMatchObject({ episodes: 2, outbox: 0 });
    await second.close();
  });

  it('is chosen by the environment alone, or by --graph', async () => {
    using folder = temporaryFolder();
    const scope = ['--user', 'lia', '--db', join(folder.path, 'indexes.db'), ...FAST, '--json'];
    const loginVariables = {
      ...(username === undefined ? {} : { NEO4J_USER: username }),
      ...(password === undefined ? {} : { NEO4J_PASSWORD: password }),
    };
    const stored = await tandem(['store', 'I moved from Lindby to Corran.', ...scope], { environment: { NEO4J_URI: url, ...loginVariables } });
    expect({ status: stored.status, stderr: stored.stderr }).toEqual({ status: 0, stderr: '' });
    expect(await distinct('MATCH (:User)-[:HAS_EPISODE]->(episode:Episode) RETURN episode.content')).toEqual(['I moved from Lindby to Corran.']);
    const asked = await tandem(['query', 'Where does Lia live?', '--graph', url, ...scope], { environment: loginVariables });
    expect(JSON.parse(asked.stdout)).toMatchObject({ text: expect.stringContaining('Corran') });
    const away = await tandem(['stats', '--graph', 'bolt://127.0.0.1:1', ...scope], { environment: loginVariables });
    expect([away.status, away.stdout]).toEqual([1, '']);
    expect(away.stderr).toContain('GRAPH_UNAVAILABLE');
    const wrong = await tandem(['stats', '--graph', 'http://127.0.0.1:7474', ...scope], { environment: loginVariables });
    expect([wrong.status, wrong.stderr.includes('CONFIG_INVALID')]).toEqual([2, true]);
  });
});
