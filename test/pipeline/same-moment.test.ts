import type { Memory } from '@tandem-memory/core';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory, replaceMethod } from './open-test-memory.ts';
import { factsOf } from './tell.ts';

const extractor = rulesExtractor();
const HOUR = '2024-03-01T10:00:00Z';

const UPDATES: readonly (readonly [what: string, question: string, ...said: string[]])[] = [
  ['a move', 'Where do I live?', 'I live in Lindby.', 'I moved to Corran.'],
  ['a move with both places', 'Where do I live?', 'I live in Lindby.', 'I moved from Lindby to Corran.'],
  ['a way back', 'Where do I live?', 'I live in Lindby.', 'I moved to Corran.', 'I moved back to Lindby.'],
  ['a job that was quit', 'Where do I work?', 'I work at Harbor Cafe.', 'I quit my job at Harbor Cafe.'],
  ['a thing that is no longer owned', 'Do I own a kayak?', 'I own a kayak.', 'I no longer own a kayak.'],
  ['a taste', 'Do I like ferry rides?', 'I love ferry rides.', "I can't stand ferry rides any more."],
  ['a correction', 'Where do I live?', 'I live in Oslo.', 'I meant Bergen, not Oslo.'],
  ['a move in Korean', '나 어디 살아?', '나는 서울에 살아.', '부산으로 이사했어.'],
  ['a move in Chinese', '我住在哪里？', '我住在北京。', '我搬到上海了。'],
];

/** What stands first is what was said last, and all else is marked. */
async function expectLastToHold(memory: Memory, question: string, said: readonly string[]): Promise<void> {
  const { items } = await memory.retrieve(question, { userId: 'u', kinds: ['episode'] });
  expect(items.map((item) => [item.text, item.outdated === undefined])).toEqual(
    expect.arrayContaining(said.map((text) => [text, text === said.at(-1)])),
  );
  expect(items[0]?.text).toBe(said.at(-1));
}

describe('turns of one moment', () => {
  it.each(UPDATES)('follow each other in one call without times: %s', async (_, question, ...said) => {
    const { memory } = openTestMemory({ extractor });
    await memory.store(
      said.map((content) => ({ role: 'user' as const, content })),
      { userId: 'u' },
    );
    await expectLastToHold(memory, question, said);
    await memory.close();
  });

  it.each(UPDATES)('follow each other in calls of one day: %s', async (_, question, ...said) => {
    const { memory } = openTestMemory({ extractor });
    for (const content of said) await memory.store([{ role: 'user', content, at: '2024-03-01' }], { userId: 'u', sessionId: 's' });
    await expectLastToHold(memory, question, said);
    await memory.close();
  });

  it('hold together where one of them names them both', async () => {
    const { memory } = openTestMemory({ extractor });
    await memory.store(
      [
        { role: 'user', content: 'I work at Acme.', at: HOUR },
        { role: 'user', content: 'I work at Acme and at Globex.', at: HOUR },
      ],
      { userId: 'u' },
    );
    expect((await factsOf(memory)).past).toEqual([]);
    await memory.close();
  });

  it('leave one home where the last goes back to the first', async () => {
    const said = ['I live in Lindby.', 'I moved to Corran.', 'I moved back to Lindby.'];
    for (const calls of [[said], said.map((text) => [text])]) {
      const { memory } = openTestMemory({ extractor });
      for (const texts of calls)
        await memory.store(
          texts.map((content) => ({ role: 'user' as const, content, at: '2024-03-01' })),
          { userId: 'u' },
        );
      expect((await factsOf(memory)).current, `${calls.length} calls`).toEqual(expect.arrayContaining(['User move to Lindby']));
      expect((await factsOf(memory)).past, `${calls.length} calls`).toContain('User move to Corran');
      await memory.close();
    }
  });

  it.each([
    ['the last first', [2, 1], ['User move to Corran', 'User live in Lindby']],
    ['the one between first', [1, 2], ['User move to Bergen', 'User live in Lindby']],
  ])('of which some are forgotten, %s: what they had ended holds again', async (_, order, homes) => {
    const { memory } = openTestMemory({ extractor });
    const { episodes } = await memory.store(
      ['I live in Lindby.', 'I moved to Corran.', 'I moved to Bergen.'].map((content) => ({ role: 'user' as const, content })),
      { userId: 'u' },
    );
    for (const [step, index] of order.entries()) {
      await memory.forget({ userId: 'u', ids: [episodes[index]?.id ?? ''] });
      expect((await factsOf(memory)).current).toEqual([homes[step]]);
    }
    await memory.close();
  });

  it('end nothing where the order of two passages of one document is all that there is', async () => {
    const { memory } = openTestMemory({ extractor, options: { documents: { maxTokens: 32, overlapTokens: 0 } } });
    const filler = 'It has been tested with care on many machines, by many people, for many days, and it was found to be good.';
    await memory.store(
      {
        sourceId: 'changes.md',
        text: `# New\n\nThe version of the API is 2.5.\n\n${filler}\n\n# Old\n\nThe version of the API is 2.4.\n\n${filler}`,
      },
      { userId: 'u' },
    );
    expect(await factsOf(memory)).toMatchObject({ current: expect.arrayContaining(['API version 2.4', 'API version 2.5']), past: [] });
    await memory.close();
  });
});

