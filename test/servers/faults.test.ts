import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { type Memory, MemoryError } from '@tandem-memory/core';
import type { FixedClock } from '@tandem-memory/core/testing';
import { Neo4jGraphStore } from '@tandem-memory/graph';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { emptyDatabase, neo4jMissing, neo4jServer, openDriver } from '../neo4j/open-neo4j-store.ts';
import { failureOf, openTestMemory, reply } from '../pipeline/open-test-memory.ts';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';
import { TcpProxy } from '../support/tcp-proxy.ts';

const USER = 'u-dn';
const SAFFRON = reply(
  ['Ilse grows saffron'],
  [
    ['Ilse', 'person'],
    ['saffron', 'object'],
  ],
  [['Ilse', 'grows', 'saffron']],
);
const OTTO = reply(['Otto sells tea'], [['Otto', 'person']]);
/** How much longer a server may take than it did when it was warm; then it counts as one that never answers. */
const PATIENCE = 10;
const [SHORTEST_LIMIT_MS, LONGEST_LIMIT_MS] = [1_000, 4_000];
/** What a caller may be told of a server that fails: each says that the call may be repeated. */
const PASSING = ['GRAPH_UNAVAILABLE', 'INDEX_UNAVAILABLE', 'STORAGE_BUSY', 'TIMEOUT'];
/** A server that is silent is waited for, half a minute a test. */
const SILENT = process.env['FULL_MATRIX'] === '1' ? (['hang', 'mute', 'cut'] as const) : [];
const BROKEN = ['refuse', 'half', ...SILENT] as const;
const WRITERS = 20;
const AGREED = { missing: 0, orphaned: 0, drifted: [], outbox: { waiting: 0 } };

/** A memory on both servers, over lines that the test can spoil. */
class Behind implements AsyncDisposable {
  readonly graph: TcpProxy;
  readonly vector: TcpProxy;
  readonly memory: Memory;
  readonly clock: FixedClock;

  private constructor(graph: TcpProxy, vector: TcpProxy, limitMs: number) {
    this.graph = graph;
    this.vector = vector;
    const { url: _, ...login } = neo4jServer;
    const server = { url: `bolt://127.0.0.1:${graph.port}`, ...login, driverOptions: { maxTransactionRetryTime: 1_000 } };
    const opened = openTestMemory({
      graph: new Neo4jGraphStore({ server, transactionTimeoutMs: limitMs }),
      index: indexes.make({ url: vector.url, timeoutMs: limitMs, collectionPrefix: `test-${randomUUID()}` }),
      replies: [SAFFRON, OTTO],
      options: { deadlines: { recallMs: limitMs, expandMs: limitMs, indexMs: limitMs } },
    });
    this.memory = opened.memory;
    this.clock = opened.clock;
  }

  static async lines(limitMs: number): Promise<Behind> {
    return new Behind(await TcpProxy.to(neo4jServer.url), await TcpProxy.to(qdrantServer.url), limitMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.graph.become('pass'), this.vector.become('pass')]);
    await this.memory.close();
    await Promise.all([this.graph, this.vector].map((line) => line[Symbol.asyncDispose]()));
  }
}

const indexes = new TestIndexes(qdrantServer);

