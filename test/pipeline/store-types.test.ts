import { describe, expect, it } from 'vitest';
import { failureOf, openTestMemory, reply } from './open-test-memory.ts';

const USER = { userId: 'u' };
const HALF = '\ud83c';

class Money {
  readonly cents = 5;
}

describe('metadata', () => {
  it.each<[string, unknown, unknown]>([
    ['text, numbers and lists in one another', { a: { b: [1, 'x', null, { c: [] }] }, 'k`e"y $x {y}\n': true, '': 'no name' }, undefined],
    ['names that records have themselves', { id: 'x', userId: 'v', text: 't', kind: 'fact', score: 1, vector: [1] }, undefined],
    ['a member with the name of a prototype', JSON.parse('{"__proto__":{"a":1},"constructor":"x"}'), undefined],
    ['large and small numbers', { big: 2 ** 60, small: 5e-324, huge: 1e300 }, undefined],
    ['a date', { at: new Date('2024-02-29T23:59:59.987Z') }, { at: '2024-02-29T23:59:59.987Z' }],
    ['what is undefined', { a: undefined, b: { c: undefined } }, { b: {} }],
    ['a name of 10,000 letters', { ['k'.repeat(10_000)]: 'v'.repeat(10_000) }, undefined],
    ['halves of surrogate pairs, and NUL', { [`k${HALF}`]: `v${HALF}\0` }, { 'k\ufffd': 'v\ufffd' }],
  ])('holds %s, by every way in, and is given back so', async (_, given, kept = given) => {
    const { memory } = openTestMemory();
    const metadata = given as Record<string, string>;
    const options = { ...USER, infer: false };
    await memory.store([{ role: 'user', content: 'tea one', metadata }], options);
    await memory.store('tea two', { ...options, metadata });
    await memory.store({ text: 'tea three', sourceId: 'd', metadata }, options);
    const { episodes } = await memory.store('tea four', options);
    await memory.update(episodes[0]?.id ?? '', { metadata }, USER);
    expect((await memory.episodes(USER)).map((episode) => episode.metadata)).toEqual([kept, kept, kept, kept]);
    const { items, degraded } = await memory.retrieve('tea', USER);
    expect([items.map((item) => item.metadata), degraded]).toEqual([[kept, kept, kept, kept], []]);
  });

  it.each<[string, unknown, string]>([
    ['a BigInt', { a: { b: 1n } }, 'metadata.a.b: a bigint'],
    ['NaN', { a: Number.NaN }, 'metadata.a: NaN'],
    ['a Map', { a: new Map() }, 'metadata.a: an object of class Map'],
    ['an object of a class', { a: new Money() }, 'metadata.a: an object of class Money'],
    ['undefined in a list', { a: [undefined] }, 'metadata.a.0: undefined'],
    ['a list', [1], 'metadata: a list'],
    ['a text', 'x', 'metadata: a string'],
    ['null', null, 'metadata: null'],
  ])('that is %s is refused by every way in, naming it', async (_, given, named) => {
    const { memory } = openTestMemory();
    const metadata = given as Record<string, string>;
    const { episodes } = await memory.store('tea', { ...USER, infer: false });
    for (const attempt of [
      memory.store([{ role: 'user', content: 'x', metadata }], USER),
      memory.store('x', { ...USER, metadata }),
      memory.store({ text: 'x', sourceId: 'd', metadata }, USER),
      memory.update(episodes[0]?.id ?? '', { metadata }, USER),
    ]) {
      expect(await failureOf(attempt)).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(named) });
    }
    expect(await memory.episodes(USER)).toMatchObject([{ content: 'tea', metadata: {} }]);
  });

  it('of a symbol is passed over, as JSON does', async () => {
    const { memory } = openTestMemory();
    await memory.store('tea', { ...USER, infer: false, metadata: { [Symbol('x')]: 1, a: 1 } });
    expect(await memory.episodes(USER)).toMatchObject([{ metadata: { a: 1 } }]);
  });
});

describe('a change', () => {
  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['a number as text', { text: 5 }],
    ['nothing as text', { text: null }],
  ])('that is %s is refused, and nothing changes', async (_, change) => {
    const { memory } = openTestMemory();
    const { episodes } = await memory.store('tea', { ...USER, infer: false });
    expect((await failureOf(memory.update(episodes[0]?.id ?? '', change as object, USER))).code).toBe('INPUT_INVALID');
    expect(await memory.episodes(USER)).toMatchObject([{ content: 'tea' }]);
  });
});

describe('text that no store keeps', () => {
  it('is mended wherever it stands, and holds up no other record', async () => {
    const { memory } = openTestMemory({ replies: [reply([`Bo likes ${HALF} tea`], [[`Bo${HALF}`, 'person']])] });
    const triple = { subject: `S${HALF}`, predicate: `p${HALF}\0`, object: `O${HALF}`, subjectType: `t${HALF}`, properties: { k: HALF } };
    const receipts = [
      await memory.store(`tea ${HALF}`, USER),
      await memory.store([{ role: 'user', content: 'tea', name: `N${HALF}`, triples: [triple] }], USER),
      await memory.store({ text: `# tea ${HALF}\n\nx`, title: HALF, sourceId: 'd' }, USER),
      await memory.store({ text: [{ text: 'tea', heading: HALF, metadata: { page: HALF } }], sourceId: 'e' }, USER),
    ];
    expect(receipts.map(({ indexed, degraded }) => [indexed, degraded])).toEqual(receipts.map(() => [true, []]));
    const found = JSON.stringify([await memory.episodes(USER), await memory.facts(USER), await memory.entities(USER)]);
    expect(found).not.toMatch(/\\ud83c|\\u0000/);
    expect(await memory.stats('u')).toMatchObject({ outbox: 0 });
  });

  it.each(['sessionId', 'agentId', 'sourceId', 'key'])('is refused as %s, since two ids could become one', async (name) => {
    const { memory } = openTestMemory();
    expect(await failureOf(memory.store('x', { ...USER, [name]: `a${HALF}` }))).toMatchObject({
      code: 'INPUT_INVALID',
      message: expect.stringContaining(name),
    });
  });
});

describe('a triple', () => {
  it.each(['validAt', 'invalidAt'])('with a day that does not exist is refused: %s', async (name) => {
    const { memory } = openTestMemory();
    const triples = [{ subject: 'A', predicate: 'b', object: 'C', [name]: '2024-02-30' }];
    const error = await failureOf(memory.store([{ role: 'user', content: 'x', triples }], USER));
    expect(error).toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(`triples.0.${name}: is not a date`) });
  });

  it('of parts that nobody can see is passed over and counted', async () => {
    const { memory } = openTestMemory();
    const { skipped } = await memory.store(
      [
        {
          role: 'user',
          content: 'x',
          triples: [
            ['\0', 'p', 'B'],
            ['A', '\0', 'B'],
          ],
        },
      ],
      USER,
    );
    expect(skipped).toHaveLength(2);
    expect(await memory.facts(USER)).toEqual([]);
  });
});
