import type { Memory } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { failureOf, NOTHING, openTestMemory, reply, shownMessages } from './open-test-memory.ts';

const extractor = rulesExtractor();
const USER = { userId: 'u-kenji' };

describe('update', () => {
  async function bike() {
    const clock = new FixedClock('2024-01-10T08:00:00.000Z');
    const opened = openTestMemory({ clock, extractor });
    const stored = await opened.memory.store(
      [
        { role: 'user', content: "Kenji's bike is red", metadata: { room: 'shed', rank: 2 } },
        { role: 'user', content: 'It stands in the shed.' },
      ],
      USER,
    );
    clock.advance(22 * 86_400_000 + 2 * 3_600_000);
    return { ...opened, id: stored.episodes[0]?.id ?? '' };
  }

  it('keeps id, metadata and times, refreshes text, index and history; the same again changes nothing', async () => {
    const { memory, id } = await bike();
    expect(await memory.update(id, { text: "Kenji's bike is green" }, USER)).toMatchObject({ id, changed: true, degraded: [] });
    expect(await memory.update(id, { text: "Kenji's bike is green" }, USER)).toEqual({ id, changed: false, decisions: [], degraded: [] });
    const episode = (await memory.episodes(USER)).find((each) => each.id === id);
    expect(episode).toMatchObject({
      content: "Kenji's bike is green",
      metadata: { room: 'shed', rank: 2 },
      createdAt: '2024-01-10T08:00:00.000Z',
      updatedAt: '2024-02-01T10:00:00.000Z',
      state: 'outlined',
    });
    const red = await memory.retrieve('red', USER);
    expect(red.items.flatMap((item) => item.channels).filter((channel) => channel.channel === 'keyword')).toEqual([]);
    expect(red.text).not.toContain('red');
    const green = await memory.retrieve('green', USER);
    expect(green.items[0]).toMatchObject({ id, text: "Kenji's bike is green" });
    expect(green.items[0]?.channels.map((channel) => channel.channel)).toEqual(expect.arrayContaining(['keyword', 'vector']));
    expect((await memory.history(id, USER)).map(({ action, before, text, at }) => ({ action, before, text, at }))).toEqual([
      { action: 'added', before: undefined, text: "Kenji's bike is red", at: '2024-01-10T08:00:00.000Z' },
      { action: 'changed', before: "Kenji's bike is red", text: "Kenji's bike is green", at: '2024-02-01T10:00:00.000Z' },
    ]);
    const facts = await memory.facts(USER);
    expect(facts.filter((fact) => fact.text.includes('red')).every((fact) => fact.expiredAt !== undefined && fact.invalidAt === fact.validAt)).toBe(
      true,
    );
    expect(facts.filter((fact) => fact.text.includes('green') && fact.invalidAt === undefined)).toHaveLength(1);
    const then = await memory.retrieve('bike', { ...USER, recordedAsOf: '2024-01-20' });
    expect(then.items.map((item) => item.text)).toContain("Kenji's bike is red");
  });

  it('there and back again: what the text says now holds, each time anew', async () => {
    const { memory, id, clock } = await bike();
    for (const colour of ['green', 'red', 'green', 'blue', 'red']) {
      await memory.update(id, { text: `Kenji's bike is ${colour}` }, USER);
      const current = await memory.facts({ ...USER, currentOnly: true });
      expect(current.filter((fact) => fact.evidence.includes(id)).map((fact) => fact.text)).toEqual([`Kenji's bike is ${colour}`]);
      clock.advance(1_000);
    }
  });

  it('changes metadata alone, and keeps the text', async () => {
    const { memory, id } = await bike();
    await memory.update(id, { metadata: { rank: 3 } }, USER);
    expect(await memory.update(id, { metadata: { rank: 3 } }, USER)).toMatchObject({ changed: false });
    expect((await memory.episodes(USER)).find((each) => each.id === id)).toMatchObject({ content: "Kenji's bike is red", metadata: { rank: 3 } });
    expect((await memory.history(id, USER)).map(({ action, reason }) => [action, reason])).toEqual([
      ['added', 'stored'],
      ['changed', 'the metadata was changed'],
    ]);
  });

  it('of one memory twice at once leaves one text and both changes in order', async () => {
    const { memory, id } = await bike();
    await Promise.all([memory.update(id, { text: "Kenji's bike is blue" }, USER), memory.update(id, { text: "Kenji's bike is white" }, USER)]);
    const [episode] = (await memory.episodes(USER)).filter((each) => each.id === id);
    const texts = (await memory.history(id, USER)).map((entry) => entry.text);
    expect(texts).toHaveLength(3);
    expect(texts.at(-1)).toBe(episode?.content);
    expect(new Set(texts)).toEqual(new Set(["Kenji's bike is red", "Kenji's bike is blue", "Kenji's bike is white"]));
    const colours = (await memory.facts(USER)).filter((fact) => fact.slot === 'colour' && fact.invalidAt === undefined);
    expect(colours.map((fact) => fact.text)).toEqual([episode?.content]);
  });

  it('refuses what it can not do, and lets nothing hang', async () => {
    const { memory, id } = await bike();
    expect((await failureOf(memory.update('nowhere', { text: 'x' }, USER))).code).toBe('NOT_FOUND');
    expect((await failureOf(memory.update(id, { text: 'x' }, { userId: 'other' }))).code).toBe('NOT_FOUND');
    expect((await failureOf(memory.update(id, { text: ' ' }, USER))).code).toBe('INPUT_INVALID');
    expect((await failureOf(memory.history(id, { userId: 'other' }))).code).toBe('NOT_FOUND');
    expect((await failureOf(memory.history(id, {} as { userId: string }))).code).toBe('SCOPE_REQUIRED');
    const edge = (await memory.facts(USER)).find((fact) => fact.predicate !== undefined);
    expect((await failureOf(memory.update(edge?.id ?? '', { text: 'x' }, USER))).code).toBe('UNSUPPORTED');
    expect(await memory.update(id, { text: "Kenji's bike is black" }, USER)).toMatchObject({ changed: true });
  });

  it('changes a fact of a model, which is found by its new words only', async () => {
    const { memory } = openTestMemory({ replies: [reply(['Omar keeps bees'])] });
    const { facts } = await memory.store([{ role: 'user', content: 'I have a hobby.' }], USER);
    await memory.update(facts[0]?.id ?? '', { text: 'Omar keeps goats' }, USER);
    const items = async (query: string) =>
      (await memory.retrieve(query, { ...USER, kinds: ['fact'] })).items.filter((item) =>
        item.channels.some((channel) => channel.channel === 'keyword'),
      );
    expect(await items('bees')).toEqual([]);
    expect((await items('goats')).map((item) => item.text)).toEqual(['Omar keeps goats']);
    expect((await memory.history(facts[0]?.id ?? '', USER)).map((entry) => entry.text)).toEqual(['Omar keeps bees', 'Omar keeps goats']);
  });
});

