import type { EntityFilter } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { NOTHING, openTestMemory, replaceMethod, reply } from './open-test-memory.ts';

async function openTalk() {
  const asked: EntityFilter[] = [];
  const { memory } = openTestMemory({
    replies: [reply([], [['Caroline', 'person']]), NOTHING],
    wrapGraph: (graph) =>
      replaceMethod(graph, 'findEntities', (filter, page) => {
        asked.push(filter);
        return graph.findEntities(filter, page);
      }),
  });
  const said = (name: string, content: string) => ({ role: 'user' as const, name, content });
  await memory.store([said('Melvin', 'Caroline, what do you paint?')], { userId: 'u', sessionId: 's' });
  await memory.store([said('Caroline', 'I paint sunrises.'), said('Melvin', 'I paint sunrises too.')], { userId: 'u', sessionId: 's' });
  asked.length = 0;
  return { memory, asked };
}

describe('a name that is written wrongly', () => {
  it('finds whom it means: the entity, and the speaker', async () => {
    const { memory } = await openTalk();
    const right = await memory.retrieve('What does Caroline paint?', { userId: 'u' });
    const wrong = await memory.retrieve('What does Carolin paint?', { userId: 'u' });
    const scored = (context: typeof right) =>
      context.items.map(({ text, speaker, channels }) => ({ text, speaker, by: channels.map((by) => by.channel) }));
    expect(scored(wrong)).toEqual(scored(right));
    expect(wrong.items[0]).toMatchObject({ text: 'I paint sunrises.', speaker: 'Caroline', parts: { speaker: expect.any(Number) } });
    expect(wrong.query).toBe('What does Carolin paint?');
  });

  it('costs a read only where a name is unknown', async () => {
    const { memory, asked } = await openTalk();
    for (const question of ['What does Caroline paint?', 'what does carolin paint?', 'Which sunrises were painted?']) {
      await memory.retrieve(question, { userId: 'u' });
    }
    expect(asked.filter((filter) => filter.prefixes !== undefined)).toEqual([]);
    await memory.retrieve('What does Beatrice paint?', { userId: 'u' });
    expect(asked.filter((filter) => filter.prefixes !== undefined)).toEqual([{ userId: 'u', prefixes: ['beat'] }]);
  });

  it('is that of a stranger where another user has the name', async () => {
    const { memory } = await openTalk();
    await memory.store('A painter.', { userId: 'v', infer: false });
    const { items } = await memory.retrieve('What does Carolin paint?', { userId: 'v' });
    expect(items.map((item) => item.text)).toEqual(['A painter.']);
  });
});
