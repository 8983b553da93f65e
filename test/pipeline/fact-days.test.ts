import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

const userId = 'u';

function open(since: string | null) {
  return openTestMemory({ replies: [JSON.stringify({ facts: [{ fact: 'The parcel came', since }], entities: [], relations: [] })] }).memory;
}

describe('the day of a fact', () => {
  it.each([
    ['2025-01-01T01:30+09:00', null, '2025-01-01'],
    ['2025-01-01T01:30+09:00', '2025-01-01T01:30:00+09:00', '2025-01-01'],
    ['2025-01-01T01:30+09:00', '2025-01-01', '2025-01-01'],
    ['2024-12-31T23:30-05:00', null, '2024-12-31'],
    ['2024-12-31T23:30-05:00', '2024-12-30', '2024-12-30'],
    // In UTC it is midnight of the next day, and yet no bare day.
    ['2024-12-31T19:00-05:00', null, '2024-12-31'],
    ['2025-01-01T01:30Z', null, '2025-01-01'],
  ])('said at %s, with since %s, is %s', async (at, since, day) => {
    const memory = open(since);
    await memory.store({ role: 'user', content: 'It came today.', at }, { userId });
    const asked = await memory.retrieve('When did the parcel come?', { userId, kinds: ['fact'] });
    expect(asked.items.map(({ localTime }) => localTime)).toEqual([day]);
    expect(asked.text).toContain(`\n${day}\n`);
  });

  it('of an end is the sender’s too', async () => {
    const tell = (subject: string, object: string) =>
      JSON.stringify({ facts: [], entities: [], relations: [{ subject, predicate: 'lives in', object }] });
    const { memory } = openTestMemory({ replies: [tell('User', 'Corran'), tell('User', 'Lindby')] });
    await memory.store({ role: 'user', content: 'I live in Corran.', at: '2024-05-01T09:00+09:00' }, { userId });
    await memory.store({ role: 'user', content: 'I live in Lindby.', at: '2025-01-01T01:30+09:00' }, { userId });
    const { text } = await memory.retrieve('Where did I live, in Corran?', { userId, foldNearDuplicates: false });
    expect(text).toContain('outdated since 2025-01-01');
    const { text: facts } = await memory.retrieve('Where did I live, in Corran?', { userId, kinds: ['fact'] });
    expect(facts).toContain('(until 2025-01-01)');
  });
});