describe('as of a moment', () => {
  it('world time and record time are two', async () => {
    const clock = new FixedClock('2024-06-01T00:00:00.000Z');
    const { memory } = openTestMemory({ clock, extractor });
    const say = (content: string, at: string) => memory.store([{ role: 'user', content, at }], { userId: 'u', sessionId: 's' });
    await say('I live in Lindby.', '2023-01-01');
    clock.advance(86_400_000);
    // Told in June, true since March.
    await say('I moved to Corran.', '2024-03-02');
    const text = async (options: object) => (await memory.retrieve('Where do I live?', { userId: 'u', ...options })).text;
    expect(await text({})).toMatch(/Corran[\s\S]*outdated since 2024-03-02\) user: I live in Lindby/);
    expect(await text({ asOf: '2024-02-01' })).toMatch(/user: I live in Lindby/);
    expect(await text({ asOf: '2024-02-01' })).not.toMatch(/Corran|outdated/);
    const before = await text({ recordedAsOf: '2024-06-01T12:00:00Z' });
    expect(before).toMatch(/user: I live in Lindby/);
    expect(before).not.toMatch(/Corran|outdated/);
    expect(await text({ asOf: '2024-05-01', recordedAsOf: '2024-06-01T12:00:00Z' })).not.toContain('Corran');
    expect(await text({ asOf: '2024-05-01' })).toContain('Corran');
    expect((await failureOf(memory.retrieve('x', { userId: 'u', recordedAsOf: 'soon' }))).code).toBe('INPUT_INVALID');
  });
});

