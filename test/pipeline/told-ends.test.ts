import type { Memory } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { ConstantEmbeddingModel, openTestMemory } from './open-test-memory.ts';
import { factsOf } from './tell.ts';

interface Told {
  readonly predicate?: string;
  readonly object: string;
  readonly since?: string;
  readonly until?: string;
}

/** Each told by a turn of its own, a day apart: by a model, or as triples of the caller. */
async function remember(by: 'model' | 'caller', told: readonly Told[]): Promise<Memory> {
  const replies = told.map(({ predicate = 'works at', object, since = null, until = null }) =>
    JSON.stringify({ relations: [{ subject: 'Lia', predicate, object, since, until }] }),
  );
  const { memory } = openTestMemory({ replies });
  for (const [index, { predicate = 'works at', object, since, until }] of told.entries()) {
    const times = { ...(since === undefined ? {} : { validAt: since }), ...(until === undefined ? {} : { invalidAt: until }) };
    const triples = by === 'caller' ? { triples: [{ subject: 'Lia', predicate, object, ...times }] } : {};
    await memory.store([{ role: 'user', content: `News of Lia, part ${index + 1}.`, at: `2024-03-0${index + 1}`, ...triples }], { userId: 'u' });
  }
  return memory;
}

async function found(memory: Memory, asOf?: string): Promise<string[]> {
  const { items } = await memory.retrieve('Where does Lia work?', { userId: 'u', kinds: ['fact'], ...(asOf === undefined ? {} : { asOf }) });
  return items.map(({ text, until }) => `${text}${until === undefined ? '' : ` until ${until.slice(0, 10)}`}`);
}

const PAST: Told = { object: 'Acme', until: '2020-06-01' };
const NOW: Told = { object: 'Globex', since: '2020-06-02' };

describe.each(['model', 'caller'] as const)('an end without a beginning, told by a %s', (by) => {
  it.each([
    ['before what followed', [PAST, NOW]],
    ['after what followed', [NOW, PAST]],
    ['before a value without times', [PAST, { object: 'Globex' }]],
    ['after a value without times', [{ object: 'Globex' }, PAST]],
  ])('ends nothing but itself: %s', async (_, told) => {
    const memory = await remember(by, told);
    expect(await factsOf(memory)).toEqual({ current: ['Lia works at Globex'], past: ['Lia works at Acme'] });
    expect((await found(memory))[0]).toBe('Lia works at Globex');
    await memory.close();
  });

  it('holds at any time before, and at none after', async () => {
    const memory = await remember(by, [PAST, NOW]);
    expect(await found(memory, '2019-01-01')).toEqual(['Lia works at Acme until 2020-06-01']);
    expect(await found(memory, '2022-01-01')).toEqual(['Lia works at Globex']);
    expect(await found(memory)).toEqual(['Lia works at Globex', 'Lia works at Acme until 2020-06-01']);
    const { text } = await memory.retrieve('Where does Lia work?', { userId: 'u', kinds: ['fact'] });
    expect(text).toContain('2020-06-01\n[2] (until 2020-06-01) Lia works at Acme');
    await memory.close();
  });

  it('ends what is known to have begun before', async () => {
    const memory = await remember(by, [{ object: 'Acme', since: '2018-01-01' }, PAST]);
    expect(await found(memory, '2019-01-01')).toEqual(['Lia works at Acme']);
    expect(await found(memory, '2022-01-01')).toEqual([]);
    const [fact, ...others] = await memory.facts({ userId: 'u' });
    expect([fact?.validAt?.slice(0, 10), fact?.invalidAt?.slice(0, 10), others.length]).toEqual(['2018-01-01', '2020-06-01', 0]);
    await memory.close();
  });

  it('ends what began before, also where something else held before that', async () => {
    const memory = await remember(by, [{ object: 'Initech', since: '2010-01-01' }, { object: 'Acme', since: '2018-01-01' }, PAST]);
    expect((await memory.facts({ userId: 'u' })).map(({ text, invalidAt }) => `${text} ${invalidAt?.slice(0, 10)}`).sort()).toEqual([
      'Lia works at Acme 2020-06-01',
      'Lia works at Initech 2018-01-01',
    ]);
    await memory.close();
  });

  it('is followed by a stretch of its own where a later turn says that it holds again', async () => {
    const memory = await remember(by, [{ object: 'Acme', since: '2018-01-01' }, { object: 'Acme', until: '2024-03-03' }, { object: 'Acme' }]);
    expect(await factsOf(memory)).toEqual({ current: ['Lia works at Acme'], past: ['Lia works at Acme'] });
    await memory.close();
  });

  it('is another stretch than one that began later', async () => {
    const memory = await remember(by, [{ object: 'Acme', since: '2023-01-01' }, PAST]);
    expect((await found(memory, '2019-01-01'))[0]).toBe('Lia works at Acme until 2020-06-01');
    expect(await found(memory, '2022-01-01')).toEqual([]);
    expect((await found(memory))[0]).toBe('Lia works at Acme');
    await memory.close();
  });

  it('ends what it takes back in other words', async () => {
    const memory = await remember(by, [
      { object: 'Acme', since: '2018-01-01' },
      { predicate: 'used to work at', object: 'Acme', until: '2020-06-01' },
    ]);
    const [fact] = (await memory.facts({ userId: 'u' })).filter(({ predicate }) => predicate === 'works at');
    expect(fact?.invalidAt?.slice(0, 10)).toBe('2020-06-01');
    await memory.close();
  });

  it('has no beginning either when the turn that told it first is forgotten', async () => {
    const memory = await remember(by, [PAST, NOW, PAST]);
    const [first] = (await memory.episodes({ userId: 'u' })).filter(({ content }) => content.includes('part 1'));
    await memory.forget({ userId: 'u', ids: [first?.id ?? ''] });
    expect(await found(memory, '2019-01-01')).toEqual(['Lia works at Acme until 2020-06-01']);
    await memory.close();
  });

  it('leaves what followed as it was when something else is forgotten', async () => {
    const memory = await remember(by, [PAST, NOW, { object: 'Initech', since: '2022-01-01' }]);
    const [last] = (await memory.episodes({ userId: 'u' })).filter(({ content }) => content.includes('part 3'));
    await memory.forget({ userId: 'u', ids: [last?.id ?? ''] });
    expect((await factsOf(memory)).current).toEqual(['Lia works at Globex']);
    await memory.close();
  });
});

