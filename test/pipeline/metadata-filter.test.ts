import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'ilse' };
const TURNS = [
  ['The garden gate is painted green.', { project: 'garden', year: 2024, tags: ['paint', 'gate'] }],
  ['The kitchen wall is painted white.', { project: 'kitchen', year: 2024, done: true }],
  ['The garden shed is painted red.', { project: 'garden', year: 2025, done: false, note: null }],
  ['The boat is painted blue.', {}],
  ['The barn is painted brown.', { project: { name: 'garden' }, year: '2024' }],
] as const;

async function open() {
  const opened = openTestMemory();
  for (const [content, metadata] of TURNS) await opened.memory.store([{ role: 'user', content, metadata }], USER);
  await opened.memory.store([{ role: 'user', content: 'The garden bench is painted black.', metadata: { project: 'garden' } }], { userId: 'otto' });
  const found = async (metadata: Record<string, unknown>, more = {}) =>
    (await opened.memory.retrieve('What is painted?', { ...USER, ...more, metadata: metadata as Record<string, string> })).items
      .map((item) => item.text.split(' ').at(-1))
      .sort();
  return { ...opened, found };
}

describe('a question about what was stored with given metadata', () => {
  it.each([
    [{ project: 'garden' }, ['green.', 'red.']],
    [{ project: 'garden', year: 2024 }, ['green.']],
    [{ year: 2024 }, ['green.', 'white.']],
    [{ year: '2024' }, ['brown.']],
    [{ tags: 'gate' }, ['green.']],
    [{ done: false }, ['red.']],
    [{ note: null }, ['red.']],
    [{ project: 'gar' }, []],
    [{ name: 'garden' }, []],
    [{ toString: 'x' }, []],
    [{}, ['blue.', 'brown.', 'green.', 'red.', 'white.']],
  ])('%j', async (metadata, expected) => {
    const { found } = await open();
    expect(await found(metadata)).toEqual(expected);
  });

  it('finds them also where the whole memory holds many that fit the words better', async () => {
    const { memory, found } = await open();
    const others = Array.from({ length: 400 }, (_, n) => ({
      role: 'user' as const,
      content: `What is painted? Door ${n}.`,
      metadata: { n, ...(n < 300 && { kind: 'door' }) },
    }));
    await memory.store(others, USER);
    expect(await found({ project: 'garden' })).toEqual(['green.', 'red.']);
    expect(await found({ n: 399 })).toEqual(['399.']);
    expect(await memory.retrieve('What is painted?', { ...USER, metadata: { kind: 'door' }, topK: 350, budget: 100_000 })).toMatchObject({
      items: { length: 300 },
    });
  });

  it('is narrowed by the other filters too, and leads no walk or neighbour past them', async () => {
    const facts = reply(['The gate is green'], [['gate', 'object']], [['gate', 'is', 'green']]);
    const { memory } = openTestMemory({ replies: [facts] });
    const turn = (content: string, kind: string) => ({ role: 'user' as const, content, metadata: { kind } });
    await memory.store([turn('The gate is green.', 'wanted'), turn('It needs oil.', 'other')], { ...USER, sessionId: 'one' });
    await memory.store([turn('The gate is green again.', 'wanted')], { ...USER, sessionId: 'two' });
    const ask = async (options: object) =>
      (await memory.retrieve('What colour is the gate?', { ...USER, ...options })).items.map((item) => item.text);
    expect(await ask({ metadata: { kind: 'wanted' }, sessionId: 'one' })).toEqual(['The gate is green.']);
    expect(await ask({ metadata: { kind: 'other' } })).toEqual(['It needs oil.']);
  });

  it('takes names and values as they are, and refuses what is no single value by name', async () => {
    const { memory, found } = await open();
    const odd = { 'a"b': 'c\\d', "x'y": '100%', $where: '{1}', 색: '초록', 'p.q': '_' };
    await memory.store([{ role: 'user', content: 'The odd one is painted grey.', metadata: odd }], USER);
    for (const [key, value] of Object.entries(odd)) expect(await found({ [key]: value })).toEqual(['grey.']);
    expect(await found({ "x'y": '10%' })).toEqual([]);
    expect(await found(JSON.parse('{"__proto__": "x"}'))).toEqual([]);
    for (const metadata of [null, 'project', ['project']])
      await expect(memory.retrieve('What?', { ...USER, metadata: metadata as never })).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining('options.metadata'),
      });
    for (const value of [['a'], { a: 1 }, Number.NaN, 1n])
      await expect(found({ project: value })).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('metadata.project') });
    await expect(memory.episodes({ ...USER, metadata: { project: [] as never } })).rejects.toMatchObject({ code: 'INPUT_INVALID' });
  });

  it('lists them page by page', async () => {
    const { memory } = await open();
    const metadata = { project: 'garden' };
    const first = await memory.episodes({ ...USER, metadata }, { limit: 1 });
    const second = await memory.episodes({ ...USER, metadata }, { limit: 5, after: first[0]?.id ?? '' });
    expect([...first, ...second].map((episode) => episode.content).sort()).toEqual([TURNS[0][0], TURNS[2][0]].sort());
    expect([first.length, second.length]).toEqual([1, 1]);
  });

  it('is cached apart from the same question about others', async () => {
    const { memory } = openTestMemory({ options: { cache: {} } });
    for (const colour of ['green', 'red']) await memory.store([{ role: 'user', content: `It is ${colour}.`, metadata: { colour } }], USER);
    const ask = async (colour: string) => (await memory.retrieve('What is it?', { ...USER, metadata: { colour } })).items.map((item) => item.text);
    expect(await ask('green')).toEqual(['It is green.']);
    expect(await ask('red')).toEqual(['It is red.']);
  });
});
