import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from '../pipeline/open-test-memory.ts';

const USER = { userId: 'u' };
const SAID = ['Ann Lee paints well.', 'Ann sings.', 'I met Ann today.', 'Ann Kim plays chess.', 'I met Ann Kim today.', 'Ann Kim knows Ann Lee.'];

describe('forget by the name of one of two who share a first name', () => {
  it('leaves the other one, in turns, facts, the graph and kept conversations', async () => {
    const { memory, conversations } = openTestMemory({
      replies: [
        reply(['Ann Lee paints'], [['Ann Lee', 'person']]),
        reply(['Ann sings'], [['Ann', 'person']]),
        reply([]),
        reply(['Ann Kim plays chess'], [['Ann Kim', 'person']], [['Ann Kim', 'plays', 'chess']]),
        reply([]),
      ],
    });
    for (const content of SAID) await memory.store([{ role: 'user', content }], USER);
    const talk = { ...USER, sessionId: 's' };
    await conversations.update(
      talk,
      SAID.map((content) => ({ type: 'message', message: { role: 'user', content } })),
    );
    expect((await memory.entities({ ...USER, type: 'person' })).map(({ name }) => name).sort()).toEqual(['Ann Kim', 'Ann Lee']);

    const receipt = await memory.forget({ ...USER, entity: 'Ann Lee' });
    expect(receipt).toMatchObject({ erased: { episodes: 4 }, notFound: [] });
    expect((await memory.episodes(USER)).map(({ content }) => content).sort()).toEqual(['Ann Kim plays chess.', 'I met Ann Kim today.']);
    expect((await memory.entities({ ...USER, type: 'person' })).map(({ name }) => name)).toEqual(['Ann Kim']);
    expect((await memory.facts(USER)).map(({ text }) => text)).toEqual(expect.arrayContaining(['Ann Kim plays chess']));
    const kept = (await conversations.get(talk)).flatMap((entry) => (entry.type === 'message' ? [entry.message.content] : []));
    expect(kept).toEqual(['Ann Kim plays chess.', 'I met Ann Kim today.']);
    expect((await memory.retrieve('chess', USER)).text).toContain('Ann Kim plays chess');
  });
});