describe.skipIf(neo4jMissing || qdrantMissing)('a memory on Neo4j and Qdrant, over lines that fail', () => {
  const driver = openDriver();
  let limitMs = LONGEST_LIMIT_MS;
  // A server that has just begun takes ten times as long for its first statements.
  beforeAll(async () => {
    await emptyDatabase(driver);
    await using behind = await Behind.lines(60_000);
    const { memory } = behind;
    const storeAndAsk = async (text: string) => {
      const begun = performance.now();
      await memory.store(text, { userId: USER });
      await memory.retrieve('saffron', { userId: USER });
      return performance.now() - begun;
    };
    await storeAndAsk('Ilse grows saffron');
    await memory.forget({ userId: USER, ids: (await memory.facts({ userId: USER })).map((fact) => fact.id) });
    await memory.check();
    limitMs = Math.min(LONGEST_LIMIT_MS, Math.max(SHORTEST_LIMIT_MS, PATIENCE * (await storeAndAsk('Otto sells tea'))));
  });
  beforeEach(() => emptyDatabase(driver));
  afterAll(async () => {
    await indexes.clear();
    await driver.close();
  });

  const textsOf = async (memory: Memory, query: string) => (await memory.retrieve(query, { userId: USER })).items.map((item) => item.text).join();

  it.each(BROKEN)('a graph that %ss: vectors answer and say so, writes are refused, and all is well when it is back', async (state) => {
    await using behind = await Behind.lines(limitMs);
    const { memory } = behind;
    await memory.store('Ilse grows saffron', { userId: USER });
    await behind.graph.become(state);
    const context = await memory.retrieve('Who grows saffron?', { userId: USER });
    expect(context.items.map((item) => item.text).join()).toContain('Ilse grows saffron');
    expect(context.degraded).toEqual([expect.stringMatching(/^graph unavailable/)]);
    expect((await memory.retrieve('saffron', { userId: 'nobody' })).items).toEqual([]);
    const error = await failureOf(memory.store('Otto sells tea', { userId: USER }));
    expect(PASSING).toContain(error.code);
    expect(error.retryable).toBe(true);
    expect(PASSING).toContain((await failureOf(memory.forget({ userId: USER }))).code);

    await behind.graph.become('pass');
    // What was asked for may have been done although nobody could say so; then the repeat changes nothing.
    await memory.store('Ilse grows saffron', { userId: USER });
    expect(await memory.store('Otto sells tea', { userId: USER })).toMatchObject({ indexed: true, degraded: [] });
    expect((await memory.episodes({ userId: USER })).map((episode) => episode.content).sort()).toEqual(['Ilse grows saffron', 'Otto sells tea']);
    expect(await memory.check()).toMatchObject(AGREED);
    expect((await memory.retrieve('saffron', { userId: USER })).degraded).toEqual([]);
  });

  it.each(BROKEN)('an index that %ss: the graph answers and says so, writes are taken and follow by themselves', async (state) => {
    await using behind = await Behind.lines(limitMs);
    const { memory } = behind;
    await memory.store('Ilse grows saffron', { userId: USER });
    await behind.vector.become(state);
    const context = await memory.retrieve('saffron', { userId: USER });
    expect(context.items.map((item) => item.text).join()).toContain('Ilse grows saffron');
    if (state !== 'half')
      expect(context.degraded).toEqual([expect.stringMatching(/^vector search unav/), expect.stringMatching(/^keyword search unav/)]);
    const receipt = await memory.store(`Otto sells tea. ${'He does so in Corran. '.repeat(100)}`, { userId: USER });
    expect(receipt).toMatchObject({ indexed: false, episodes: [{ state: 'extracted' }] });
    expect(receipt.degraded.join()).toMatch(/INDEX_UNAVAILABLE|TIMEOUT/);
    const gone = await memory.forget({ userId: USER, ids: (await memory.facts({ userId: USER })).slice(0, 1).map((fact) => fact.id) });
    expect(gone).toMatchObject({ erased: { episodes: 1 }, remaining: { episodes: 0, facts: 0 } });
    if (state !== 'half') expect(gone.degraded.join()).toContain('not yet from the index');

    await behind.vector.become('pass');
    behind.clock.advance(60_000);
    expect(await memory.store('Back again', { userId: USER, infer: false })).toMatchObject({ indexed: true });
    expect(await memory.check()).toMatchObject(AGREED);
    expect((await memory.retrieve('tea', { userId: USER })).degraded).toEqual([]);
  });

  it('both down: a clear error, at the start too; each is taken in when it is there', async () => {
    await using behind = await Behind.lines(limitMs);
    const { memory, graph, vector } = behind;
    await Promise.all([graph.become('refuse'), vector.become('refuse')]);
    const error = await failureOf(memory.retrieve('saffron', { userId: USER }));
    expect(error).toMatchObject({ retryable: true });
    expect(error.message).toContain('Nothing can answer');
    expect((await failureOf(memory.store('Ilse grows saffron', { userId: USER }))).code).toBe('GRAPH_UNAVAILABLE');
    await graph.become('pass');
    expect(await memory.store('Ilse grows saffron', { userId: USER })).toMatchObject({ indexed: false });
    expect(await textsOf(memory, 'saffron')).toContain('saffron');
    await vector.become('pass');
    await memory.flush();
    expect(await memory.check()).toMatchObject(AGREED);
    expect((await memory.retrieve('saffron', { userId: USER })).degraded).toEqual([]);
  });

  it('slow: everything works, nothing is called degraded', async () => {
    await using behind = await Behind.lines(limitMs);
    const { memory, graph, vector } = behind;
    await Promise.all([graph.become('slow'), vector.become('slow')]);
    expect(await memory.store('Hello', { userId: USER, infer: false, waitForIndex: false })).toMatchObject({ degraded: [] });
    await memory.flush();
    expect(await textsOf(memory, 'Hello')).toContain('Hello');
  });

  it('that break again and again under 20 writers: nothing acknowledged is lost, nobody sees a deadlock, the stores agree', async () => {
    await using behind = await Behind.lines(limitMs);
    const { memory } = behind;
    const acknowledged: string[] = [];
    const codes = new Set<string>();
    const progress = new EventEmitter();
    let writers = WRITERS;
    const write = async (writer: number) => {
      for (let n = 0; n < 6; n++) {
        const content = `writer ${writer} says ${n}`;
        await memory.store(content, { userId: `user ${writer % 3}`, infer: false }).then(
          () => acknowledged.push(content),
          (error: unknown) => codes.add(MemoryError.isInstance(error) ? error.code : String(error)),
        );
        progress.emit('settled');
      }
      writers -= 1;
      progress.emit('settled');
    };
    const settled = async (count: number) => {
      for (let n = 0; n < count && writers > 0; n++) await once(progress, 'settled');
    };
    const spoil = async () => {
      for (const [line, state] of [
        [behind.graph, 'cut'],
        [behind.vector, 'half'],
        [behind.graph, 'half'],
        [behind.vector, 'cut'],
        [behind.graph, 'refuse'],
      ] as const) {
        await settled(15);
        await line.become(state);
        await settled(2);
        await line.become('pass');
      }
    };
    await Promise.all([spoil(), ...Array.from({ length: WRITERS }, (_, writer) => write(writer))]);
    for (const code of codes) expect(PASSING).toContain(code);
    expect(acknowledged.length).toBeGreaterThan(0);
    await memory.flush();
    const kept = new Set<string>();
    for (const user of await memory.users()) for (const { content } of await memory.episodes({ userId: user }, { limit: 1000 })) kept.add(content);
    expect(acknowledged.filter((content) => !kept.has(content))).toEqual([]);
    expect(await memory.check()).toMatchObject(AGREED);
  });
});
