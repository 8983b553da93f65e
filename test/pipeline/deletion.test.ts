import { join } from 'node:path';
import type { ForgetOptions, Memory, MessageInput } from '@tandem-memory/core';
import { assert, asyncProperty, constantFrom, record, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { failureOf, NOTHING, openTestMemory, propertyRuns, reply } from './open-test-memory.ts';

const userId = 'u-priya';
const NONE = { episodes: 0, facts: 0, entities: 0, vectors: 0, keywords: 0 };
const GONE = { episodes: 0, facts: 0, entities: 0, users: 0, vectors: 0, keywords: 0, outbox: 0 };

const M1: MessageInput = {
  role: 'user',
  content: 'Priya restores cellos at Elm Workshop',
  triples: [
    ['Priya', 'restores', 'cellos'],
    ['Priya', 'works_at', 'Elm Workshop'],
  ],
};
const M2: MessageInput = { role: 'user', content: 'Priya teaches at Elm Workshop', triples: [['Priya', 'teaches_at', 'Elm Workshop']] };

const names = async (memory: Memory) => (await memory.entities({ userId })).map((entity) => entity.name).sort();

async function idOf(memory: Memory, query: string, kind?: 'episode' | 'fact'): Promise<string> {
  const { items } = await memory.retrieve(query, { userId, ...(kind === undefined ? {} : { kinds: [kind] }) });
  const item = items.find((each) => each.text.includes(query.split(' ')[0] ?? query)) ?? items[0];
  if (item === undefined) throw new Error(`nothing was found for ${query}`);
  return item.id;
}

async function expectNothingOfCellos(memory: Memory): Promise<void> {
  const context = await memory.retrieve('cellos', { userId });
  expect(JSON.stringify([context.items, context.text, await memory.entities({ userId }), await memory.facts({ userId })])).not.toContain('cello');
}

describe('deletion-01: an item that retrieve returned is deleted', () => {
  for (const kind of ['episode', 'fact'] as const) {
    for (const threaded of [true, false]) {
      it(`as ${kind === 'fact' ? 'a fact' : 'a turn'}${threaded ? ' of a thread' : ''}, and what the other turn supports stays`, async () => {
        using folder = temporaryFolder();
        const path = join(folder.path, 'memory.db');
        const scope = threaded ? { userId, sessionId: 's' } : { userId };
        let { memory } = openTestMemory({ path });
        await memory.store(M1, scope);
        await memory.store(M2, scope);
        const id = await idOf(memory, 'cellos', kind);
        expect(await memory.delete(id, { userId })).toMatchObject({ remaining: NONE, notFound: [], degraded: [] });
        await expectNothingOfCellos(memory);
        expect(await names(memory)).toEqual(['Elm Workshop', 'Priya']);
        expect((await failureOf(memory.delete(id, { userId }))).code).toBe('NOT_FOUND');
        await memory.close();

        ({ memory } = openTestMemory({ path }));
        await expectNothingOfCellos(memory);
        await memory.delete(await idOf(memory, 'teaches', kind), { userId });
        expect(await memory.stats(userId)).toMatchObject(GONE);
        await memory.close();

        ({ memory } = openTestMemory({ path }));
        expect(await memory.stats(userId)).toMatchObject(GONE);
        expect((await memory.retrieve('Priya', { userId })).items).toEqual([]);
        await memory.close();
      });
    }
  }

  it('in any order leaves exactly what the other turns support', async () => {
    const people = ['Ana', 'Bo', 'Cy'];
    const turn = record({ subject: constantFrom(...people), object: constantFrom('Elm', 'Oak', 'Ash') });
    await assert(
      asyncProperty(uniqueArray(turn, { minLength: 1, maxLength: 6, selector: (t) => `${t.subject}${t.object}` }), async (turns) => {
        const { memory } = openTestMemory();
        const said = turns.map(({ subject, object }) => ({
          role: 'user' as const,
          content: `${subject} likes ${object}`,
          triples: [[subject, 'likes', object] as const],
        }));
        const ids: string[] = [];
        for (const message of said) ids.push((await memory.store(message, { userId, sessionId: 's' })).episodes[0]?.id ?? '');
        for (const [index, id] of ids.entries()) {
          await memory.delete(id, { userId });
          const left = turns.slice(index + 1);
          expect(await names(memory)).toEqual([...new Set(left.flatMap((t) => [t.subject, t.object]))].sort());
          expect((await memory.facts({ userId })).map((fact) => fact.text).sort()).toEqual(left.map((t) => `${t.subject} likes ${t.object}`).sort());
        }
        expect(await memory.stats(userId)).toMatchObject(GONE);
        await memory.close();
      }),
      { numRuns: propertyRuns(15) },
    );
  });

  it('of another user, or that never was, is not found, and nothing changes', async () => {
    const { memory } = openTestMemory();
    const { episodes } = await memory.store(M1, { userId });
    for (const [id, owner] of [
      [episodes[0]?.id ?? '', 'u-other'],
      ['no such id', userId],
      ["'; DROP TABLE graph_fact; --", userId],
      ['\ud800', userId],
    ] as const) {
      expect((await failureOf(memory.delete(id, { userId: owner }))).code).toBe('NOT_FOUND');
    }
    expect(await memory.stats(userId)).toMatchObject({ episodes: 1, vectors: 3, facts: 2 });
  });

  it('no longer lends its words to the turns behind it', async () => {
    const { memory } = openTestMemory({ replies: [NOTHING] });
    const first = await memory.store({ role: 'user', content: 'The heirloom zugzwang clock ticks.' }, { userId, sessionId: 's' });
    for (const content of ['Fine.', 'Yes.']) await memory.store({ role: 'user', content }, { userId, sessionId: 's' });
    const hits = async () =>
      (await memory.retrieve('zugzwang', { userId })).items.flatMap((item) => item.channels).filter((channel) => channel.channel === 'keyword')
        .length;
    expect(await hits()).toBe(3);
    await memory.delete(first.episodes[0]?.id ?? '', { userId });
    expect(await hits()).toBe(0);
  });

  it('can be a fact alone, and its turn stays', async () => {
    const { memory } = openTestMemory();
    await memory.store(M1, { userId });
    await memory.delete(await idOf(memory, 'restores', 'fact'), { userId, keepEvidence: true });
    expect((await memory.facts({ userId })).map((fact) => fact.text)).toEqual(['Priya works at Elm Workshop']);
    expect((await memory.retrieve('cellos', { userId })).items.map((item) => item.text)).toContain(M1.content);
  });
});

describe('forget by', () => {
  it('time takes what was said before', async () => {
    const { memory } = openTestMemory();
    for (const day of ['2024-01-01', '2024-02-01', '2024-03-01']) await memory.store(`On ${day} it rained.`, { userId, at: day });
    await memory.forget({ userId, before: '2024-02-15' });
    expect((await memory.episodes({ userId })).map((episode) => episode.content)).toEqual(['On 2024-03-01 it rained.']);
  });

  it('entity also takes turns that name it although nothing was read out of them, and no longer words', async () => {
    const { memory } = openTestMemory({ replies: [reply([], [['Ann', 'person']]), NOTHING] });
    await memory.store('Ann sings.', { userId, sessionId: 'a' });
    for (const text of ["I saw ANN's hat.", 'The annual fair is nice.', 'Anna came.']) await memory.store(text, { userId });
    await memory.forget({ userId, entity: 'ann' });
    expect((await memory.episodes({ userId })).map((episode) => episode.content).sort()).toEqual(['Anna came.', 'The annual fair is nice.']);
  });

  it('an entity that is not there reports it', async () => {
    const { memory } = openTestMemory();
    await memory.store('Ann sings.', { userId });
    expect(await memory.forget({ userId, entity: 'Nobody' })).toMatchObject({ erased: { episodes: 0 }, notFound: ['Nobody'] });
    expect(await memory.forget({ userId, ids: ['no'] })).toMatchObject({ erased: { episodes: 0 }, notFound: ['no'] });
    expect((await memory.stats(userId)).episodes).toBe(1);
  });

  it.each([
    [{ sessionId: undefined }, 'undefined'],
    [{ sessionId: '' }, 'sessionId'],
    [{ session: 's' }, 'session'],
    [{ sessionId: 's', entity: 'Ann' }, 'combined'],
    [{ before: 'soon' }, 'before'],
  ])('%j is refused, and nothing is forgotten', async (options, part) => {
    const { memory } = openTestMemory();
    await memory.store('Ann sings.', { userId });
    const error = await failureOf(memory.forget({ userId, ...options } as unknown as ForgetOptions));
    expect([error.code, error.message]).toEqual(['INPUT_INVALID', expect.stringContaining(part)]);
    expect((await memory.stats(userId)).episodes).toBe(1);
  });

  it.each([undefined, '', '  '])('nobody (%j) is refused', async (nobody) => {
    const { memory } = openTestMemory();
    expect((await failureOf(memory.forget({ userId: nobody as string }))).code).toBe('SCOPE_REQUIRED');
  });
});
