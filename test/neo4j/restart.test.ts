import { MemoryError } from '@tandem-memory/core';
import { Neo4jGraphStore } from '@tandem-memory/graph';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { startNeo4j } from '../services/neo4j/find-service.ts';
import type { Neo4jService } from '../services/neo4j/neo4j-service.ts';
import { neo4jMissing, openStore } from './open-neo4j-store.ts';
import { turn } from './records.ts';

const USER = 'user';
const WRITERS = 4;
const AFTER_RESTART = 5;

/** Restarts the server while several write, and lets them go on for a while. */
async function restartUnderLoad(restart: () => Promise<void>, write: (content: string, writer: number) => Promise<unknown>) {
  const acknowledged: string[] = [];
  const codes = new Set<string>();
  const begun = Promise.withResolvers<void>();
  let restarted = false;
  let stopAt = Number.POSITIVE_INFINITY;
  const work = async (writer: number) => {
    for (let n = 0; n < stopAt; n++) {
      const content = `writer ${writer} turn ${n}`;
      await write(content, writer).then(
        () => acknowledged.push(content),
        (error: unknown) => codes.add(MemoryError.isInstance(error) ? error.code : String(error)),
      );
      if (acknowledged.length === WRITERS * 3) begun.resolve();
      if (restarted && n + AFTER_RESTART < stopAt) stopAt = n + AFTER_RESTART;
    }
  };
  const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)));
  await begun.promise;
  await restart();
  restarted = true;
  const before = acknowledged.length;
  await writers;
  expect(acknowledged.length).toBeGreaterThan(before);
  for (const code of codes) expect(code).toBe('GRAPH_UNAVAILABLE');
  return acknowledged;
}

describe.skipIf(neo4jMissing)('a server of its own, without authentication', () => {
  let service: Neo4jService | undefined;

  beforeAll(async () => {
    const started = await startNeo4j({ authentication: false });
    if (typeof started !== 'string') service = started;
  });
  afterAll(() => service?.stop());

  it('may restart under load: nothing acknowledged is lost, and the store goes on by itself', async (context) => {
    const restart = service?.restart;
    if (service === undefined || restart === undefined) return context.skip('the server is not ours to restart');
    const store = await openStore({ server: { url: service.url } });
    const acknowledged = await restartUnderLoad(restart, (content, writer) => store.commit(turn(USER, content, 'Ada', `friend ${writer}`)));
    const thread = await store.latest(USER, 'session', 100_000);
    expect(thread.map(({ content }) => content)).toEqual(expect.arrayContaining(acknowledged));
    expect(thread.map(({ position }) => position)).toEqual(Array.from({ length: thread.length }, (_, n) => thread.length - 1 - n));
    const counts = await store.counts(USER);
    expect(counts.episodes).toBe(thread.length);
    expect(new Set((await store.readOutbox(100_000)).map(({ recordId }) => recordId)).size).toBe(thread.length);
    await store.acknowledge((await store.readOutbox(100_000)).map(({ sequence }) => sequence));
    await store.erase({ userId: USER }, { following: 0, leaveTrace: false });
    await store.close();
  });

  it('may restart under a whole memory: nothing acknowledged is lost, and graph and indexes agree', async (context) => {
    const restart = service?.restart;
    if (service === undefined || restart === undefined) return context.skip('the server is not ours to restart');
    const { memory } = openTestMemory({ graph: new Neo4jGraphStore({ server: { url: service.url } }) });
    const acknowledged = await restartUnderLoad(restart, (content, writer) =>
      memory.store({ role: 'user', content, triples: [['Ada', 'knows', `friend ${writer}`]] }, { userId: `user ${writer % 2}`, sessionId: 's' }),
    );
    await memory.flush();
    const kept: string[] = [];
    for (const userId of await memory.users()) kept.push(...(await memory.episodes({ userId }, { limit: 100_000 })).map(({ content }) => content));
    expect(kept).toEqual(expect.arrayContaining(acknowledged));
    expect(await memory.check()).toMatchObject({ missing: 0, orphaned: 0, drifted: [], outbox: { waiting: 0 } });
    expect((await memory.retrieve('Whom does Ada know?', { userId: 'user 0' })).degraded).toEqual([]);
    await memory.close();
  });
});
