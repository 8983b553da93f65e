import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };
const AWKWARD = [
  ...[
    '`',
    '``',
    "'",
    '"',
    '\\',
    '\\u0060',
    '$',
    '$x',
    '{id: 1}',
    'a\nb',
    '`]->() DELETE r //',
    'MATCH (n) DETACH DELETE n',
    ']',
    '(',
    '%',
    '*',
    '...',
  ],
  ...['null', 'undefined', 'NaN', 'true', '0', '-1', '__proto__', 'constructor', 'hasOwnProperty', 'id', 'userId', 'RELATES_TO', 'WHERE', 'order by'],
  ...['👩‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '\u202eevil', '∀', 'İ', 'a:b', 'a|b', 'a.b'],
];

describe('names that a query language would trip over', () => {
  it('are entities, relations and types like any other, and come back character for character', async () => {
    const { memory } = openTestMemory();
    const triples = AWKWARD.map((name, index) => ({ subject: `Bo ${index}`, predicate: name, object: name, subjectType: name }));
    const { skipped } = await memory.store([{ role: 'user', content: 'tea', triples }], USER);
    expect(skipped).toEqual([]);
    const entities = await memory.entities(USER, { limit: 500 });
    expect(new Set(entities.map(({ name }) => name))).toEqual(new Set([...AWKWARD, ...AWKWARD.map((_, index) => `Bo ${index}`)]));
    const facts = await memory.facts(USER, { limit: 500 });
    expect(new Set(facts.map(({ predicate }) => predicate))).toEqual(new Set(AWKWARD));
    for (let i = 0; i < AWKWARD.length; i += 6)
      expect(await memory.retrieve(AWKWARD.slice(i, i + 6).join(' '), USER)).toMatchObject({ degraded: [] });
  });

  it('of 10,000 letters are kept whole, and told apart by their last one', async () => {
    const { memory } = openTestMemory();
    const long = ['1', '2', '🎉'].map((end) => `${'Lindby harbour '.repeat(666)}${end}`);
    const triples = long.map((name): [string, string, string] => [name, name, 'Bo']);
    await memory.store([{ role: 'user', content: 'tea', triples }], USER);
    await memory.store([{ role: 'user', content: 'again', triples }], USER);
    expect((await memory.entities(USER)).map(({ name }) => name).sort()).toEqual([...long, 'Bo'].sort());
    expect((await memory.facts(USER)).map(({ predicate }) => predicate).sort()).toEqual([...long].sort());
    expect((await memory.retrieve(long[0] ?? '', USER)).degraded).toEqual([]);
  });
});
