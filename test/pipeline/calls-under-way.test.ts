import { injectFaults } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { failureOf, openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'u' };

describe('close', () => {
  it('lets every call end that has begun, also one of the same moment', async () => {
    const { memory } = openTestMemory({ replies: [reply(['Ilse grows saffron'])] });
    const { episodes } = await memory.store('tea', { ...USER, infer: false });
    const id = episodes[0]?.id ?? '';
    const calls = [
      memory.store('Ilse grows saffron', USER),
      memory.retrieve('saffron', USER),
      memory.update(id, { text: 'green tea' }, USER),
      memory.episodes(USER),
      memory.stats('u'),
      memory.flush(),
      memory.history(id, USER),
    ];
    await memory.close();
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(calls.map(() => 'fulfilled'));
    expect((await failureOf(memory.store('late', USER))).code).toBe('CLOSED');
  });
});

describe('an update and a delete at the same moment', () => {
  it.each(['text of a turn', 'metadata of a turn', 'text of a fact'])(
    'of one memory: the delete wins, and the update says that nothing is there (%s)',
    async (what) => {
      let beforeCommit: (() => Promise<unknown>) | undefined;
      const { memory } = openTestMemory({
        replies: [reply(['The boat is blue']), reply(['The boat is green'])],
        wrapGraph: (graph) =>
          injectFaults(graph, async (method, moment) => {
            if (method !== 'commit' || moment !== 'before') return;
            const work = beforeCommit;
            beforeCommit = undefined;
            await work?.();
          }),
      });
      const { episodes, facts } = await memory.store('My boat is blue', USER);
      const id = (what === 'text of a fact' ? facts : episodes)[0]?.id ?? '';
      beforeCommit = () => memory.delete(id, USER);
      const change = what === 'metadata of a turn' ? { metadata: { a: 1 } } : { text: 'My boat is green' };
      expect((await failureOf(memory.update(id, change, USER))).code).toBe('NOT_FOUND');
      expect(await memory.stats('u')).toMatchObject({ episodes: 0, facts: 0, vectors: 0, outbox: 0 });
      expect((await memory.retrieve('boat', USER)).items).toEqual([]);
    },
  );

  it('of two memories: both are done', async () => {
    const { memory } = openTestMemory();
    const receipts = await Promise.all(['boat', 'kite', 'tent'].map((text) => memory.store(text, { ...USER, infer: false })));
    const [boat = '', kite = '', tent = ''] = receipts.map(({ episodes }) => episodes[0]?.id);
    await Promise.all([
      memory.update(boat, { text: 'blue boat' }, USER),
      memory.delete(kite, USER),
      memory.update(tent, { metadata: { a: 1 } }, USER),
    ]);
    expect((await memory.episodes(USER)).map(({ content, metadata }) => [content, metadata]).sort()).toEqual([
      ['blue boat', {}],
      ['tent', { a: 1 }],
    ]);
  });
});
