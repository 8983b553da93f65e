import type { Memory } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';
import { factsOf } from './tell.ts';

const extractor = rulesExtractor();
const USER = { userId: 'u' };
const LIA = { name: 'Lia', type: 'person' };

async function told(...said: readonly string[]) {
  const clock = new FixedClock('2024-06-01T00:00:00.000Z');
  const { memory } = openTestMemory({ extractor, clock });
  const turns: string[] = [];
  for (const [index, content] of said.entries()) {
    const { episodes } = await memory.store([{ role: 'user', content, at: `2024-0${index + 1}-05` }], { ...USER, sessionId: 's' });
    turns.push(episodes[0]?.id ?? '');
  }
  const change = async (index: number, text: string) => {
    clock.advance(60_000);
    await memory.update(turns[index] ?? '', { text }, USER);
  };
  return { memory, turns, change };
}

async function home(memory: Memory): Promise<string[]> {
  return (await memory.facts({ ...USER, currentOnly: true })).filter(({ slot }) => slot === 'place').map(({ text }) => text);
}

async function marks(memory: Memory): Promise<(boolean | undefined)[]> {
  const episodes = (await memory.episodes(USER)).toSorted((a, b) => (a.at < b.at ? -1 : 1));
  return episodes.map(({ outdated }) => outdated?.inPart);
}

describe('an end that a turn no longer tells', () => {
  it('is undone: the old home holds, its turn is outdated no more, and the log says why', async () => {
    const { memory, turns, change } = await told('I live in Lindby.', 'I moved to Corran.');
    expect(await home(memory)).toEqual(['I moved to Corran.']);
    expect(await marks(memory)).toEqual([false, undefined]);
    await change(1, 'I visited Corran.');
    expect(await home(memory)).toEqual(['I live in Lindby.']);
    expect(await marks(memory)).toEqual([undefined, undefined]);
    const { items, text } = await memory.retrieve('Where do I live?', USER);
    expect(items[0]?.text).toBe('I live in Lindby.');
    expect(text).not.toContain('outdated');
    const log = (await memory.updates(USER)).map(({ action, text: of, episodeId }) => [action, of, episodeId]);
    expect(log).toContainEqual(['reopen', 'I live in Lindby.', turns[1]]);
    const [old] = (await memory.facts(USER)).filter(({ text: sentence }) => sentence === 'I live in Lindby.');
    expect((await memory.history(old?.id ?? '', USER)).filter(({ id }) => id === old?.id).map(({ action }) => action)).toEqual(['added']);
  });

  it.each([
    ['a denial', 'I own a kayak.', 'I sold my kayak.', 'I washed my kayak.'],
    ['a job that was given up', 'I work at Acme.', 'I quit my job.', 'I like my job.'],
    ['a favourite', 'My favourite colour is blue.', 'My favourite colour is green.', 'Green is a colour.'],
    ['a correction', 'I live in Oslo.', 'I meant Bergen, not Oslo.', 'I meant nothing.'],
  ])('of any kind: %s', async (_, first, second, third) => {
    const { memory, change } = await told(first, second);
    const holds = async () => (await memory.facts({ ...USER, currentOnly: true })).map(({ text }) => text);
    expect(await holds()).not.toContain(first);
    await change(1, third);
    expect(await holds()).toContain(first);
  });

  it('stays where two turns told it', async () => {
    const { memory, change } = await told('I live in Lindby.', 'I moved to Corran.', 'I live in Corran.');
    await change(1, 'I visited Corran.');
    expect(await home(memory)).not.toContain('I live in Lindby.');
    const another = await told('I own a kayak.', 'I sold my kayak.', 'I no longer own a kayak.');
    await another.change(1, 'I washed my kayak.');
    expect((await factsOf(another.memory)).past).toContain('User own kayak');
    expect((await another.memory.facts(USER)).find(({ text }) => text === 'I own a kayak.')?.invalidAt?.slice(0, 10)).toBe('2024-03-05');
  });

  it('that another turn told, of a later day, is at that day', async () => {
    const { memory, turns, change } = await told('I live in Lindby.', 'I moved to Corran.', 'I moved to Bergen.');
    await change(1, 'I visited Corran.');
    expect(await home(memory)).toEqual(['I moved to Bergen.']);
    const [old] = (await memory.facts(USER)).filter(({ text }) => text === 'I live in Lindby.');
    expect(old?.invalidAt?.slice(0, 10)).toBe('2024-03-05');
    expect((await memory.episodes(USER)).find(({ id }) => id === turns[0])?.outdated?.by).toBe(turns[2]);
    await memory.delete(turns[2] ?? '', USER);
    expect(await home(memory)).toEqual(['I live in Lindby.']);
  });

  it('and is told again ends again, and again', async () => {
    const { memory, change } = await told('I live in Lindby.', 'I moved to Corran.');
    for (const [text, place] of [
      ['I visited Corran.', 'I live in Lindby.'],
      ['I moved to Corran.', 'I moved to Corran.'],
      ['I moved to Bergen.', 'I moved to Bergen.'],
      ['I like tea.', 'I live in Lindby.'],
    ] as const) {
      await change(1, text);
      expect(await home(memory)).toEqual([place]);
    }
    expect(await marks(memory)).toEqual([undefined, undefined]);
  });

  it('leaves a turn partly outdated by what else of it has ended', async () => {
    const { memory, change } = await told('I live in Lindby and I work at Acme.', 'I left Acme.', 'I moved to Corran.');
    expect((await marks(memory))[0]).toBe(false);
    await change(2, 'I visited Corran.');
    expect((await marks(memory))[0]).toBe(true);
    expect((await memory.episodes(USER))[0]).toBeDefined();
  });

  it('of a model, by the fact that it named as replaced', async () => {
    const named = (request: { messages: readonly { content: string }[] }) => {
      const prompt = request.messages.map(({ content }) => content).join('\n');
      const known = Number(/^(\d+)\..*Lia keeps bees/m.exec(prompt)?.[1]);
      return JSON.stringify({
        facts: [{ message: 1, text: 'Lia gave up her hives', about: ['Lia'], replaces: [known] }],
        entities: [LIA],
        relations: [],
      });
    };
    const clock = new FixedClock('2024-06-01T00:00:00.000Z');
    const { memory } = openTestMemory({
      replies: [
        JSON.stringify({ facts: [{ message: 1, text: 'Lia keeps bees', about: ['Lia'] }], entities: [LIA], relations: [] }),
        named,
        reply(['Lia cleaned her hives']),
      ],
      clock,
    });
    await memory.store([{ role: 'user', content: 'Lia keeps bees.', at: '2024-01-05' }], USER);
    const { episodes } = await memory.store([{ role: 'user', content: 'Lia no longer keeps bees.', at: '2024-02-05' }], USER);
    const holds = async () => (await memory.facts({ ...USER, currentOnly: true })).map(({ text }) => text);
    expect(await holds()).toEqual(['Lia gave up her hives']);
    clock.advance(60_000);
    await memory.update(episodes[0]?.id ?? '', { text: 'I cleaned my hives.' }, USER);
    expect((await holds()).sort()).toEqual(['Lia cleaned her hives', 'Lia keeps bees']);
  });
});

