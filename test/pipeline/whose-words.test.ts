import type { MessageInput, RetrieveOptions } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { ConstantEmbeddingModel, openTestMemory } from './open-test-memory.ts';

const user = (content: string): MessageInput => ({ role: 'user', content });
const assistant = (content: string): MessageInput => ({ role: 'assistant', content });

/** Nothing but words can tell texts apart: each has a talk of its own. */
async function remember(turns: readonly MessageInput[]) {
  const { memory } = openTestMemory({ embedding: new ConstantEmbeddingModel() });
  for (const [index, turn] of turns.entries()) await memory.store([turn], { userId: 'u', sessionId: `s${index}`, infer: false });
  const first = async (question: string, asked: Partial<RetrieveOptions> = {}) =>
    (await memory.retrieve(question, { userId: 'u', foldNearDuplicates: false, ...asked })).items[0];
  return { memory, first };
}

describe('a question for what was said', () => {
  const FILMS = [user('The film Solaris is my film of the year.'), assistant('The film Stalker is a film for a quiet evening.')];

  it.each([
    ['Which film did you recommend?', 'assistant'],
    ['Which film did I tell you about?', 'user'],
    ['Which film is my favourite?', 'user'],
    ['네가 추천해 준 film이 뭐였지?', 'assistant'],
    ['你给我推荐过哪部film？', 'assistant'],
    ['Welchen film hast du mir empfohlen?', 'assistant'],
  ])('finds the words of whoever said it: %s', async (question, role) => {
    const { first } = await remember(FILMS);
    expect((await first(question))?.role).toBe(role);
    const { first: other } = await remember(FILMS.toReversed());
    expect((await other(question))?.role).toBe(role);
  });

  it('shows it among the parts of the score, which sum up', async () => {
    const { first } = await remember(FILMS);
    const item = await first('Which film did you recommend?');
    expect(item?.parts['voice']).toBeGreaterThan(0);
    expect(Object.values(item?.parts ?? {}).reduce((sum, part) => sum + part, 0)).toBeCloseTo(item?.score ?? 0, 9);
  });

  it('is by the speaker alone where it names one', async () => {
    const { first } = await remember([
      { role: 'user', name: 'Ana', content: 'The film Solaris.' },
      { role: 'assistant', name: 'Bo', content: 'The film Stalker.' },
    ]);
    const item = await first('Which film did Ana say that you recommended?');
    expect(item?.speaker).toBe('Ana');
    expect(item?.parts['voice']).toBeUndefined();
  });

  it.each([
    ['What did you recommend to Ana?', undefined],
    ['Which film did you say that Ana would like?', undefined],
    ['What did Ana recommend?', 'Ana'],
    ['What did Ana recommend to Bo?', 'Ana'],
    ['What did Bo recommend to Ana?', 'Bo'],
    ['What was recommended to Ana by Bo?', 'Bo'],
    ['보가 아나에게 추천한 film이 뭐야?', '보'],
    ['아나에게 보는 어떤 film을 추천했어?', '보'],
  ])('is not by a speaker who is only spoken to: %s', async (question, speaker) => {
    const { first } = await remember([
      { role: 'user', name: 'Ana', content: 'I recommend the film Solaris.' },
      { role: 'user', name: '아나', content: 'I recommend the film Roma.' },
      { role: 'assistant', content: 'I recommend the film Stalker.' },
      { role: 'user', name: 'Bo', content: 'I recommend the film Mirror.' },
      { role: 'user', name: '보', content: 'I recommend the film Ran.' },
    ]);
    expect((await first(question))?.speaker).toBe(speaker);
  });
});

it('what I told is by the user who has no name, where others have one', async () => {
  const { first } = await remember([
    { role: 'user', name: 'Ana', content: 'The film Solaris.' },
    { role: 'user', content: 'The film Mirror, and some more words about it.' },
    { role: 'user', name: 'Bo', content: 'The film Ran.' },
  ]);
  expect((await first('Which film did I tell Ana about?'))?.speaker).toBeUndefined();
  expect((await first('Which film did Ana tell about?'))?.speaker).toBe('Ana');
  const { first: ofOne } = await remember([
    { role: 'user', name: 'Ana', content: 'The film Mirror, and some more words about it.' },
    { role: 'assistant', content: 'The film Solaris.' },
    { role: 'user', content: 'What a day!' },
  ]);
  expect((await ofOne('Which film did I tell you about?'))?.speaker).toBe('Ana');
});

describe('a question without spaces between its words', () => {
  it.each([
    [
      '제가 좋아한다던 영화가 뭐였더라?',
      '저는 시간을 다룬 영화를 자주 봐요.',
      ['제가 뭐라고 했더라, 그게 뭐였더라?', '그때 뭐였더라, 제가 말했는데.'],
    ],
    ['你还记得我曾经提到过的小说吗？', '我在看一本科幻小说。', ['你还记得我吗？', '我曾经提到过你。', '你还记得我曾经说过吗？']],
    ['あなたは私が話した映画を覚えてる？', '昨日は古い映画を見た。', ['あなたは私を覚えてる？', '私が話したことを覚えてる？']],
  ])('finds what it is about before what is worded like it: %s', async (question, wanted, others) => {
    const { first } = await remember([user(wanted), ...others.map(user)]);
    expect((await first(question))?.text).toBe(wanted);
  });
});

describe('a model that reads some languages worse', () => {
  it('has less to say about a question in one of them', async () => {
    const asked: string[] = [];
    const base = new HashEmbeddingModel();
    const embedding = {
      modelId: base.modelId,
      dimensions: base.dimensions,
      maxBatchSize: base.maxBatchSize,
      keywordWeight: 1,
      keywordWeightFor: (question: string) => {
        asked.push(question);
        return /[가-힣]/.test(question) ? 8 : 1;
      },
      embed: (texts: readonly string[]) => base.embed(texts),
      close: async () => {},
    };
    const { memory } = openTestMemory({ embedding });
    await memory.store('지하철 노선', { userId: 'u', infer: false });
    const keywords = async (question: string) => (await memory.retrieve(question, { userId: 'u' })).items[0]?.parts['keywords'];
    expect(await keywords('지하철')).toBeGreaterThan(4);
    expect(asked).toEqual(['지하철']);
    const { memory: told } = openTestMemory({ embedding, options: { recall: { keywordWeight: 2 } } });
    await told.store('지하철 노선', { userId: 'u', infer: false });
    const [item] = (await told.retrieve('지하철', { userId: 'u' })).items;
    expect(item?.parts['keywords']).toBeLessThanOrEqual(2);
  });
});
