import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ChangeSet, deriveId, type Entity, emptyChangeSet, type Fact, MemoryError, type NewEpisode } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { array, assert, asyncProperty, integer, nat, record, uniqueArray } from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedGraphStore } from './embedded-graph-store.ts';

const USER = 'user';
const NOW = '2026-06-01T00:00:00.000Z';

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-graph-'));
  path = join(folder, 'memory.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function openStore(database: SqliteDatabase): Promise<EmbeddedGraphStore> {
  const store = new EmbeddedGraphStore({ database, clock: new FixedClock(NOW) });
  await store.open();
  return store;
}

function changes(parts: Partial<ChangeSet>): ChangeSet {
  return { ...emptyChangeSet(USER), ...parts };
}

function episode(id: string): NewEpisode {
  return {
    id,
    userId: USER,
    kind: 'message',
    role: 'user',
    content: 'hello',
    at: NOW,
    utcOffsetMinutes: 0,
    createdAt: NOW,
    threadId: 'thread',
    metadata: { secret: 'rose' },
    state: 'pending',
  };
}

function entity(name: string): Entity {
  return { id: name, userId: USER, name, key: name, aliases: [], type: 'other', createdAt: NOW };
}

function fact(from: string, to: string, fields: Partial<Fact> = {}): Fact {
  return {
    id: deriveId(from, to),
    userId: USER,
    text: `${from} -> ${to}`,
    subjectId: from,
    objectId: to,
    entityIds: [...new Set([from, to])],
    evidence: [],
    createdAt: NOW,
    confidence: 0.5,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
    ...fields,
  };
}

async function codeOf(call: Promise<unknown>): Promise<string> {
  const error = await call.catch((thrown: unknown) => thrown);
  return error instanceof MemoryError ? error.code : `no MemoryError but ${String(error)}`;
}

describe('the shared database', () => {
  it('stays open when the store closes, unless the store owns it', async () => {
    const database = new SqliteDatabase({ path });
    const sharing = await openStore(database);
    await sharing.close();
    const owning = new EmbeddedGraphStore({ database, ownsDatabase: true });
    await owning.open();
    expect((await owning.counts()).users).toBe(0);
    await owning.close();
    expect(() => database.prepare('SELECT 1')).toThrow(expect.objectContaining({ code: 'CLOSED' }));
  });

  it('makes the store answer CLOSED once it is closed', async () => {
    const database = new SqliteDatabase({ path });
    const store = await openStore(database);
    database.close();
    expect(await codeOf(store.counts())).toBe('CLOSED');
    expect(await codeOf(store.commit(changes({ episodes: [episode('one')] })))).toBe('CLOSED');
  });

  it('has to be opened by the store first', async () => {
    using database = new SqliteDatabase({ path });
    expect(await codeOf(new EmbeddedGraphStore({ database }).counts())).toBe('CLOSED');
  });

  it('is refused where a newer program has written the graph tables', async () => {
    using database = new SqliteDatabase({ path });
    database.migrate(
      'graph',
      Array.from({ length: 99 }, () => ''),
    );
    expect(await codeOf(new EmbeddedGraphStore({ database }).open())).toBe('DATABASE_TOO_NEW');
  });

  it('may be written through two connections: each sees the other, positions go on, and a held lock is STORAGE_BUSY', async () => {
    using first = new SqliteDatabase({ path });
    using second = new SqliteDatabase({ path, busyTimeoutMs: 20 });
    const [one, two] = [await openStore(first), await openStore(second)];
    await one.commit(changes({ episodes: [episode('one')] }));
    await two.commit(changes({ episodes: [episode('two')] }));
    expect((await one.latest(USER, 'thread', 9)).map((each) => [each.id, each.position])).toEqual([
      ['two', 1],
      ['one', 0],
    ]);
    let blocked: Promise<unknown> = Promise.resolve();
    first.transaction(() => {
      blocked = two.commit(changes({ episodes: [episode('three')] }));
      blocked.catch(() => undefined);
    });
    expect(await codeOf(blocked)).toBe('STORAGE_BUSY');
    expect((await two.commit(changes({ episodes: [episode('three')] }))).created).toEqual(new Set(['three']));
  });

  it('says which record is damaged, and nothing of its text', async () => {
    using database = new SqliteDatabase({ path });
    const store = await openStore(database);
    await store.commit(changes({ episodes: [episode('one')] }));
    database.transaction(() => database.prepare("UPDATE graph_episode SET metadata = '{rose'").run());
    const error = await store.getEpisodes(USER, ['one']).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'CORRUPT_RECORD', details: { id: 'one' } });
    expect(error instanceof Error ? `${error.message} ${String(error.cause)}` : '').not.toContain('rose');
  });
});

