import { MemoryError } from '@tandem-memory/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startNeo4j } from '../services/neo4j/find-service.ts';
import type { Neo4jService } from '../services/neo4j/neo4j-service.ts';
import { neo4jMissing, openStore } from './open-neo4j-store.ts';
import { turn } from './records.ts';

const USER = 'user';
const WRITERS = 4;
const AFTER_RESTART = 5;

describe.skipIf(neo4jMissing)('a server of its own, without authentication', () => {
  let service: Neo4jService | undefined;

  beforeAll(async () => {
    const started = await startNeo4j({ authentication: false });
    if (typeof started !== 'string') service = started;
  });
  afterAll(() => service?.stop());

  it('may restart under load: nothing acknowledged is lost, and the store goes on by itself', async (context) => {
    if (service?.restart === undefined) return context.skip('the server is not ours to restart');
    const store = await openStore({ server: { url: service.url } });
    const acknowledged: string[] = [];
    const codes = new Set<string>();
    let stopAt = Number.POSITIVE_INFINITY;
    const write = async (writer: number) => {
      for (let n = 0; n < stopAt; n++) {
        const content = `writer ${writer} turn ${n}`;
        await store.commit(turn(USER, content, 'Ada', `friend ${writer}`)).then(
          () => acknowledged.push(content),
          (error: unknown) => codes.add(MemoryError.isInstance(error) ? error.code : String(error)),
        );
        if (acknowledged.length === WRITERS * 3) begun.resolve();
        if (restarted && n + AFTER_RESTART < stopAt) stopAt = n + AFTER_RESTART;
      }
    };
    const begun = Promise.withResolvers<void>();
    let restarted = false;
    const writers = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    await begun.promise;
    await service.restart();
    restarted = true;
    const before = acknowledged.length;
    await writers;
    expect(acknowledged.length).toBeGreaterThan(before);
    for (const code of codes) expect(code).toBe('GRAPH_UNAVAILABLE');
    const thread = await store.latest(USER, 'session', 100_000);
    expect(thread.map(({ content }) => content)).toEqual(expect.arrayContaining(acknowledged));
    expect(thread.map(({ position }) => position)).toEqual(Array.from({ length: thread.length }, (_, n) => thread.length - 1 - n));
    const counts = await store.counts(USER);
    expect(counts.episodes).toBe(thread.length);
    expect(new Set((await store.readOutbox(100_000)).map(({ recordId }) => recordId)).size).toBe(thread.length);
    await store.close();
  }, 240_000);
});