describe('what a model says that a fact replaces', () => {
  const fact = (text: string, replaces: readonly number[] = []) => JSON.stringify({ facts: [{ text, about: ['Lia'], replaces }] });

  it('stays what holds where it began later: the fact that is told late ends where the other begins', async () => {
    const { memory } = openTestMemory({
      embedding: new ConstantEmbeddingModel(),
      replies: [fact('Lia is at home in Corran'), fact('Lia is at home in Lindby', [1])],
    });
    await memory.store([{ role: 'user', content: 'I am at home in Corran.', at: '2024-03-01' }], { userId: 'u' });
    await memory.store([{ role: 'user', content: 'I am at home in Lindby.', at: '2024-01-01' }], { userId: 'u' });
    const found = async (asOf?: string) =>
      (await memory.retrieve('Where is Lia at home?', { userId: 'u', kinds: ['fact'], ...(asOf === undefined ? {} : { asOf }) })).items.map(
        ({ text, until }) => [text, until?.slice(0, 10)],
      );
    expect(await found()).toEqual([
      ['Lia is at home in Corran', undefined],
      ['Lia is at home in Lindby', '2024-03-01'],
    ]);
    expect(await found('2024-02-01')).toEqual([['Lia is at home in Lindby', undefined]]);
    await memory.close();
  });

  it('is over where a turn that was said later tells of an earlier day', async () => {
    const { memory } = openTestMemory({
      embedding: new ConstantEmbeddingModel(),
      replies: [
        fact('Lia is at home in Corran'),
        JSON.stringify({ facts: [{ text: 'Lia is at home in Lindby', since: '2024-01-01', replaces: [1] }] }),
      ],
    });
    await memory.store([{ role: 'user', content: 'I am at home in Corran.', at: '2024-03-01' }], { userId: 'u' });
    await memory.store([{ role: 'user', content: 'In fact Lindby has been my home since January.', at: '2024-06-01' }], { userId: 'u' });
    const { items } = await memory.retrieve('Where is Lia at home?', { userId: 'u', kinds: ['fact'] });
    expect(items.map(({ text, until }) => [text, until])).toEqual([['Lia is at home in Lindby', undefined]]);
    await memory.close();
  });

  it('ends with it where only its end was told', async () => {
    const { memory } = openTestMemory({
      embedding: new ConstantEmbeddingModel(),
      replies: [fact('Lia is at home in Corran'), JSON.stringify({ facts: [{ text: 'Lia gave up Corran', until: '2024-02-01', replaces: [1] }] })],
    });
    await memory.store([{ role: 'user', content: 'I am at home in Corran.', at: '2024-01-01' }], { userId: 'u' });
    await memory.store([{ role: 'user', content: 'I was there until February.', at: '2024-03-01' }], { userId: 'u' });
    const facts = await memory.facts({ userId: 'u' });
    expect(facts.find(({ text }) => text.includes('at home'))?.invalidAt?.slice(0, 10)).toBe('2024-02-01');
    await memory.close();
  });
});