describe('turns of one moment that a model reads', () => {
  const home = (message: number, object: string, predicate = 'lives in') => ({ message, subject: 'Lia', predicate, object });
  const said = ['I live in Lindby.', 'I left Lindby.', 'My home is in Corran.'];

  it('follow each other in whatever order it tells of them', async () => {
    const relations = [home(3, 'Corran'), home(2, 'Lindby', 'no longer lives in'), home(1, 'Lindby')];
    const { memory } = openTestMemory({ replies: [JSON.stringify({ relations })] });
    await memory.store(
      said.map((content) => ({ role: 'user' as const, content, at: '2024-03-01' })),
      { userId: 'u' },
    );
    expect(await factsOf(memory)).toEqual({ current: ['Lia lives in Corran', 'Lia no longer lives in Lindby'], past: ['Lia lives in Lindby'] });
    await memory.close();
  });

  it('hold together where it says of none which turn it is from', async () => {
    const relations = ['Lindby', 'Corran'].map((object) => ({ subject: 'Lia', predicate: 'lives in', object }));
    const { memory } = openTestMemory({ replies: [JSON.stringify({ relations })] });
    await memory.store(
      ['Where I sleep changes.', 'So it is.'].map((content) => ({ role: 'user' as const, content })),
      { userId: 'u' },
    );
    expect((await factsOf(memory)).past).toEqual([]);
    await memory.close();
  });

  it('follow each other also where the first call to the model answers last', async () => {
    const others = Promise.withResolvers<void>();
    let written = 0;
    const { memory } = openTestMemory({
      options: { extraction: { turnsPerCall: 1, precedingTurns: 0 } },
      replies: ['Lindby', 'Bergen', 'Corran'].map((place) => async () => {
        if (place === 'Lindby') await others.promise;
        return JSON.stringify({ relations: [home(1, place)] });
      }),
      wrapGraph: (graph) =>
        replaceMethod(graph, 'commit', async (changes, signal) => {
          const receipt = await graph.commit(changes, signal);
          if (changes.facts.length > 0 && ++written === 2) others.resolve();
          return receipt;
        }),
    });
    await memory.store(
      ['I live in Lindby.', 'I live in Bergen.', 'I live in Corran.'].map((content) => ({ role: 'user' as const, content })),
      { userId: 'u' },
    );
    expect((await factsOf(memory)).current).toEqual(['Lia lives in Corran']);
    await memory.close();
  });
});