describe('an end whose turn is deleted', () => {
  it.each<[string, readonly string[], readonly (readonly [string, string])[]]>([
    [
      'another turn tells of the same home',
      ['I live in Lindby.', 'I moved to Corran.', 'I live in Corran.'],
      [
        ['I live in Lindby.', '2024-03-05'],
        ['User move to Corran', ''],
      ],
    ],
    [
      'another turn tells the same end',
      ['I own a kayak.', 'I sold my kayak.', 'I no longer own a kayak.'],
      [
        ['I no longer own a kayak.', ''],
        ['I own a kayak.', '2024-03-05'],
      ],
    ],
    [
      'a later home',
      ['I live in Lindby.', 'I moved to Corran.', 'I moved to Bergen.'],
      [
        ['I live in Lindby.', '2024-03-05'],
        ['I moved to Bergen.', ''],
      ],
    ],
    ['nothing else', ['I live in Lindby.', 'I moved to Corran.'], [['I live in Lindby.', '']]],
  ])('is told by %s', async (_, said, expected) => {
    const { memory, turns } = await told(...said);
    await memory.delete(turns[1] ?? '', USER);
    const facts = (await memory.facts(USER)).map(({ text, invalidAt }) => [text, invalidAt?.slice(0, 10) ?? '']);
    expect(facts.sort()).toEqual(expected);
    const isOver = expected.some(([text, end]) => text === said[0] && end !== '');
    expect((await marks(memory))[0]).toBe(isOver ? false : undefined);
    for (const turn of turns.slice(2)) await memory.delete(turn, USER);
    expect((await memory.facts({ ...USER, currentOnly: true })).map(({ text }) => text)).toEqual([said[0]]);
  });
});

describe('a turn that two others had outdated', () => {
  const SAID = ['I live in Lindby. I work at Acme.', 'I moved to Corran.', 'I work at Globex now.'] as const;

  it.each([1, 2])('is so in part where turn %i says something else since', async (index) => {
    const { memory, change } = await told(...SAID);
    expect(await marks(memory)).toEqual([false, undefined, undefined]);
    await change(index, 'I like tea.');
    expect(await marks(memory)).toEqual([true, undefined, undefined]);
  });

  it.each([1, 2])('is so in part where turn %i is deleted', async (index) => {
    const { memory, turns } = await told(...SAID);
    await memory.delete(turns[index] ?? '', USER);
    expect(await marks(memory)).toEqual([true, undefined]);
    const [question, holds] = index === 1 ? ['Where do I work?', SAID[2]] : ['Where do I live?', SAID[1]];
    expect((await memory.retrieve(question, USER)).items.map(({ text }) => text)).toEqual([holds, SAID[0]]);
  });
});