describe('expand', () => {
  it('measures "ended" by the given clock', async () => {
    using database = new SqliteDatabase({ path });
    const store = await openStore(database);
    const facts = [fact('a', 'b', { invalidAt: NOW }), fact('a', 'c', { invalidAt: '2026-06-01T00:00:00.001Z' })];
    await store.commit(changes({ entities: ['a', 'b', 'c'].map(entity), facts }));
    const found = await store.expand({ userId: USER, seedIds: ['a'], hops: 1, fanOut: 9, limit: 9 });
    expect(found.facts.map((each) => each.text)).toEqual(['a -> c']);
  });

  it('gives up behind 4,096 ended facts of a hub, and says that something is left out', async () => {
    using database = new SqliteDatabase({ path });
    const store = await openStore(database);
    const ended = Array.from({ length: 4096 }, (_, n) => fact('hub', 'spoke', { id: deriveId(n), invalidAt: '2026-01-01T00:00:00.000Z' }));
    const expandHub = () => store.expand({ userId: USER, seedIds: ['hub'], hops: 1, fanOut: 5, limit: 5 });
    await store.commit(
      changes({ entities: ['hub', 'spoke'].map(entity), facts: [...ended.slice(1), fact('hub', 'spoke', { id: 'weak', confidence: 0.1 })] }),
    );
    expect(await expandHub()).toMatchObject({ facts: [{ id: 'weak' }], truncated: false });
    await store.commit(changes({ facts: ended.slice(0, 1) }));
    expect(await expandHub()).toMatchObject({ facts: [], truncated: true });
  });

  it('agrees with a plain breadth-first walk over any small graph', async () => {
    const facts = array(record({ from: nat(7), to: nat(7), confidence: integer({ min: 0, max: 3 }), day: integer({ min: 1, max: 3 }) }), {
      maxLength: 25,
    });
    const query = record({ seeds: uniqueArray(nat(7), { maxLength: 3 }), hops: integer({ min: 0, max: 2 }), fanOut: nat(4), limit: nat(12) });
    await assert(
      asyncProperty(facts, query, async (drawn, { seeds, hops, fanOut, limit }) => {
        using database = new SqliteDatabase({ path: ':memory:' });
        const store = await openStore(database);
        const stored = drawn.map(({ from, to, confidence, day }, n) =>
          fact(`e${from}`, `e${to}`, { id: deriveId(n), confidence: confidence / 3, createdAt: `2026-01-0${day}T00:00:00.000Z` }),
        );
        await store.commit(changes({ entities: Array.from({ length: 8 }, (_, n) => entity(`e${n}`)), facts: stored }));
        const seedIds = seeds.map((seed) => `e${seed}`);
        const found = await store.expand({ userId: USER, seedIds, hops: hops as 0 | 1 | 2, fanOut, limit });
        const expected = walk(stored, seedIds, hops, fanOut, limit);
        expect(found.facts.map((each) => each.id)).toEqual(expected.facts.map((each) => each.id));
        expect(found.distance).toEqual(expected.distance);
        expect(found.truncated).toBe(expected.truncated);
      }),
      { numRuns: 150 },
    );
  });
});

/** The rule of `expand`, without any bound on what is read. */
function walk(stored: readonly Fact[], seeds: readonly string[], hops: number, fanOut: number, limit: number) {
  const strongest = [...stored].sort((a, b) => b.confidence - a.confidence || b.createdAt.localeCompare(a.createdAt) || (a.id < b.id ? -1 : 1));
  const distance = new Map(seeds.map((seed) => [seed, 0]));
  const facts: Fact[] = [];
  let truncated = false;
  for (let ring = 1; ring <= hops; ring++) {
    const followed = new Set<Fact>();
    for (const [entityId, at] of distance) {
      if (at !== ring - 1) continue;
      const touching = strongest.filter((each) => each.entityIds.includes(entityId));
      if (touching.length > fanOut) truncated = true;
      for (const each of touching.slice(0, fanOut)) followed.add(each);
    }
    const fresh = strongest.filter((each) => followed.has(each) && !facts.includes(each));
    const taken = fresh.slice(0, limit - facts.length);
    if (taken.length < fresh.length) truncated = true;
    facts.push(...taken);
    for (const entityId of taken.flatMap((each) => each.entityIds)) if (!distance.has(entityId)) distance.set(entityId, ring);
  }
  return { facts, distance, truncated };
}
