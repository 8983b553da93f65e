import type { Memory } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { graphOf, say, sayAll } from './joins.ts';
import { onServers, openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };
const JOIN = ['Bob', 'also known as', 'Robert'] as const;

/** Bob is known a second before Robert, so that he stays. */
async function bobAndRobert(...told: readonly (readonly [string, string, string])[]) {
  const opened = openTestMemory();
  for (const triple of [['Bob', 'is', 'tall'] as const, ['Robert', 'is', 'small'] as const, ...told]) {
    await say(opened.memory, triple);
    opened.clock.advance(1000);
  }
  return opened;
}

async function undoLast(memory: Memory): Promise<void> {
  const merge = (await memory.merges(USER)).findLast(({ undone }) => !undone);
  await memory.undoMerge(merge?.id ?? '', USER);
}

async function without(memory: Memory, ...facts: readonly string[]): Promise<string[]> {
  return (await graphOf(memory)).facts.filter((fact) => !facts.includes(fact));
}

describe('undoing a join', () => {
  it('gives each name the facts of turns that name both, by their own words', async () => {
    const { memory } = await bobAndRobert();
    await say(memory, JOIN);
    const triples = [['Bob', 'plays', 'chess'] as const, ['Robert', 'owns', 'kiln'] as const, ['kiln', 'belongs to', 'Robert'] as const];
    await memory.store([{ role: 'user', content: 'Bob plays chess, and Robert owns a kiln.', triples }], USER);
    // The words of the turn hold no name at all.
    await memory.store(
      [
        {
          role: 'user',
          content: 'So I said.',
          triples: [
            ['Robert', 'likes', 'tea'],
            ['Bob', 'likes', 'coffee'],
          ],
        },
      ],
      USER,
    );
    // And here they hold the other one.
    await memory.store([{ role: 'user', content: 'Bob told me.', triples: [['Robert', 'sings', 'opera']] }], USER);
    await undoLast(memory);
    expect(await without(memory)).toEqual([
      'Bob is tall',
      'Bob likes coffee',
      'Bob plays chess',
      'Robert is small',
      'Robert likes tea',
      'Robert owns kiln',
      'Robert sings opera',
      'kiln belongs to Robert',
    ]);
  });

  it('parts a fact that turns of both names told', async () => {
    const { memory } = await bobAndRobert(['Bob', 'speaks', 'Latin']);
    await say(memory, JOIN);
    const second = await say(memory, ['Robert', 'speaks', 'Latin']);
    await undoLast(memory);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob speaks Latin', 'Robert speaks Latin']);
    const spoken = (await memory.facts(USER)).filter(({ predicate }) => predicate === 'speaks');
    expect(spoken.map(({ text, evidence, validAt }) => [text, evidence.length, validAt]).sort()).toEqual([
      ['Bob speaks Latin', 1, '2026-06-15T12:00:02.000Z'],
      ['Robert speaks Latin', 1, '2026-06-15T12:00:03.000Z'],
    ]);
    expect((await memory.retrieve('Who speaks Latin?', USER)).text).toContain('Robert speaks Latin');
    await memory.delete(second, USER);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob speaks Latin']);
    // What it would have been called is taken by what left.
    await sayAll(memory, ['Robert', 'owns', 'kiln'], ['Bob', 'owns', 'kiln']);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob owns kiln', 'Bob speaks Latin', 'Robert owns kiln']);
  });

  it('keeps what is told of each afterwards apart, also what had been told of the other before', async () => {
    const { memory } = await bobAndRobert();
    await sayAll(memory, JOIN, ['Robert', 'owns', 'kiln']);
    await undoLast(memory);
    await say(memory, ['Bob', 'owns', 'kiln']);
    await memory.store([{ role: 'user', content: 'Once more: Bob owns a kiln.', triples: [['Bob', 'owns', 'kiln']] }], USER);
    const owned = (await memory.facts({ ...USER, currentOnly: true })).filter(({ predicate }) => predicate === 'owns');
    expect(owned.map(({ evidence }) => evidence.length).sort()).toEqual([1, 2]);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob owns kiln', 'Robert owns kiln']);
  });

  it('brings back an edge between the two, which was none while they were one', async () => {
    const { memory } = await bobAndRobert(['Bob', 'knows', 'Robert'], ['Robert', 'taught', 'Bob']);
    const before = await graphOf(memory);
    const { decisions, merges } = await memory.store([{ role: 'user', content: 'They are one.', triples: [JOIN] }], USER);
    const reason = `both its ends are one; two names were joined (merge ${merges[0]?.id})`;
    expect(decisions.map((decision) => decision.reason)).toEqual([reason, reason]);
    expect(await without(memory)).toEqual(['Bob is small', 'Bob is tall']);
    await undoLast(memory);
    expect(await graphOf(memory)).toEqual(before);
  });

  it('of the first of two leaves the second: A is B, B is C', async () => {
    const { memory } = await bobAndRobert();
    await sayAll(memory, JOIN, ['Cleo', 'owns', 'kiln'], ['Robert', 'also known as', 'Cleo']);
    const [first, second] = await memory.merges(USER);
    expect([first?.spelling, second?.name, second?.spelling]).toEqual(['Robert', 'Robert', 'Cleo']);
    await memory.undoMerge(first?.id ?? '', USER);
    expect(await graphOf(memory)).toMatchObject({
      names: ['Bob', 'Robert = Cleo', 'kiln', 'small', 'tall'],
      facts: ['Bob is tall', 'Robert is small', 'Robert owns kiln'],
    });
    expect((await memory.merges(USER)).map(({ spelling, undone }) => [spelling, undone])).toEqual([
      ['Robert', true],
      ['Cleo', false],
    ]);
    await memory.undoMerge(second?.id ?? '', USER);
    expect(await graphOf(memory)).toMatchObject({
      names: ['Bob', 'Cleo', 'Robert', 'kiln', 'small', 'tall'],
      facts: ['Bob is tall', 'Cleo owns kiln', 'Robert is small'],
    });
    await sayAll(memory, ['Cleo', 'also known as', 'Robert'], ['Robert', 'same as', 'Bob']);
    expect((await graphOf(memory)).names).toEqual(['Bob', 'Cleo', 'Robert', 'kiln', 'small', 'tall']);
  });

  it('works where the one that stayed has become another since', async () => {
    const { memory } = await bobAndRobert(['Cleo', 'owns', 'kiln']);
    await memory.store([{ role: 'user', content: 'x', triples: [{ subject: 'Cleo', predicate: 'is', object: 'old', subjectType: 'person' }] }], USER);
    await sayAll(memory, JOIN, ['Cleo', 'also known as', 'Bob']);
    expect((await graphOf(memory)).names).toContain('Cleo = Bob = Robert');
    const [first] = await memory.merges(USER);
    await memory.undoMerge(first?.id ?? '', USER);
    expect(await graphOf(memory)).toMatchObject({ facts: ['Cleo is old', 'Cleo is tall', 'Cleo owns kiln', 'Robert is small'] });
    await undoLast(memory);
    expect(await graphOf(memory)).toMatchObject({ facts: ['Bob is tall', 'Cleo is old', 'Cleo owns kiln', 'Robert is small'] });
  });

  it.skipIf(onServers)('is the same after an export and an import', async () => {
    const { memory } = await bobAndRobert(['Bob', 'lives in', 'Lindby'], ['Robert', 'lives in', 'Corran']);
    const before = await graphOf(memory);
    await say(memory, JOIN);
    await say(memory, ['Robert', 'owns', 'kiln']);
    const lines: string[] = [];
    for await (const line of memory.export(USER)) lines.push(line.trimEnd());
    const { memory: other } = openTestMemory();
    await other.import(lines);
    expect(await graphOf(other)).toEqual(await graphOf(memory));
    await undoLast(other);
    const { names, facts } = await graphOf(other);
    expect([names, facts.filter((fact) => fact !== 'Robert owns kiln')]).toEqual([[...before.names, 'kiln'].sort(), before.facts]);
  });
});

