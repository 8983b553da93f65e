import { describe, expect, it } from 'vitest';
import { NOTHING, openTestMemory, shownMessages } from './open-test-memory.ts';

const USER = { userId: 'u-at' };
const TALK = [
  { role: 'user', content: 'What should I cook? I am allergic to nuts.', at: '2024-03-01T09:00:00Z' },
  { role: 'assistant', content: 'I grew up near Nice, so I would make ratatouille.', at: '2024-03-04T09:00:00Z' },
] as const;

describe('a fact that a model gives without the number of its message', () => {
  it.each([
    ['as text', ['User is allergic to nuts', 'Grew up near Nice']],
    [
      'with the role alone',
      [
        { text: 'Nüsse sind tabu', role: 'user' },
        { text: 'Kindheit bei Nizza', role: 'assistant' },
      ],
    ],
  ])('(%s) is of the one who said it, on the day of that message', async (_, facts) => {
    const { memory } = openTestMemory({ replies: [JSON.stringify({ facts })] });
    await memory.store(TALK, USER);
    const episodes = await memory.episodes(USER);
    const kept = (await memory.facts(USER)).map(({ saidBy, validAt, evidence }) => ({ saidBy, validAt, evidence }));
    for (const { role, at, id } of episodes) expect(kept).toContainEqual({ saidBy: role, validAt: at, evidence: [id] });
    expect(kept).toHaveLength(2);
  });
});

describe('what a user says to a suggestion', () => {
  it.each(['Yes, do that.', 'No, leave it.'])('is shown to the model beside the suggestion, which is not read again: %s', async (answer) => {
    const { memory, model } = openTestMemory({ replies: [NOTHING] });
    const scope = { ...USER, sessionId: 's' };
    await memory.store([{ role: 'assistant', content: 'Shall I book the night train to Malmo?' }], scope);
    await memory.store([{ role: 'user', content: answer }], scope);
    const [, second] = model.requests;
    if (second === undefined) throw new Error('The answer was not read.');
    expect(shownMessages(second).map(({ role, text }) => [role, text])).toEqual([['user', answer]]);
    expect(second.messages.at(-1)?.content).toMatch(/^<<\w+ context role=assistant>>\nShall I book the night train to Malmo\?\n<</m);
  });
});

describe('several users of one memory', () => {
  it('stay several where the model calls each of them "User"', async () => {
    const told = (place: string) => JSON.stringify({ entities: ['User', place], relations: [['User', 'lives in', place]] });
    const { memory } = openTestMemory({ replies: [told('Oslo'), told('Bergen'), told('Corran')] });
    const say = (name: string, content: string) => memory.store([{ role: 'user', name, content }], { ...USER, sessionId: 'group' });
    await say('Lia', 'I live in Oslo.');
    await say('Ben', 'I live in Bergen.');
    await say('Ben', 'Now I live in Corran.');
    expect((await memory.facts({ ...USER, currentOnly: true })).map(({ text }) => text).sort()).toEqual(['Ben lives in Corran', 'Lia lives in Oslo']);
    expect((await memory.entities(USER)).map(({ name, type }) => [name, type])).toEqual(
      expect.arrayContaining([
        ['Lia', 'person'],
        ['Ben', 'person'],
      ]),
    );
    expect((await memory.entities(USER)).map(({ name }) => name)).not.toContain('User');
  });
});
