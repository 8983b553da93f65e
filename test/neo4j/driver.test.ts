import { randomUUID } from 'node:crypto';
import type { GraphStore } from '@tandem-memory/core';
import { EmbeddedGraphStore, Neo4jGraphStore } from '@tandem-memory/graph';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { array, assert, asyncProperty, constantFrom, integer, option, record } from 'fast-check';
import neo4j from 'neo4j-driver';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { failureOf } from '../pipeline/open-test-memory.ts';
import { observeDriver } from './observed-driver.ts';
import { emptyDatabase, neo4jMissing, neo4jServer, openDriver, openStore } from './open-neo4j-store.ts';
import { changes, entity, episode, fact, turn, update } from './records.ts';

const USER = 'user';

describe.skipIf(neo4jMissing)('the Neo4j driver', () => {
  const driver = openDriver();
  let store: Neo4jGraphStore;

  beforeEach(async () => {
    await emptyDatabase(driver);
    store = await openStore();
  });
  afterEach(() => store.close());
  afterAll(async () => {
    await emptyDatabase(driver);
    await driver.close();
  });

  async function query(cypher: string): Promise<Record<string, unknown>[]> {
    return (await driver.executeQuery(cypher)).records.map((row) => row.toObject());
  }

  it('takes 20 writers at once, of one user and of many, without a deadlock and without a second attempt', async () => {
    const observed = observeDriver(driver);
    const writers = new Neo4jGraphStore({ server: observed.driver });
    await writers.open();
    observed.attempts.write = 0;
    const wave = (userOf: (n: number) => string) =>
      Promise.all(Array.from({ length: 20 }, (_, n) => writers.commit(turn(userOf(n), `turn ${n}`, n % 2 === 0 ? 'Ada' : 'Bo', `friend ${n % 3}`))));
    const receipts = [...(await wave(() => USER)), ...(await wave((n) => `user ${n}`)), ...(await wave(() => USER))];
    expect(observed.attempts.write).toBe(60);
    expect(receipts.slice(40).flatMap(({ created }) => [...created])).toEqual([]);
    const thread = await store.latest(USER, 'session', 100);
    expect(thread.map(({ position }) => position)).toEqual(Array.from({ length: 20 }, (_, n) => 19 - n));
    const sequences = receipts.flatMap(({ outbox }) => outbox.map(({ sequence }) => sequence));
    expect(new Set(sequences).size).toBe(60);
    expect((await store.readOutbox(100)).map(({ sequence }) => sequence)).toEqual([...sequences].sort((a, b) => a - b));
    expect(await query("MATCH (n:Entity {name: 'Ada'}) RETURN count(n) = 11 AS once")).toEqual([{ once: true }]);
  });

  it('undoes all of a commit, whichever of its statements fails', async () => {
    const { id } = episode(USER, 'hello');
    const set = {
      ...turn(USER, 'hello', 'Ada', 'Bo'),
      states: [{ episodeId: id, state: 'pending' as const }],
      revisions: [{ episodeId: id, content: 'good day' }],
      updates: [update(USER, id, 'revised')],
    };
    for (let failing = 1, failed = true; failed; failing++) {
      let statement = 0;
      const observed = observeDriver(driver, (cypher, mode) => {
        if (mode === 'write' && ++statement === failing) return 'RETURN 1 / 0';
        return cypher;
      });
      const broken = new Neo4jGraphStore({ server: observed.driver });
      await broken.open();
      statement = 0;
      const error = await broken.commit(set).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      failed = error !== undefined;
      if (failed) {
        expect(error).toMatchObject({ code: 'STORAGE_FAILED' });
        expect(await store.counts()).toEqual({ episodes: 0, entities: 0, facts: 0, users: 0, outbox: 0 });
        expect(await query('MATCH (n) WHERE NOT n:MemoryStore RETURN n')).toEqual([]);
      } else expect(failing).toBeGreaterThan(20);
    }
    expect(await store.counts()).toEqual({ episodes: 1, entities: 2, facts: 1, users: 1, outbox: 1 });
  });

  it('reads as much at a hub of 1,500 facts and mentions as at one of 150', async () => {
    const hits: number[] = [];
    for (const [user, size] of [
      ['small', 150],
      ['large', 1500],
    ] as const) {
      const said = Array.from({ length: size }, (_, n) => episode(user, `turn ${n}`));
      const clerks = said.map((each, n) => fact(user, 'City Hall', `Clerk ${n}`, { evidence: [each.id], confidence: (n % 10) / 10 }));
      const hall = entity(user, 'City Hall');
      const own = fact(user, 'Mira', 'City Hall');
      await store.commit(
        changes(user, {
          episodes: said,
          entities: [hall, entity(user, 'Mira'), ...clerks.map((_, n) => entity(user, `Clerk ${n}`))],
          facts: [own, ...clerks],
          mentions: said.map(({ id }) => ({ episodeId: id, entityId: hall.id })),
        }),
      );
      const observed = observeDriver(driver, (cypher, mode) => (mode === 'read' && cypher.includes('$') ? `PROFILE ${cypher}` : cypher));
      const profiled = new Neo4jGraphStore({ server: observed.driver });
      await profiled.open();
      const found = await profiled.expand({ userId: user, seedIds: [entity(user, 'Mira').id], hops: 2, fanOut: 20, limit: 60 });
      expect(found.facts.map(({ id }) => id)[0]).toBe(own.id);
      expect([found.facts.length, found.mentions.length, found.truncated]).toEqual([21, 20, true]);
      expect(found.degree.get(hall.id)).toBe(2 * size + 1);
      hits.push(observed.work.databaseHits);
    }
    expect(hits[0]).toBeGreaterThan(0);
    expect(hits[1]).toBeLessThan(1.2 * (hits[0] ?? 0));
    expect(hits[1]).toBeLessThan(1500);
  });

  it('answers every call like the embedded store, to the letter of the JSON', async () => {
    const people = constantFrom('Ada', 'Bo', "O'Neil", '에이다');
    const day = integer({ min: 1, max: 28 }).map((n) => `2024-02-${String(n).padStart(2, '0')}T23:59:59.987Z`);
    const step = record({
      text: constantFrom('one', 'two', '셋 👩‍👩‍👧'),
      from: people,
      to: people,
      confidence: integer({ min: 0, max: 3 }).map((n) => n / 3),
      at: day,
      validAt: option(day, { nil: undefined }),
      close: option(day, { nil: undefined }),
      slot: constantFrom('place', 'employer', undefined),
      retold: option(constantFrom('other', '다른'), { nil: undefined }),
      split: option(people, { nil: undefined }),
    });
    await assert(
      asyncProperty(array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const userId = randomUUID();
        const embedded = new EmbeddedGraphStore({ database: new SqliteDatabase({ path: ':memory:' }), ownsDatabase: true });
        await embedded.open();
        const stores: GraphStore[] = [embedded, store];
        const [met, said] = [new Set<string>(), new Set<string>()];
        for (const { text, from, to, confidence, at, validAt, close, slot, retold, split } of steps) {
          const set = turn(userId, text, from, to);
          const facts = set.facts.map((each) => ({
            ...each,
            confidence,
            createdAt: at,
            ...(validAt === undefined ? {} : { validAt }),
            ...(slot === undefined ? {} : { slot }),
          }));
          const entities = set.entities.map((each) => ({ ...each, aliases: [`${each.name} ${text}`] }));
          const outdated = { since: at, by: 'another', inPart: confidence > 0.5, about: text };
          const revisions = set.episodes.map(({ id: episodeId }) =>
            retold === undefined ? { episodeId, outdated } : { episodeId, content: retold, metadata: { retold }, updatedAt: at },
          );
          const splits = set.entities.flatMap(({ id, name }) =>
            name === split && met.has(name) ? [{ entityId: id, spellings: [`${name} one`, `${name} 셋 👩‍👩‍👧`], episodeIds: [...said] }] : [],
          );
          for (const name of [from, to]) met.add(name);
          for (const { id } of set.episodes) said.add(id);
          const updates = set.episodes.map(({ id }) => update(userId, id, `${text} ${retold}`));
          const closures =
            close === undefined ? [] : facts.map(({ id }) => ({ factId: id, invalidAt: close, expiredAt: close, reason: 'said otherwise' }));
          const receipts = await Promise.all(stores.map((each) => each.commit({ ...set, entities, facts, closures, revisions, splits, updates })));
          expect(receipts[1]?.created).toEqual(receipts[0]?.created);
        }
        const [expected, found] = await Promise.all(stores.map((each) => readAll(each, userId)));
        expect(found).toEqual(expected);
        const json = JSON.stringify(found);
        for (const key of ['low', 'high', 'nanosecond', 'timeZoneOffsetSeconds']) expect(json).not.toContain(`"${key}"`);
        expect(json).toContain('.987Z');
        await embedded.close();
      }),
      { numRuns: 8 },
    );
  });

  it('gives numbers and ISO times whatever the driver is set to give for an integer, and leaves a driver of the caller open', async () => {
    const { url, username = '', password = '' } = neo4jServer;
    for (const setting of [{ disableLosslessIntegers: true }, { useBigInt: true }, {}]) {
      const own = neo4j.driver(url, username === '' ? undefined : neo4j.auth.basic(username, password), setting);
      const another = new Neo4jGraphStore({ server: own });
      await another.open();
      await another.commit(turn(USER, 'hello', 'Ada', 'Bo'));
      expect(await another.counts()).toMatchObject({ episodes: 1, entities: 2 });
      expect(await another.latest(USER, 'session', 10)).toMatchObject([{ position: 0, utcOffsetMinutes: 60, createdAt: '2024-02-29T23:59:59.987Z' }]);
      await another.close();
      await own.verifyConnectivity();
      await own.close();
    }
  });

  it('opens an empty database from two processes at once', async () => {
    await query('MATCH (n) DETACH DELETE n');
    for (const { name } of await query("SHOW CONSTRAINTS YIELD name WHERE name STARTS WITH 'tandem_' RETURN name"))
      await query(`DROP CONSTRAINT ${name}`);
    for (const { name } of await query("SHOW INDEXES YIELD name WHERE name STARTS WITH 'tandem_' RETURN name")) await query(`DROP INDEX ${name}`);
    const stores = await Promise.all([openStore(), openStore()]);
    await Promise.all(stores.map((each, n) => each.commit(turn(USER, `turn ${n}`, 'Ada', 'Bo'))));
    expect(await stores[0]?.counts()).toMatchObject({ episodes: 2, entities: 2, facts: 1 });
    expect(await query("SHOW INDEXES YIELD name, state WHERE name STARTS WITH 'tandem_' RETURN DISTINCT state")).toEqual([{ state: 'ONLINE' }]);
    await Promise.all(stores.map((each) => each.close()));
  });

  it('hides the beginnings of names that an older version had in an index, and finds the names as before', async () => {
    await store.commit(turn(USER, 'They met.', 'Ada Lovelace', '김도깨비'));
    await query('MATCH (n) WHERE n:Entity OR n:Alias SET n.nameStart = n.normalForm, n.startKey1 = null, n.startKey3 = null');
    await query('MATCH (store:MemoryStore) SET store.schemaVersion = 3');
    const old = await openStore();
    for (const [prefix, name] of [
      ['ada', 'Ada Lovelace'],
      ['ad', 'Ada Lovelace'],
      ['ada lov', 'Ada Lovelace'],
      ['김', '김도깨비'],
    ] as const)
      expect((await old.findEntities({ userId: USER, prefixes: [prefix] }, { limit: 10 })).map((found) => found.name)).toEqual([name]);
    expect(await old.findEntities({ userId: USER, prefixes: ['adz', '도'] }, { limit: 10 })).toEqual([]);
    expect(await query('MATCH (n) WHERE n.nameStart IS NOT NULL RETURN n')).toEqual([]);
    await old.close();
  });

  it('refuses a database of a newer version', async () => {
    await query('MATCH (store:MemoryStore) SET store.schemaVersion = store.schemaVersion + 99');
    try {
      expect(await failureOf(openStore())).toMatchObject({ code: 'DATABASE_TOO_NEW' });
    } finally {
      await query('MATCH (store:MemoryStore) SET store.schemaVersion = store.schemaVersion - 99');
    }
  });

  it('says what is wrong with the connection, and nothing of the password', async () => {
    const { url, username = 'neo4j' } = neo4jServer;
    const cases = [
      [{ server: { url: 'bolt://127.0.0.1:1' } }, 'GRAPH_UNAVAILABLE', 'NEO4J_URI'],
      [{ server: neo4jServer, database: 'nowhere' }, 'CONFIG_INVALID', 'NEO4J_DATABASE'],
      ...(neo4jServer.password === undefined
        ? []
        : [[{ server: { url, username, password: 'wrong-secret' } }, 'CONFIG_INVALID', 'NEO4J_PASSWORD'] as const]),
    ] as const;
    for (const [options, code, remedy] of cases) {
      const error = await failureOf(openStore(options));
      expect([error.code, error.message.includes(remedy)]).toEqual([code, true]);
      expect(JSON.stringify([error.message, error.details, String(error.cause)])).not.toContain('secret');
    }
  });

  it('reads what is asked for at once in few transactions; what is refused is refused to its caller, a server that fails to all', async () => {
    await store.commit(turn(USER, 'They met.', 'Ada', 'Bo'));
    let broken = false;
    const observed = observeDriver(driver, (cypher) => (broken && cypher.includes('user.speakers') ? 'RETURN 1 / 0' : cypher));
    const reader = new Neo4jGraphStore({ server: observed.driver });
    await reader.open();
    observed.attempts.read = 0;
    const facts = () => reader.findFacts({ userId: USER }, { limit: 10 });
    const wrong = reader.expand({ userId: USER, seedIds: [entity(USER, 'Ada').id], hops: 1, fanOut: 9, limit: 9, validAt: 'never' });
    const [refused, found] = await Promise.all([failureOf(wrong), Promise.all(Array.from({ length: 99 }, facts))]);
    expect(refused).toMatchObject({ code: 'INPUT_INVALID' });
    expect(found).toEqual(Array.from({ length: 99 }, () => found[0]));
    expect(found[0]).toHaveLength(1);
    expect(observed.attempts.read).toBe(2);
    broken = true;
    const errors = await Promise.all([failureOf(reader.speakers(USER)), failureOf(facts())]);
    expect(errors.map(({ code }) => code)).toEqual(['STORAGE_FAILED', 'STORAGE_FAILED']);
    broken = false;
    expect(await facts()).toEqual(found[0]);
    await reader.close();
  });

  it('stops a call that is aborted while it runs, and undoes it', async () => {
    const controller = new AbortController();
    const observed = observeDriver(driver, (cypher, mode) => {
      if (mode === 'write' && cypher.includes('OutboxEntry')) controller.abort(new Error('enough'));
      return cypher;
    });
    const another = new Neo4jGraphStore({ server: observed.driver });
    await another.open();
    expect(await failureOf(another.commit(turn(USER, 'hello', 'Ada', 'Bo'), controller.signal))).toMatchObject({ code: 'ABORTED' });
    expect(await store.counts()).toMatchObject({ episodes: 0, outbox: 0 });
  });
});