describe('the walk', () => {
  const tell = async (memory: Memory, told: readonly (readonly [at: string, triple: readonly [string, string, string]])[]) => {
    for (const [at, triple] of told) await memory.store([{ role: 'user', content: `${triple.join(' ')}.`, at, triples: [triple] }], { userId: 'u' });
  };
  const walked = async (memory: Memory, question: string, options: object = {}) =>
    (await memory.retrieve(question, { userId: 'u', ...options })).items.filter((item) => item.channels.some(({ channel }) => channel === 'graph'));

  it('still goes through what has ended, and never puts it before what holds now', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(memory, [
      ['2024-01-05', ['Lia', 'lives in', 'Lindby']],
      ['2024-01-06', ['Lindby', 'has ferry', 'Aurora']],
      ['2024-01-07', ['Corran', 'has castle', 'Tarn Keep']],
      ['2024-03-02', ['Lia', 'lives in', 'Corran']],
    ]);
    const texts = (await walked(memory, 'Lia')).map((item) => item.text.replace(/\.$/, ''));
    expect(texts).toEqual(expect.arrayContaining(['Lindby has ferry Aurora', 'Corran has castle Tarn Keep']));
    expect(texts.indexOf('Lia lives in Corran')).toBeLessThan(texts.indexOf('Lia lives in Lindby'));
  });

  it('passes through no turn that was told after the moment asked about, or kept after the record asked for', async () => {
    const clock = new FixedClock('2024-04-01T00:00:00.000Z');
    const { memory } = openTestMemory({ clock, extractor });
    await tell(memory, [
      ['2024-01-05', ['Mira', 'sings', 'Fado']],
      ['2024-01-06', ['Odd', 'keeps', 'bees']],
    ]);
    clock.advance(86_400_000);
    await tell(memory, [['2024-03-02', ['Mira', 'married', 'Odd']]]);
    const bees = async (options: object) => (await walked(memory, 'Mira', options)).some((item) => item.text.startsWith('Odd keeps'));
    expect(await bees({})).toBe(true);
    expect(await bees({ asOf: '2024-03-03' })).toBe(true);
    expect(await bees({ asOf: '2024-02-01' })).toBe(false);
    expect(await bees({ recordedAsOf: '2024-04-01T12:00:00Z' })).toBe(false);
    expect(await bees({ recordedAsOf: '2024-04-03' })).toBe(true);
  });
});

describe('turns that wait to be read together', () => {
  const options = { extraction: { bufferTurns: 4, knownFacts: 0 } };

  it('are kept as pending, found by their words, and read in one call when enough have gathered', async () => {
    const { memory, model } = openTestMemory({ options, replies: [NOTHING] });
    const states: string[] = [];
    for (let n = 1; n <= 9; n++) {
      const receipt = await memory.store([{ role: 'user', content: `Turn number ${n} about kayaks.` }], { userId: 'u', sessionId: 's' });
      states.push(receipt.episodes[0]?.state ?? '');
    }
    expect(states).toEqual(['pending', 'pending', 'pending', 'extracted', 'pending', 'pending', 'pending', 'extracted', 'pending']);
    expect(model.requests.map((request) => shownMessages(request).map((message) => message.text.slice(0, 13)))).toEqual([
      ['Turn number 1', 'Turn number 2', 'Turn number 3', 'Turn number 4'],
      ['Turn number 5', 'Turn number 6', 'Turn number 7', 'Turn number 8'],
    ]);
    expect((await memory.retrieve('number 9', { userId: 'u' })).text).toContain('Turn number 9');
    await memory.flush();
    expect(model.requests).toHaveLength(3);
    expect(await memory.episodes({ userId: 'u', state: 'pending' })).toEqual([]);
    await memory.flush();
    expect(model.requests).toHaveLength(3);
  });

  it('take below 0.3 calls a message, and no turn is read twice by calls at once', async () => {
    const { memory, model } = openTestMemory({ options, replies: [NOTHING] });
    await Promise.all(Array.from({ length: 40 }, (_, n) => memory.store([{ role: 'user', content: `Turn ${n}.` }], { userId: 'u', sessionId: 's' })));
    await memory.flush();
    const shown = model.requests.flatMap((request) => shownMessages(request).map((message) => message.text));
    expect(new Set(shown).size).toBe(40);
    expect(shown).toHaveLength(40);
    expect(model.requests.length / 40).toBeLessThan(0.3);
  });
});
