import type { RetrieveOptions } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { ConstantEmbeddingModel, openTestMemory } from './open-test-memory.ts';

const DAYS = ['2022-08-01', '2024-02-01', '2024-02-14', '2024-02-20', '2024-02-27', '2024-02-29', '2024-03-01'];

/** The same words on each day, so that nothing but the day can tell them apart. */
async function openDiary(now: string, options: Parameters<typeof openTestMemory>[0] = {}) {
  const opened = openTestMemory({ embedded: true, clock: new FixedClock(now), embedding: new ConstantEmbeddingModel(), ...options });
  for (const day of DAYS)
    await opened.memory.store([{ role: 'user', content: `Soup in ${day.replaceAll('-', '')}x`, at: `${day}T20:00:00Z` }], {
      userId: 'u',
      infer: false,
    });
  const first = async (question: string, asked: Partial<RetrieveOptions> = {}) =>
    (await opened.memory.retrieve(question, { userId: 'u', foldNearDuplicates: false, ...asked })).items[0]?.localTime.slice(0, 10);
  return { ...opened, first };
}

describe('a time in a question', () => {
  it.each([
    ['What soup did I eat yesterday?', '2024-02-29'],
    ['What soup did I eat today?', '2024-03-01'],
    ['What soup did I eat last week?', '2024-02-20'],
    ['What soup did I eat three days ago?', '2024-02-27'],
    ['What soup did I eat last Thursday?', '2024-02-29'],
    ['What soup did I eat on February 14?', '2024-02-14'],
    ['What soup did I eat before 2023?', '2022-08-01'],
    ['What soup did I eat between 2024-02-13 and 2024-02-16?', '2024-02-14'],
    ['어제 먹은 soup?', '2024-02-29'],
    ['지난주에 먹은 soup?', '2024-02-20'],
    ['昨天的 soup', '2024-02-29'],
    ['先週の soup', '2024-02-20'],
    ['Welche soup gab es gestern?', '2024-02-29'],
  ])('is that of its day: %s', async (question, day) => {
    const { first } = await openDiary('2024-03-01T21:00:00Z');
    expect(await first(question)).toBe(day);
  });

  it('is meant on the day that is asked about, where one is', async () => {
    const { first } = await openDiary('2026-06-15T12:00:00Z');
    expect(await first('What soup did I eat yesterday?', { asOf: '2024-03-01T21:00:00Z' })).toBe('2024-02-29');
    expect(await first('What soup did I eat last week?', { asOf: '2024-02-23T08:00:00Z' })).toBe('2024-02-14');
  });

  it('is read in the zone of who speaks', async () => {
    const { memory } = openTestMemory({ clock: new FixedClock('2024-03-01T16:00:00Z'), embedding: new ConstantEmbeddingModel() });
    // 16:00 UTC is the 2nd of March in Seoul, and yesterday the 1st.
    for (const at of ['2024-02-29T22:00:00+09:00', '2024-03-01T22:00:00+09:00', '2024-03-02T00:30:00+09:00'])
      await memory.store([{ role: 'user', content: `Soup at ${at.slice(8, 10)}`, at }], { userId: 'u', infer: false });
    const { items } = await memory.retrieve('What soup did I eat yesterday?', { userId: 'u' });
    expect(items[0]?.localTime).toBe('2024-03-01 22:00');
  });

  it('is part of the explanation, and the parts still sum up', async () => {
    const { memory } = await openDiary('2024-03-01T21:00:00Z');
    const { items } = await memory.retrieve('What soup did I eat yesterday?', { userId: 'u', foldNearDuplicates: false });
    expect(items[0]?.parts['date']).toBeGreaterThan(0);
    for (const item of items) expect(Object.values(item.parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(item.score, 9);
  });

  it('counts for facts as well, by the day since which they hold', async () => {
    const { memory } = openTestMemory({ clock: new FixedClock('2024-03-01T21:00:00Z'), embedding: new ConstantEmbeddingModel() });
    for (const [place, validAt] of [
      ['Lindby', '2024-02-01'],
      ['Corran', '2024-02-29'],
      ['Bergen', '2023-02-01'],
    ] as const)
      await memory.store(
        [{ role: 'user', content: `Trip to ${place}`, triples: [{ subject: 'Ana', predicate: 'visited', object: place, validAt }] }],
        { userId: 'u' },
      );
    const { items } = await memory.retrieve('What did Ana visit yesterday?', { userId: 'u', kinds: ['fact'], hops: 0 });
    expect(items[0]?.text).toBe('Ana visited Corran');
  });

  it('is not answered from the cache of another day', async () => {
    const clock = new FixedClock('2024-02-29T21:00:00Z');
    const { first, memory } = await openDiary('', { clock, options: { cache: {} } });
    const question = 'What soup did I eat yesterday?';
    await first(question);
    expect((await memory.retrieve(question, { userId: 'u', foldNearDuplicates: false })).cachedFrom).toBe(question);
    clock.advance(86_400_000);
    const asked = await memory.retrieve(question, { userId: 'u', foldNearDuplicates: false });
    expect(asked.cachedFrom).toBeUndefined();
    expect(asked.items[0]?.localTime.slice(0, 10)).toBe('2024-02-29');
  });
});

describe('what was said at a time', () => {
  const WEEKS = 60;
  /** More talk about talking than any search takes in, and two turns that do not. */
  async function openLongDiary(options: Parameters<typeof openTestMemory>[0] = {}) {
    const opened = openTestMemory({ clock: new FixedClock('2024-03-01T12:00:00Z'), embedding: new ConstantEmbeddingModel(), ...options });
    const said = Array.from({ length: 5 * WEEKS }, (_, index) => ({
      role: 'user' as const,
      content: `We talked about topic ${index}: what did we talk about?`,
      at: new Date(Date.UTC(2020, 0, 1 + index)).toISOString(),
    }));
    await opened.memory.store(said, { userId: 'u', sessionId: 'long', infer: false });
    for (const [sessionId, content, at] of [
      ['a', 'Lindby has a lighthouse.', '2024-02-14T09:00:00Z'],
      ['b', 'The ferry was late.', '2024-02-29T09:00:00Z'],
    ] as const)
      await opened.memory.store([{ role: 'user', content, at }], { userId: 'u', sessionId, infer: false });
    return opened.memory;
  }

  it.each([
    ['What did we talk about on 2024-02-14?', 'Lindby has a lighthouse.'],
    ['What did we talk about on February 14?', 'Lindby has a lighthouse.'],
    ['What did we talk about yesterday?', 'The ferry was late.'],
    ['어제 무슨 얘기 했지?', 'The ferry was late.'],
    ['昨天我们聊了什么？', 'The ferry was late.'],
  ])('comes first where nothing else is asked for, in a memory of any size: %s', async (question, wanted) => {
    const memory = await openLongDiary();
    const { items } = await memory.retrieve(question, { userId: 'u' });
    expect(items[0]?.text).toBe(wanted);
    expect(items[0]?.channels.map(({ channel }) => channel)).toContain('time');
  });

  it('is found where the question says more, and stays inside its filters', async () => {
    const memory = await openLongDiary();
    const question = 'Which topic about the coast did we talk about on 2024-02-14?';
    expect((await memory.retrieve(question, { userId: 'u', topK: 50 })).items.map((item) => item.text)).toContain('Lindby has a lighthouse.');
    const inOther = await memory.retrieve(question, { userId: 'u', sessionId: 'b' });
    expect(inOther.items.map((item) => item.text)).toEqual(['The ferry was late.']);
    const until = await memory.retrieve('What did we talk about on 2024-02-14?', { userId: 'u', until: '2024-02-01' });
    expect(until.items.every((item) => item.localTime < '2024-02-01')).toBe(true);
  });

  it.each([
    ['2024-02-29T23:30:00Z', 'Asia/Seoul', '2024-02-29T08:00:00+09:00'],
    ['2024-03-01T04:30:00Z', 'America/Los_Angeles', '2024-02-28T00:30:00-08:00'],
  ])('is found whatever day it is elsewhere: %s in %s', async (now, _zone, at) => {
    const memory = await openLongDiary({ clock: new FixedClock(now) });
    await memory.store([{ role: 'user', content: 'The kettle is blue.', at }], { userId: 'u', sessionId: 'zone', infer: false });
    expect((await memory.retrieve('What did we talk about yesterday?', { userId: 'u' })).items.map((item) => item.text)).toContain(
      'The kettle is blue.',
    );
  });

  it('comes whole, whatever its words: code, another language, a line', async () => {
    const memory = await openLongDiary();
    const said = ['const x = arr.map((y) => y);', '내일 비 온대', 'ok', 'sudo systemctl restart nginx'];
    for (const [index, content] of said.entries())
      await memory.store([{ role: 'user', content, at: `2024-02-20T0${index}:00:00Z` }], { userId: 'u', sessionId: `day ${index}`, infer: false });
    const { items } = await memory.retrieve('What did we talk about on 20 February 2024?', { userId: 'u' });
    expect(items.slice(0, said.length).map((item) => item.text)).toEqual(expect.arrayContaining(said));
  });

  it('is a month or a year as well', async () => {
    const memory = await openLongDiary();
    for (const question of [
      'What did we talk about in February 2024?',
      'What did we talk about last month?',
      'What did we talk about in 2024?',
      '2024년에 무슨 얘기 했지?',
    ])
      expect(
        (await memory.retrieve(question, { userId: 'u' })).items
          .slice(0, 2)
          .map((item) => item.text)
          .sort(),
        question,
      ).toEqual(['Lindby has a lighthouse.', 'The ferry was late.']);
  });

  it('makes one sure that there is an answer, or that there is none', async () => {
    const memory = await openLongDiary();
    expect((await memory.retrieve('What did we talk about yesterday?', { userId: 'u' })).answerability).toBeGreaterThan(0.8);
    expect((await memory.retrieve('What did we talk about on 2024-01-12?', { userId: 'u' })).answerability).toBeLessThan(0.2);
  });

  it('is not searched for where times are left out of account', async () => {
    const memory = await openLongDiary({ options: { reranking: { without: ['time'] } } });
    const { items } = await memory.retrieve('What did we talk about on 2024-02-14?', { userId: 'u' });
    expect(items.flatMap(({ channels }) => channels.map(({ channel }) => channel))).not.toContain('time');
  });
});

describe('what one of several said', () => {
  async function openGroup() {
    const { memory } = openTestMemory({ clock: new FixedClock('2024-03-01T12:00:00Z'), embedding: new ConstantEmbeddingModel() });
    for (const [name, content, at] of [
      ['Mira', 'Our cat sleeps on the piano.', '2024-02-14T09:00:00Z'],
      ['Oleg', 'I said no, and told her so.', '2024-02-14T09:01:00Z'],
      ['Ines', 'The sofa is green.', '2024-02-14T09:02:00Z'],
      ['Mira', 'I have moved.', '2024-02-20T09:02:00Z'],
    ] as const)
      await memory.store([{ role: 'user', name, content, at }], { userId: 'u', sessionId: `${name} ${at}`, infer: false });
    return async (question: string, topK: number) => (await memory.retrieve(question, { userId: 'u', topK })).items.map((item) => item.text);
  }

  it('is all of theirs, not what others say of saying', async () => {
    const ask = await openGroup();
    expect((await ask('What did Mira say?', 2)).sort()).toEqual(['I have moved.', 'Our cat sleeps on the piano.']);
    expect(await ask('What did Ines tell us?', 1)).toEqual(['The sofa is green.']);
  });

  it('is that of the day that is named', async () => {
    const ask = await openGroup();
    expect(await ask('What did Mira say on February 14?', 1)).toEqual(['Our cat sleeps on the piano.']);
    expect(await ask('What did Ines say on February 14?', 1)).toEqual(['The sofa is green.']);
    expect(await ask('What did Mira say on February 20?', 1)).toEqual(['I have moved.']);
  });
});

describe('what is to come', () => {
  /** More talk of plans than any search takes in, and what is planned, in words of its own. */
  async function openPlans() {
    // A Monday.
    const { memory } = openTestMemory({ embedded: true, clock: new FixedClock('2026-11-30T12:00:00Z'), embedding: new ConstantEmbeddingModel() });
    const old = Array.from({ length: 300 }, (_, index) => ({
      role: 'user' as const,
      content: `Plans for tomorrow: what do I have tomorrow, appointment ${index}?`,
      at: new Date(Date.UTC(2026, 0, 1 + index)).toISOString(),
    }));
    await memory.store(old, { userId: 'u', sessionId: 'old', infer: false });
    for (const [content, at] of [
      ['Return of the library books by December 1', '2026-02-03T09:00:00Z'],
      ['Climbing with Ana tomorrow evening', '2026-11-30T08:00:00Z'],
      ['Lunch with Ben tomorrow', '2026-11-29T08:00:00Z'],
      ['Tax advisor on Tuesday at 10', '2026-11-27T08:00:00Z'],
      ['Oslo next week', '2026-11-29T08:00:00Z'],
      ['모레 건강검진', '2026-11-29T08:00:00Z'],
      ['Cinema on Friday', '2026-11-26T08:00:00Z'],
      ['Car service Dec 4', '2026-11-10T08:00:00Z'],
    ] as const)
      await memory.store([{ role: 'user', content, at }], { userId: 'u', sessionId: content, infer: false });
    return memory;
  }

  it.each([
    [
      'What do I have tomorrow?',
      ['Return of the library books by December 1', 'Climbing with Ana tomorrow evening', 'Tax advisor on Tuesday at 10', '모레 건강검진'],
    ],
    [
      'What did I plan for tomorrow?',
      ['Return of the library books by December 1', 'Climbing with Ana tomorrow evening', 'Tax advisor on Tuesday at 10', '모레 건강검진'],
    ],
    [
      '내일 뭐 있지?',
      ['Return of the library books by December 1', 'Climbing with Ana tomorrow evening', 'Tax advisor on Tuesday at 10', '모레 건강검진'],
    ],
    ['What is on this Friday?', ['Car service Dec 4']],
    ['Am I free on December 4?', ['Car service Dec 4']],
  ])('is what tells of the day, whenever it was told, and no old "tomorrow": %s', async (question, wanted) => {
    const memory = await openPlans();
    const { items, answerability } = await memory.retrieve(question, { userId: 'u', topK: wanted.length });
    expect(items.map((item) => item.text).sort()).toEqual([...wanted].sort());
    expect(answerability).toBeGreaterThan(0.5);
  });

  it('is not in the memory where nothing tells of the day', async () => {
    const memory = await openPlans();
    expect((await memory.retrieve('Am I free on December 14?', { userId: 'u' })).answerability).toBeLessThan(0.5);
  });

  it('is seen from the day that is asked about', async () => {
    const memory = await openPlans();
    const { items } = await memory.retrieve('What do I have tomorrow?', { userId: 'u', asOf: '2026-11-29T20:00:00Z', topK: 1 });
    expect(items[0]?.text).toBe('Lunch with Ben tomorrow');
  });
});