async function readAll(store: GraphStore, userId: string) {
  const page = { limit: 100 };
  const episodes = await store.findEpisodes({ userId }, page);
  const entities = await store.findEntities({ userId }, page);
  const ids = episodes.map(({ id }) => id);
  const seedIds = entities.slice(0, 2).map(({ id }) => id);
  const expanded = [];
  for (const at of [{}, { validAt: '2024-02-14T00:00:00.000Z' }, { recordedAt: '2024-02-14T00:00:00.000Z', validAt: '2024-02-10T00:00:00.000Z' }]) {
    for (const hops of [0, 1, 2] as const) {
      const found = await store.expand({ userId, seedIds, hops, fanOut: 2, limit: 5, ...at });
      // Of mentions at the same moment the order is the store's own.
      const mentions = found.mentions.length;
      expanded.push({ ...found, mentions, distance: [...found.distance], degree: [...found.degree] });
    }
  }
  const updates = [
    await store.readUpdates({ userId }, page),
    await store.readUpdates({ userId, recordIds: ids.slice(0, 1), actions: ['revise'] }, page),
    await store.readUpdates({ userId, recordIds: ids.slice(1), actions: ['merge'] }, page),
  ];
  const [subjectId = '', objectId = ''] = seedIds;
  return {
    episodes,
    entities,
    // Numbers are the store's own.
    updates: updates.map((entries) => entries.map(({ sequence: _, ...entry }) => entry)),
    beginnings: await Promise.all(['a', 'ada o', "o'", '에', 'nobody'].map((prefix) => store.findEntities({ userId, prefixes: [prefix] }, page))),
    ofSlot: await store.findFacts({ userId, subjectId, slot: 'place' }, page),
    ofSlotAndEnds: await store.findFacts({ userId, subjectId, objectId, slot: 'employer', currentOnly: true }, page),
    ofEnds: [await store.findFacts({ userId, subjectId, objectId }, page), await store.findFacts({ userId, objectId }, page)],
    ofAny: await store.findFacts({ userId, slot: 'place', episodeId: ids[0] ?? '' }, page),
    facts: await store.findFacts({ userId }, page),
    current: await store.findFacts({ userId, currentOnly: true, entityId: seedIds[0] ?? '' }, page),
    mentions: await store.mentions(userId, ids),
    neighbours: [...(await store.neighbours(userId, ids, 2))],
    latest: await store.latest(userId, 'session', 2),
    counts: await store.counts(userId),
    expanded,
  };
}
