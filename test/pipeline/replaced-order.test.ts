import type { MemoryOptions, RetrieveOptions } from '@tandem-memory/core';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';
import { tell } from './tell.ts';

const QUESTION = 'Do I live in Lindby?';
const OLD = ['I live in Lindby.', 'Lindby is cold in winter, and I live in Lindby near the church.', 'I moved from Lindby to Corran.'];
const NOW = 'I moved to Bergen.';

/** Likes best what ended first. */
const nostalgic = { modelId: 'nostalgic', score: async (_: string, texts: readonly string[]) => texts.map((text) => OLD.length - OLD.indexOf(text)) };
const decomposer = { modelId: 'parts', decompose: async () => ['Who likes Lindby?', 'Is the church cold?', 'What did I buy?'] };

async function openMoves(options: MemoryOptions = {}, models: Partial<Parameters<typeof openTestMemory>[0]> = {}) {
  const { memory } = openTestMemory({ extractor: rulesExtractor(), options, ...models, embedded: true });
  await tell(memory, [
    ['2024-01-05', OLD[0] ?? ''],
    ['2024-01-06', OLD[1] ?? ''],
    ['2024-03-02', OLD[2] ?? ''],
    ['2024-05-02', NOW],
    ['2024-06-01', 'I bought a kayak.'],
    ['2024-06-02', 'The owl box faces north.'],
  ]);
  return memory;
}

const WAYS: readonly [string, Partial<RetrieveOptions>, MemoryOptions?, Parameters<typeof openMoves>[1]?][] = [
  ['as a question is asked', {}],
  ['without the graph', { hops: 0 }],
  ['where what is unlike the others is preferred', { diversity: 0.9 }],
  ['where only that counts', { diversity: 1 }],
  ['where a model that likes the old has half a say', {}, {}, { reranker: nostalgic }],
  ['where it has the whole', {}, { reranking: { weight: 1 } }, { reranker: nostalgic }],
  ['where the question is taken apart', { decompose: true }, {}, { decomposer }],
  ['where all that comes together', { decompose: true, diversity: 0.5 }, { reranking: { weight: 1 } }, { reranker: nostalgic, decomposer }],
];

describe('what ended', () => {
  it.each(WAYS)('never stands before what took its place, and the parts of each score sum up to it: %s', async (_, asked, options, models) => {
    const memory = await openMoves(options, models);
    for (const question of [QUESTION, 'home in Lindby', 'Where do I live?']) {
      const { items } = await memory.retrieve(question, { userId: 'u', ...asked });
      const texts = items.map((item) => item.text);
      expect(texts).toContain(NOW);
      for (const old of OLD) expect(texts.indexOf(NOW)).toBeLessThan(texts.indexOf(old));
      expect(texts.indexOf(OLD[2] ?? '')).toBeLessThan(texts.indexOf(OLD[0] ?? ''));
      for (const item of items) expect(Object.values(item.parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(item.score, 9);
    }
  });
});

describe('what took the place of something', () => {
  const at = (day: string) => ({ role: 'user' as const, at: day });

  it.each<[string, Partial<RetrieveOptions>]>([
    ['another session', { sessionId: 'first' }],
    ['another agent', { agentId: 'first' }],
    ['another source', { sourceId: 'first' }],
    ['other metadata', { metadata: { part: 'first' } }],
    ['a later time', { until: '2024-03-01' }],
  ])('does not come in where it is of %s than was asked for', async (_, asked) => {
    const { memory } = openTestMemory({ extractor: rulesExtractor() });
    for (const [part, day, content] of [
      ['first', '2024-01-05', 'I live in Lindby.'],
      ['second', '2024-03-02', 'I moved from Lindby to Corran.'],
    ] as const)
      await memory.store([{ ...at(day), content, metadata: { part } }], { userId: 'u', sessionId: part, agentId: part, sourceId: part });
    for (const kinds of [undefined, ['episode'], ['fact']] as const) {
      const { items, text } = await memory.retrieve(QUESTION, { userId: 'u', ...asked, ...(kinds === undefined ? {} : { kinds }) });
      expect(items.map((item) => item.text)).not.toContain('I moved from Lindby to Corran.');
      expect(text).not.toContain('Corran.');
    }
    expect((await memory.retrieve(QUESTION, { userId: 'u', ...asked })).items.map((item) => item.text)).toContain('I live in Lindby.');
  });

  it('does not come in where it has expired, or is in the prompt already', async () => {
    const { memory, clock } = openTestMemory({ extractor: rulesExtractor() });
    await memory.store([{ ...at('2024-01-05'), content: 'I live in Lindby.' }], { userId: 'u' });
    await memory.store([{ ...at('2024-03-02'), content: 'I moved from Lindby to Corran.' }], { userId: 'u', expiresAt: '2026-06-16' });
    const found = async (exclude: readonly string[] = []) => (await memory.retrieve(QUESTION, { userId: 'u', exclude })).items;
    const [moved] = await found();
    expect(moved?.text).toBe('I moved from Lindby to Corran.');
    expect((await found([moved?.id ?? ''])).map((item) => item.text)).toEqual(['I live in Lindby.']);
    clock.set('2026-06-17');
    expect((await found()).map((item) => item.text)).toEqual(['I live in Lindby.']);
  });

  it('comes in from beyond what fits the words, where nothing was asked for that it is not', async () => {
    const { memory } = openTestMemory({ extractor: rulesExtractor(), options: { recall: { candidates: 1 } } });
    await tell(memory, [
      ['2024-01-05', 'I live in Lindby.'],
      ['2024-03-02', 'I moved to Corran.'],
    ]);
    for (const asked of [{}, { sessionId: 's' }, { since: '2024-01-01' }]) {
      const { items } = await memory.retrieve('live in Lindby', { userId: 'u', hops: 0, ...asked });
      expect(items.map((item) => item.text)).toEqual(['I moved to Corran.', 'I live in Lindby.']);
    }
  });
});
