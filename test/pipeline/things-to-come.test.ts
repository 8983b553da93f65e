import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

const extractor = rulesExtractor();
const TODAY = '2026-11-30T12:00:00.000Z';
const AFTER = '2027-12-02T12:00:00.000Z';

describe('what begins on a day to come', () => {
  it.each([
    ['a rent', 'How much is my rent?', 'My rent is 900 euros.', 'My rent is 1050 euros from 1 December 2027.'],
    ['a rent, told with something else', 'How much is my rent?', 'My rent is 900 euros. I love jazz.', 'My rent is 1050 euros from 1 December 2027.'],
    ['a home in Korean', '나 어디 살아?', '나는 서울에 살아.', '2027년 12월 1일부터 부산에 살아.'],
    ['a home in Chinese', '我住在哪里？', '我住在北京。', '2027年12月1日我搬到上海。'],
  ])('takes the place of what holds when that day has come: %s', async (_, question, now, then) => {
    const clock = new FixedClock(TODAY);
    const { memory } = openTestMemory({ extractor, clock });
    await memory.store([{ role: 'user', content: now, at: '2026-01-01' }], { userId: 'u' });
    await memory.store([{ role: 'user', content: then, at: '2026-06-01' }], { userId: 'u' });
    const today = await memory.retrieve(question, { userId: 'u' });
    expect(today.items.map((item) => [item.text, item.outdated, item.until])).toEqual([
      [now, undefined, undefined],
      [then, undefined, undefined],
    ]);
    expect(today.text).not.toContain('outdated');
    clock.set(AFTER);
    const later = await memory.retrieve(question, { userId: 'u' });
    expect(later.items.map((item) => [item.text, item.outdated === undefined])).toEqual([
      [then, true],
      [now, false],
    ]);
    await memory.close();
  });

  it.each(['model', 'caller'] as const)('as a fact of the %s', async (by) => {
    const clock = new FixedClock(TODAY);
    const homes = [
      ['Lindby', '2024-01-01'],
      ['Corran', '2027-12-01'],
      ['Bergen', '2029-12-01'],
    ] as const;
    const relations = homes.map(([object, since]) => ({ subject: 'Lia', predicate: 'lives in', object, since }));
    const { memory } = openTestMemory({ clock, replies: [JSON.stringify({ relations })] });
    const triples = homes.map(([object, validAt]) => ({ subject: 'Lia', predicate: 'lives in', object, validAt }));
    await memory.store([{ role: 'user', content: 'The plan is made.', ...(by === 'caller' ? { triples } : {}) }], { userId: 'u' });
    const found = async () =>
      (await memory.retrieve('Where does Lia live?', { userId: 'u', kinds: ['fact'] })).items.map(({ text, until }) => [text, until?.slice(0, 10)]);
    expect(await found()).toEqual([
      ['Lia lives in Lindby', undefined],
      ['Lia lives in Corran', undefined],
      ['Lia lives in Bergen', undefined],
    ]);
    clock.set(AFTER);
    expect(await found()).toEqual([
      ['Lia lives in Corran', undefined],
      ['Lia lives in Bergen', undefined],
      ['Lia lives in Lindby', '2027-12-01'],
    ]);
    await memory.close();
  });

  it('gives way at once to what sets it right', async () => {
    const { memory } = openTestMemory({ extractor, clock: new FixedClock(TODAY) });
    const said = ['My rent is 900 euros.', 'My rent is 1050 euros from 1 December 2027.', 'My rent is 1100 euros from 1 December 2027.'];
    await memory.store(
      said.map((content) => ({ role: 'user' as const, content, at: '2026-06-01' })),
      { userId: 'u' },
    );
    const { items } = await memory.retrieve('How much is my rent?', { userId: 'u' });
    expect(items.map((item) => [item.text, item.outdated?.since.slice(0, 10)])).toEqual([
      [said[0], undefined],
      [said[2], undefined],
      [said[1], '2026-11-30'],
    ]);
    await memory.close();
  });

  it('leaves the order alone where the question is about something else that the turn says', async () => {
    const { memory } = openTestMemory({ extractor, clock: new FixedClock(TODAY) });
    await memory.store([{ role: 'user', content: 'My rent is 900 euros. I own a red kayak.', at: '2026-01-01' }], { userId: 'u' });
    await memory.store([{ role: 'user', content: 'My rent is 1050 euros from 1 December 2027. I own a blue tandem kayak.', at: '2026-06-01' }], {
      userId: 'u',
    });
    const { items } = await memory.retrieve('Who owns a blue tandem kayak?', { userId: 'u' });
    expect(items[0]?.text).toContain('blue tandem kayak');
    await memory.close();
  });

  it('is among the known facts that a model is shown, like what holds until then', async () => {
    const relations = [
      { subject: 'Lia', predicate: 'lives in', object: 'Lindby', since: '2024-01-01' },
      { subject: 'Lia', predicate: 'lives in', object: 'Corran', since: '2027-12-01' },
    ];
    const { memory, model } = openTestMemory({ clock: new FixedClock(TODAY), replies: [JSON.stringify({ relations })] });
    await memory.store('Lia lives in Lindby, and from December in Corran.', { userId: 'u' });
    await memory.store('Lia lives in Lindby after all.', { userId: 'u' });
    const shown = model.requests[1]?.messages.at(-1)?.content;
    expect(shown).toContain('Lia lives in Lindby\n');
    expect(shown).toContain('Lia lives in Corran\n');
    await memory.close();
  });

  it('shows an end that was told with what holds', async () => {
    const { memory } = openTestMemory({ clock: new FixedClock(TODAY) });
    const triples = [{ subject: 'Lia', predicate: 'works at', object: 'Acme', invalidAt: '2027-12-01' }];
    await memory.store([{ role: 'user', content: 'My contract is limited.', triples }], { userId: 'u' });
    const { items } = await memory.retrieve('Where does Lia work?', { userId: 'u', kinds: ['fact'] });
    expect(items[0]?.until?.slice(0, 10)).toBe('2027-12-01');
    await memory.close();
  });
});