describe('two values of one thing that a join brings together', () => {
  const HOMES = [
    ['Bob', 'lives in', 'Lindby'],
    ['Robert', 'lives in', 'Corran'],
  ] as const;

  it('the newer one holds, the older ended with a reason that names the join, and its undoing reopens it', async () => {
    const { memory, clock } = await bobAndRobert(...HOMES);
    const before = await graphOf(memory);
    clock.advance(1000);
    const { merges, decisions } = await memory.store([{ role: 'user', content: 'Bob is Robert.', triples: [JOIN] }], USER);
    expect(await without(memory, 'Bob is tall', 'Bob is small')).toEqual(['Bob lives in Corran']);
    const ended = (await memory.facts(USER)).find(({ text }) => text === 'Bob lives in Lindby');
    expect(ended?.invalidAt).toBe('2026-06-15T12:00:03.000Z');
    const reason = `place: a later value was known already; two names were joined (merge ${merges[0]?.id})`;
    expect(decisions).toContainEqual({ action: 'invalidate', factId: ended?.id, reason });
    expect((await memory.history(ended?.id ?? '', USER)).findLast(({ action }) => action === 'ended')).toMatchObject({ reason });
    const outdated = async () => (await memory.episodes(USER)).filter((turn) => turn.outdated !== undefined).map(({ content }) => content);
    expect(await outdated()).toEqual(['Bob lives in Lindby.']);
    // Before the join the memory knew nothing of it.
    const then = await memory.retrieve('Where does Bob live?', { ...USER, recordedAsOf: '2026-06-15T12:00:04.500Z' });
    expect(then.text).toContain('Bob lives in Lindby');
    await undoLast(memory);
    expect(await graphOf(memory)).toEqual(before);
    expect(await outdated()).toEqual([]);
  });

  it('both hold again when the turn that told the join is gone', async () => {
    const { memory } = await bobAndRobert(...HOMES);
    const before = await graphOf(memory);
    const join = await say(memory, JOIN);
    await memory.delete(join, USER);
    expect(await graphOf(memory)).toEqual(before);
    expect((await memory.episodes(USER)).filter((turn) => turn.outdated !== undefined)).toEqual([]);
  });

  it('what was told of the other while both were one ends nothing any more', async () => {
    const { memory } = await bobAndRobert(HOMES[0]);
    await sayAll(memory, JOIN, HOMES[1]);
    expect(await without(memory, 'Bob is tall', 'Bob is small')).toEqual(['Bob lives in Corran']);
    await undoLast(memory);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob lives in Lindby', 'Robert lives in Corran']);
  });

  it('what ended by their own words stays ended', async () => {
    const { memory } = await bobAndRobert(...HOMES, ['Bob', 'lives in', 'Arden']);
    await say(memory, JOIN);
    expect(await without(memory, 'Bob is tall', 'Bob is small')).toEqual(['Bob lives in Arden']);
    await undoLast(memory);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob lives in Arden', 'Robert lives in Corran']);
  });

  it('the join and a new home in one turn', async () => {
    const { memory } = await bobAndRobert(...HOMES);
    await memory.store([{ role: 'user', content: 'They are one.', triples: [['Robert', 'lives in', 'Arden'], JOIN] }], USER);
    expect(await without(memory, 'Bob is tall', 'Bob is small')).toEqual(['Bob lives in Arden']);
    await undoLast(memory);
    expect(await without(memory, 'Bob is tall', 'Robert is small')).toEqual(['Bob lives in Lindby', 'Robert lives in Arden']);
  });
});

