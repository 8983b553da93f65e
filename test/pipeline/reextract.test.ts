import { join } from 'node:path';
import { type GenerateRequest, MemoryError } from '@tandem-memory/core';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openTestMemory, reply, shownMessages } from './open-test-memory.ts';

const USER = { userId: 'lia' };
const HOME = reply(
  ['Lia lives in Corran', 'Lia likes the harbour of Corran'],
  [
    ['Lia', 'person'],
    ['Corran', 'place'],
  ],
  [['Lia', 'lives in', 'Corran']],
);
const NOTHING = reply([]);

/** A memory of turns that the rules have read, opened anew with a model. */
async function outlined(path: string, turns: readonly string[], replies: Parameters<typeof openTestMemory>[0] = {}) {
  const first = openTestMemory({ path, extractor: rulesExtractor() });
  for (const content of turns) await first.memory.store([{ role: 'user', name: 'Lia', content }], { ...USER, sessionId: 's' });
  await first.memory.close();
  return openTestMemory({ path, ...replies });
}

const origins = (facts: readonly { readonly origin: string }[]) => [...new Set(facts.map(({ origin }) => origin))].sort();

describe('reextract', () => {
  it('has a model read what only the rules have read, once, and keeps the turns as they are', async () => {
    using folder = temporaryFolder();
    const turns = ['I live in Corran.', 'I like its harbour.'];
    const { memory, model } = await outlined(join(folder.path, 'm.db'), turns, { replies: [HOME, NOTHING] });
    const before = await memory.episodes(USER);
    expect(before.map(({ state }) => state)).toEqual(['outlined', 'outlined']);
    expect(origins(await memory.facts(USER))).toEqual(['rules']);

    const seen: number[] = [];
    const receipt = await memory.reextract({ ...USER, onProgress: ({ done }) => seen.push(done) });
    expect(receipt).toMatchObject({ read: 2, failed: 0, degraded: [] });
    expect(receipt.removed).toBeGreaterThan(0);
    expect(seen.at(-1)).toBe(2);
    expect(origins(await memory.facts(USER))).toEqual(['model']);
    expect(await memory.episodes(USER)).toEqual(before.map((episode) => ({ ...episode, state: 'extracted' })));
    const facts = (await memory.retrieve('Where does Lia live?', { ...USER, kinds: ['fact'] })).items.map((item) => item.text);
    expect(facts).toContain('Lia lives in Corran');

    const calls = model.requests.length;
    expect(await memory.reextract(USER)).toMatchObject({ read: 0, removed: 0 });
    expect(model.requests).toHaveLength(calls);
  });

  it('leaves everything as it was where the model fails, and reads it the next time', async () => {
    using folder = temporaryFolder();
    const { memory } = await outlined(join(folder.path, 'm.db'), ['I live in Corran.'], { replies: ['no JSON', 'no JSON', 'no JSON', HOME] });
    const facts = await memory.facts(USER);
    const failed = await memory.reextract(USER);
    expect(failed).toMatchObject({ read: 0, failed: 1, removed: 0, usage: { calls: 3 }, degraded: [expect.stringContaining('extraction failed')] });
    expect(await memory.facts(USER)).toEqual(facts);
    for (let tries = 0; tries < 3 && (await memory.episodes({ ...USER, state: 'outlined' })).length > 0; tries++) await memory.reextract(USER);
    expect(origins(await memory.facts(USER))).toEqual(['model']);
  });

  it('takes back an end that only the rules saw', async () => {
    using folder = temporaryFolder();
    const lindby = reply(['Lia lives in Lindby'], [['Lindby', 'place']], [['Lia', 'lives in', 'Lindby']]);
    const boat = reply(['Lia moved her boat to Corran'], [['Corran', 'place']], [['Lia', 'keeps her boat in', 'Corran']]);
    const replies = [(request: GenerateRequest) => (shownMessages(request).some(({ text }) => text.includes('Lindby')) ? lindby : boat)];
    const { memory } = await outlined(join(folder.path, 'm.db'), ['I live in Lindby.', 'I moved to Corran.'], {
      replies,
      options: { extraction: { turnsPerCall: 1 } },
    });
    await memory.reextract(USER);
    const homes = (await memory.facts(USER)).filter((fact) => fact.slot === 'home' || fact.predicate === 'lives in');
    expect(homes.map(({ text, expiredAt }) => [text, expiredAt])).toEqual([['Lia lives in Lindby', undefined]]);
  });

  it('keeps a fact of several turns until all of them are read', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const first = openTestMemory({ path, extractor: rulesExtractor() });
    for (const sessionId of ['a', 'b', 'c'])
      await first.memory.store([{ role: 'user', content: `I work at Acme. (${sessionId})` }], { ...USER, sessionId });
    await first.memory.close();
    let answers = false;
    const model = (request: GenerateRequest) => {
      if (!answers && !shownMessages(request).some(({ text }) => text.includes('(a)'))) throw new MemoryError('MODEL_REJECTED', 'No key.');
      return NOTHING;
    };
    const { memory } = openTestMemory({ path, replies: [model] });
    const facts = await memory.facts(USER);
    expect(await memory.reextract(USER)).toMatchObject({ read: 1, failed: 2, removed: 0 });
    expect((await memory.facts(USER)).map(({ id }) => id)).toEqual(facts.map(({ id }) => id));
    answers = true;
    expect(await memory.reextract(USER)).toMatchObject({ read: 2, failed: 0 });
    expect(await memory.episodes({ ...USER, state: 'outlined' })).toEqual([]);
  });

  it.each([
    ['in one talk', 's'],
    ['in two', 't'],
  ])('outdates no turn whose end went with the rules: %s', async (_, second) => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const first = openTestMemory({ path, extractor: rulesExtractor() });
    await first.memory.store([{ role: 'user', content: 'I live in Lindby.', at: '2024-01-01' }], { ...USER, sessionId: 's' });
    await first.memory.store([{ role: 'user', content: 'I moved from Lindby to Corran.', at: '2024-02-01' }], { ...USER, sessionId: second });
    expect((await first.memory.episodes(USER)).filter(({ outdated }) => outdated !== undefined)).toHaveLength(1);
    await first.memory.close();
    const home = reply([], [['Lindby', 'place']], [['User', 'lives in', 'Lindby']]);
    const replies = [(request: GenerateRequest) => (shownMessages(request).some(({ text }) => text.startsWith('I live')) ? home : NOTHING)];
    const { memory } = openTestMemory({ path, replies });
    await memory.reextract(USER);
    expect((await memory.facts(USER)).map(({ text, expiredAt }) => [text, expiredAt])).toEqual([['User lives in Lindby', undefined]]);
    expect((await memory.episodes(USER)).filter(({ outdated }) => outdated !== undefined)).toEqual([]);
  });

  it('asks a model that is down no more than its talks at once', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const first = openTestMemory({ path, extractor: rulesExtractor() });
    for (let n = 0; n < 30; n++) await first.memory.store([{ role: 'user', content: `I like tea ${n}.` }], { ...USER, sessionId: `s${n}` });
    await first.memory.close();
    const { memory, model } = openTestMemory({ path, replies: [new MemoryError('MODEL_REJECTED', 'No key.')] });
    expect(await memory.reextract(USER)).toMatchObject({ read: 0, failed: 30, degraded: [expect.stringContaining('MODEL_REJECTED')] });
    expect(model.requests.length).toBeLessThan(10);
  });

  it('reads no turn that the caller gave triples with, or wanted verbatim, and nobody else’s', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const first = openTestMemory({ path, extractor: rulesExtractor() });
    await first.memory.store([{ role: 'user', content: 'I live in Corran.', triples: [['Lia', 'lives in', 'Corran']] }], USER);
    await first.memory.store('I live in Lindby.', { ...USER, infer: false });
    await first.memory.store('I live in Tarn.', { userId: 'otto' });
    await first.memory.close();
    const { memory, model } = openTestMemory({ path, replies: [HOME] });
    expect(await memory.reextract(USER)).toMatchObject({ read: 0 });
    expect(model.requests).toHaveLength(0);
    expect((await memory.episodes(USER)).map(({ state }) => state).sort()).toEqual(['extracted', 'verbatim']);
  });

  it('says what it lacks where there is no model', async () => {
    const { memory } = openTestMemory({ extractor: rulesExtractor() });
    await expect(memory.reextract(USER)).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('TANDEM_MODEL') });
    await expect(memory.reextract({} as never)).rejects.toMatchObject({ code: 'SCOPE_REQUIRED' });
  });
});
