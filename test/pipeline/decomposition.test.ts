import { MemoryError, modelDecomposer } from '@tandem-memory/core';
import { ScriptedLanguageModel, type ScriptedReply } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { failureOf, openTestMemory } from './open-test-memory.ts';

const QUESTION = 'Which harbour does the sister of the woman who paints ferries live at?';
const PARTS = ['Who paints ferries?', 'Where does Orla live?'];
const PAINTER = 'Marit paints ferries.';
const HOME = 'Orla lives behind the mill in Varnes.';

async function openNotes(replies: readonly ScriptedReply[]) {
  const model = new ScriptedLanguageModel(replies);
  const { memory } = openTestMemory({ decomposer: modelDecomposer(model) });
  const others = Array.from({ length: 40 }, (_, i) => `Number ${i} lives a long way from any harbour, as most of us do.`);
  for (const text of [PAINTER, HOME, ...others]) await memory.store(text, { userId: 'u', infer: false });
  const ask = async (decompose?: boolean) =>
    memory.retrieve(QUESTION, { userId: 'u', topK: 5, ...(decompose === undefined ? {} : { decompose }), kinds: ['episode'] });
  return { memory, model, ask };
}

describe('a question that is taken apart', () => {
  it('finds what only one of its parts asks for, with a score whose parts sum up', async () => {
    const { ask, model } = await openNotes([JSON.stringify({ questions: PARTS })]);
    const texts = (await ask(true)).items.map((item) => item.text);
    expect(texts).toEqual(expect.arrayContaining([PAINTER, HOME]));
    expect(model.requests).toHaveLength(1);
    const { items, degraded, query, timings } = await ask(true);
    expect(degraded).toEqual([]);
    expect(query).toBe(QUESTION);
    expect(timings['decompose']).toBeGreaterThanOrEqual(0);
    for (const item of items) expect(Object.values(item.parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(item.score, 9);
  });

  it('is not, unless that is asked for', async () => {
    const { ask, model } = await openNotes([JSON.stringify({ questions: PARTS })]);
    for (const decompose of [undefined, false]) expect((await ask(decompose)).items.map((item) => item.text)).not.toContain(HOME);
    expect(model.requests).toEqual([]);
  });

  it.each([
    ['a reply without questions', 'I would rather not.', 'MODEL_OUTPUT_UNUSABLE'],
    ['a reply that is cut off', '{"questions": ["Who pai', 'MODEL_OUTPUT_UNUSABLE'],
    ['a model that is away', new MemoryError('MODEL_UNAVAILABLE', 'away'), 'MODEL_UNAVAILABLE'],
  ])('is asked as it is after %s, and that is told', async (_, reply, code) => {
    const { ask } = await openNotes([reply]);
    const { items, degraded } = await ask(true);
    expect(degraded).toEqual([`decomposition unavailable (${code})`]);
    expect(items).toEqual((await ask()).items);
  });

  it('is asked as it is where it has no parts', async () => {
    const { ask } = await openNotes(['{"questions":[]}']);
    const { items, degraded } = await ask(true);
    expect({ items, degraded }).toEqual({ items: (await ask()).items, degraded: [] });
  });

  it('needs a model', async () => {
    const { memory } = openTestMemory();
    expect(await failureOf(memory.retrieve('who?', { userId: 'u', decompose: true }))).toMatchObject({ code: 'CONFIG_INVALID' });
  });

  it('takes a defect of the decomposer for no model that is away', async () => {
    const { memory } = openTestMemory({ decomposer: { modelId: 'm', decompose: async () => Promise.reject(new TypeError('defect')) } });
    await expect(memory.retrieve('who?', { userId: 'u', decompose: true })).rejects.toThrow('defect');
  });
});
