import { describe, expect, it } from 'vitest';
import { graphOf, say } from './joins.ts';
import { failureOf, openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'u' };

async function twoNames() {
  const { memory } = openTestMemory();
  await say(memory, ['Mika', 'lives in', '東京']);
  await say(memory, ['Tokyo', 'has', 'Ueno Park']);
  return memory;
}

describe('two entities that the caller says are one', () => {
  it('meet: names, facts and mentions, for questions by either name', async () => {
    const memory = await twoNames();
    expect((await graphOf(memory)).names).toEqual(['Mika', 'Tokyo', 'Ueno Park', '東京']);
    await say(memory, ['Tokyo', 'also known as', '東京']);
    expect(await graphOf(memory)).toEqual({
      names: ['Mika', 'Ueno Park', '東京 = Tokyo'],
      facts: ['Mika lives in 東京', '東京 has Ueno Park'],
    });
    const { items } = await memory.retrieve('Tokyo', USER);
    const named = items.filter(({ channels }) => channels.some(({ channel }) => channel === 'entity')).map(({ text }) => text);
    expect(named).toEqual(expect.arrayContaining(['Mika lives in 東京', 'Tokyo has Ueno Park']));
    await say(memory, ['Tokyo', 'lies in', 'Japan']);
    expect((await graphOf(memory)).facts).toContain('東京 lies in Japan');
    await say(memory, ['Tokyo', 'also known as', '東京']);
    expect(await memory.merges(USER)).toMatchObject([{ name: '東京', spelling: 'Tokyo', step: 'alias', undone: false }]);
  });

  it('part again when it is undone, each with its own, and never meet again', async () => {
    const memory = await twoNames();
    const before = await graphOf(memory);
    await say(memory, ['Tokyo', 'also known as', '東京']);
    const [merge] = await memory.merges(USER);
    expect((await failureOf(memory.undoMerge(merge?.id ?? '', { userId: 'other' }))).code).toBe('NOT_FOUND');
    expect(await memory.undoMerge(merge?.id ?? '', USER)).toMatchObject({ movedFacts: 1 });
    expect(await graphOf(memory)).toEqual(before);
    expect((await memory.merges(USER)).map(({ undone }) => undone)).toEqual([true]);
    await say(memory, ['東京', 'also known as', 'Tokyo']);
    await say(memory, ['Tokyo', 'lies in', 'Japan']);
    expect((await graphOf(memory)).facts).toEqual(['Mika lives in 東京', 'Tokyo has Ueno Park', 'Tokyo lies in Japan']);
  });

  it('bring what had been joined to each before, and take it back', async () => {
    const memory = await twoNames();
    await say(memory, ['Tokyo', 'also known as', 'Токио']);
    await say(memory, ['Токио', 'has', 'a tower']);
    await say(memory, ['東京', 'also known as', 'Tokyo']);
    expect((await graphOf(memory)).names).toEqual(['Mika', 'Ueno Park', 'a tower', '東京 = Tokyo = Токио'].sort());
    const last = (await memory.merges(USER)).at(-1);
    await memory.undoMerge(last?.id ?? '', USER);
    expect(await graphOf(memory)).toMatchObject({
      names: ['Mika', 'Tokyo = Токио', 'Ueno Park', 'a tower', '東京'],
      facts: ['Mika lives in 東京', 'Tokyo has Ueno Park', 'Tokyo has a tower'],
    });
  });

  it('stay two where their types conflict, and for every other user', async () => {
    const { memory } = openTestMemory({ replies: [reply(['x'], [['Jordan', 'person']]), reply(['y'], [['Urdun', 'place']])] });
    for (const content of ['Jordan came.', 'Urdun is far.']) await memory.store([{ role: 'user', content }], USER);
    const receipt = await memory.store([{ role: 'user', content: 'x', triples: [['Jordan', 'also known as', 'Urdun']] }], USER);
    expect(receipt.skipped).toMatchObject([{ reason: 'its two names are known as two things already' }]);
    expect((await graphOf(memory)).names).toEqual(['Jordan', 'Urdun']);
    await say(memory, ['Mika', 'lives in', 'Edo'], 'other');
    await say(memory, ['Tokyo', 'has', 'Ueno Park'], 'other');
    await say(memory, ['Mika', 'lives in', 'Edo']);
    await say(memory, ['Tokyo', 'has', 'Ueno Park']);
    await say(memory, ['Tokyo', 'also known as', 'Edo']);
    expect((await graphOf(memory, 'other')).names).toEqual(['Edo', 'Mika', 'Tokyo', 'Ueno Park']);
  });

  it('are gone for good when the one they became is forgotten', async () => {
    const memory = await twoNames();
    await say(memory, ['Tokyo', 'also known as', '東京']);
    await memory.forget({ userId: 'u', entity: 'Tokyo' });
    expect((await graphOf(memory)).names).toEqual([]);
    expect((await memory.retrieve('東京', USER)).items).toEqual([]);
  });
});
