import type { AssembledPrompt, PromptMessage, TokenCounter } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { failureOf, openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };
const HISTORY: readonly PromptMessage[] = Array.from({ length: 60 }, (_, i) => ({
  role: i % 2 === 0 ? 'user' : 'assistant',
  content: `turn ${i} about the weather\n\nand the lime trees ${'again '.repeat(i % 7)}`,
}));
const DOCUMENTS = [{ id: 'a', text: 'Bees dislike smoke.\n\nThey like lavender.' }, { text: 'lime '.repeat(300) }];

async function openBees(counter?: TokenCounter) {
  const { memory } = openTestMemory({
    embedded: true,
    ...(counter === undefined ? {} : { onConfig: (config) => Object.assign(config, { counter }) }),
  });
  const texts = [
    'I keep bees\n\nbehind the lime trees.',
    '벌을 키운다 🐝🐝',
    ...Array.from({ length: 30 }, (_, i) => `bees number ${i}\r\nlike lavender`),
  ];
  for (const text of texts) await memory.store(text, { ...USER, infer: false });
  return memory;
}

const counting = (id: string, count: (text: string) => unknown): TokenCounter => ({ id, count: count as TokenCounter['count'] });
const USABLE = [
  counting('letters / 4', (text) => text.length / 4),
  counting('letters / 1.5, rounded', (text) => Math.ceil(text.length / 1.5)),
  counting('words', (text) => text.split(/\s+/).length),
  counting('more than the sum of its parts', (text) => Math.ceil(text.length ** 1.1)),
  counting('one more for the beginning of each text', (text) => 1 + Math.ceil(text.length / 4)),
  counting('nothing', () => 0),
];

const sumOf = ({ report }: AssembledPrompt) => Object.values(report.components).reduce((sum, { used }) => sum + used, 0);

describe('a counter of the caller', () => {
  it.each(USABLE)('$id: the parts of a prompt add up to what it uses, within the window', async (counter) => {
    const memory = await openBees();
    for (const window of [300, 1000, 4000]) {
      for (const input of [
        { history: HISTORY },
        { documents: DOCUMENTS },
        { system: 'Be kind.', tools: [{ name: 'x' }], history: HISTORY, documents: DOCUMENTS },
      ]) {
        const prompt = await memory.assemble({ question: 'Where are the bees?', window, ...input }, { ...USER, counter });
        const { used, components } = prompt.report;
        expect(sumOf(prompt)).toBe(used);
        expect(Number.isInteger(used)).toBe(true);
        expect(used + components.responseReserve.budget + components.safetyBuffer.budget).toBeLessThanOrEqual(window);
        for (const { used: tokens } of Object.values(components)) expect(tokens).toBeGreaterThanOrEqual(0);
      }
    }
  });

  it.each(USABLE)('$id: a window with room for everything cuts nothing', async (counter) => {
    const memory = await openBees();
    for (const order of ['relevance', 'time'] as const) {
      const input = { question: 'Where are the bees?', history: HISTORY, documents: DOCUMENTS, preset: '128k' } as const;
      const { context, report } = await memory.assemble(input, { ...USER, counter, order });
      expect(report.cut).toEqual({ messages: [], documents: [], memories: [] });
      expect(context.items).toHaveLength(32);
    }
  });

  it.each(USABLE)('$id: a packed text never counts more than its budget', async (counter) => {
    const memory = await openBees(counter);
    for (const budget of [0, 1, 40, 100, 500, 5000]) {
      const { text, tokens } = await memory.retrieve('bees', { ...USER, budget });
      expect(text === '' ? 0 : counter.count(text)).toBeLessThanOrEqual(budget);
      expect(tokens.used).toBeLessThanOrEqual(budget);
      expect(Number.isInteger(tokens.used)).toBe(true);
    }
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '3', undefined, Promise.resolve(3)])(
    'that answers with %s is named and refused',
    async (answer) => {
      const memory = await openBees();
      const counter = counting('odd', () => answer);
      const error = await failureOf(memory.assemble({ question: 'bees?' }, { ...USER, counter }));
      expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('odd') });
    },
  );

  it('that fails is heard', async () => {
    const memory = await openBees();
    const counter = counting('failing', () => {
      throw new RangeError('no vocabulary');
    });
    await expect(memory.assemble({ question: 'bees?' }, { ...USER, counter })).rejects.toThrow('no vocabulary');
  });
});

describe('a function for the history', () => {
  it.each([[undefined], [null], ['turns'], [[1]], [[{ content: 'no role' }]]])('that gives %j is refused like a list of it', async (given) => {
    const memory = await openBees();
    const error = await failureOf(memory.assemble({ question: 'bees?', history: (() => given) as unknown as () => PromptMessage[] }, USER));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining('history') });
  });
});