describe('the receipt of a store', () => {
  it('says which names were joined, why, and what undoes it', async () => {
    const { memory } = await bobAndRobert();
    const { merges, episodes } = await memory.store([{ role: 'user', content: 'They are one.', triples: [JOIN] }], USER);
    expect(merges).toEqual([
      { id: expect.any(String), entityId: expect.any(String), name: 'Bob', spelling: 'Robert', step: 'alias', episodeId: episodes[0]?.id },
    ]);
    expect(await memory.merges(USER)).toMatchObject(merges);
    expect((await memory.store([{ role: 'user', content: 'Again.', triples: [JOIN] }], USER)).merges).toEqual([]);
    await memory.undoMerge(merges[0]?.id ?? '', USER);
    expect((await graphOf(memory)).names).toEqual(['Bob', 'Robert', 'small', 'tall']);
  });

  it('names the turn of several that tells it', async () => {
    const { memory } = await bobAndRobert();
    const turn = (content: string, triple: readonly [string, string, string]) => ({ role: 'user' as const, content, triples: [triple] });
    const { merges, episodes } = await memory.store(
      [turn('One.', ['Mika', 'likes', 'tea']), turn('Two.', JOIN), turn('Three.', ['Mika', 'likes', 'rice'])],
      USER,
    );
    expect(merges).toMatchObject([{ episodeId: episodes[1]?.id }]);
  });
});
