import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { graphOf, say, sayAll } from './joins.ts';
import { onServers, openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };
const JOIN = ['Bob', 'also known as', 'Robert'] as const;

/** Two who are known, and are one from the last turn on. */
async function bobAndRobert() {
  const opened = openTestMemory();
  const { memory, clock } = opened;
  await say(memory, ['Bob', 'plays', 'chess']);
  clock.advance(1000);
  await say(memory, ['Robert', 'owns', 'kiln']);
  const before = await graphOf(memory);
  const join = await say(memory, JOIN);
  expect((await graphOf(memory)).names).toEqual(['Bob = Robert', 'chess', 'kiln']);
  return { ...opened, join, before };
}

describe('a join whose turn is gone', () => {
  const ways: Readonly<Record<string, (memory: Memory, id: string) => Promise<unknown>>> = {
    deleted: (memory, id) => memory.delete(id, USER),
    forgotten: (memory, id) => memory.forget({ ...USER, ids: [id] }),
    'changed to say something else': (memory, id) => memory.update(id, { text: 'Nothing of the kind.' }, USER),
  };
  for (const [way, take] of Object.entries(ways)) {
    it(`is undone when it is ${way}: each name has its own again, and what was told since under it`, async () => {
      const { memory, clock, join: turn } = await bobAndRobert();
      await sayAll(memory, ['Robert', 'likes', 'tea'], ['Bob', 'likes', 'coffee']);
      clock.advance(1000);
      await take(memory, turn);
      expect(await graphOf(memory)).toEqual({
        names: ['Bob', 'Robert', 'chess', 'coffee', 'kiln', 'tea'],
        facts: ['Bob likes coffee', 'Bob plays chess', 'Robert likes tea', 'Robert owns kiln'],
      });
      expect(await memory.merges(USER)).toEqual([]);
      // It was not undone by anybody: said again it holds again.
      await say(memory, ['Robert', 'same as', 'Bob']);
      expect((await graphOf(memory)).names).toContain('Bob = Robert');
      expect(await memory.merges(USER)).toMatchObject([{ name: 'Bob', spelling: 'Robert', undone: false }]);
    });
  }

  it('is undone when it expires', async () => {
    const { memory, clock } = openTestMemory();
    await sayAll(memory, ['Bob', 'plays', 'chess'], ['Robert', 'owns', 'kiln']);
    const before = await graphOf(memory);
    await memory.store([{ role: 'user', content: JOIN.join(' '), triples: [JOIN] }], { ...USER, expiresAt: '2026-06-16T00:00:00Z' });
    clock.set('2026-06-17T00:00:00.000Z');
    expect(await memory.decay(USER)).toMatchObject({ expired: 1 });
    expect(await graphOf(memory)).toEqual(before);
  });

  it('stays, with its entry, where another turn says the same', async () => {
    const { memory, join } = await bobAndRobert();
    const again = await say(memory, ['Robert', 'same as', 'Bob']);
    const [first] = await memory.merges(USER);
    await memory.delete(join, USER);
    expect((await graphOf(memory)).names).toContain('Bob = Robert');
    const [left, ...more] = await memory.merges(USER);
    expect([left?.name, left?.spelling, left?.episodeId, left?.undone, more]).toEqual([first?.name, first?.spelling, again, false, []]);
    await memory.delete(again, USER);
    expect((await graphOf(memory)).names).toEqual(['Bob', 'Robert', 'chess', 'kiln']);
  });

  it('is undone whatever else is told at the same time', async () => {
    const { memory, join } = await bobAndRobert();
    const others = [
      ['Robert', 'likes', 'tea'],
      ['Bob', 'likes', 'coffee'],
      ['Robert', 'likes', 'rice'],
    ] as const;
    await Promise.all([memory.delete(join, USER), ...others.map((triple) => say(memory, triple))]);
    expect((await graphOf(memory)).facts).toEqual([
      'Bob likes coffee',
      'Bob plays chess',
      'Robert likes rice',
      'Robert likes tea',
      'Robert owns kiln',
    ]);
  });

  it('is undone where the name was met by it first', async () => {
    const { memory } = openTestMemory();
    await say(memory, ['Bob', 'plays', 'chess']);
    const join = await say(memory, JOIN);
    await say(memory, ['Robert', 'owns', 'kiln']);
    await memory.delete(join, USER);
    expect(await graphOf(memory)).toEqual({ names: ['Bob', 'Robert', 'chess', 'kiln'], facts: ['Bob plays chess', 'Robert owns kiln'] });
  });

  it('is undone, and made again by another turn that tells it at the same time', async () => {
    const { memory, join } = await bobAndRobert();
    await Promise.all([memory.delete(join, USER), say(memory, ['Robert', 'same as', 'Bob'])]);
    expect((await graphOf(memory)).names).toContain('Bob = Robert');
    expect(await memory.merges(USER)).toMatchObject([{ undone: false }]);
  });

  it('leaves nothing of a name that only it told', async () => {
    const { memory } = openTestMemory();
    await say(memory, ['Bob', 'plays', 'chess']);
    const join = await say(memory, ['Bob', 'also known as', 'Roberticus']);
    await memory.forget({ ...USER, ids: [join] });
    const lines: string[] = [];
    for await (const line of memory.export(USER)) lines.push(line);
    expect(lines.join('')).not.toMatch(/roberticus/i);
    expect((await graphOf(memory)).names).toEqual(['Bob', 'chess']);
  });

  it.skipIf(onServers)('leaves no byte of names that are gone, neither of the joined one nor of the one that it was joined to', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'm.db');
    const { memory } = openTestMemory({ path, embedded: true });
    const typed = (name: string, object: string) => ({
      role: 'user' as const,
      content: `${name} owns ${object}.`,
      triples: [{ subject: name, predicate: 'owns', object, subjectType: 'person' }],
    });
    const ids: string[] = [];
    for (const turn of [typed('김민수', 'kiln'), typed('Kim Minsu', 'piano'), typed('Vexmur', 'lamp')])
      ids.push((await memory.store([turn], USER)).episodes[0]?.id ?? '');
    const stated = await say(memory, ['Kim Minsu', 'same as', 'Vexmur']);
    const since = await say(memory, ['Vexmur', 'likes', 'tea']);
    expect((await graphOf(memory)).names).toHaveLength(5);
    await memory.forget({ ...USER, ids: [ids[0] ?? '', stated] });
    expect((await graphOf(memory)).facts).toEqual(['Kim Minsu owns piano', 'Vexmur likes tea', 'Vexmur owns lamp']);
    await memory.forget({ ...USER, ids: [ids[2] ?? '', since] });
    await memory.close();
    const bytes = readdirSync(folder.path)
      .map((name) => readFileSync(join(folder.path, name), 'utf8'))
      .join('');
    expect(bytes).toMatch(/kim minsu/i);
    expect(bytes).not.toMatch(/vexmur|김민수/i);
  });

  it('takes only what hung on it: of three names in a row the other two stay one', async () => {
    const { memory } = openTestMemory();
    await sayAll(memory, ['Ann', 'plays', 'chess'], ['Bea', 'owns', 'kiln'], ['Cleo', 'likes', 'tea']);
    const first = await say(memory, ['Ann', 'also known as', 'Bea']);
    const second = await say(memory, ['Bea', 'also known as', 'Cleo']);
    expect((await graphOf(memory)).names).toContain('Ann = Bea = Cleo');
    await memory.delete(first, USER);
    expect(await graphOf(memory)).toEqual({
      names: ['Ann', 'Bea = Cleo', 'chess', 'kiln', 'tea'],
      facts: ['Ann plays chess', 'Bea likes tea', 'Bea owns kiln'],
    });
    await memory.delete(second, USER);
    expect(await graphOf(memory)).toEqual({
      names: ['Ann', 'Bea', 'Cleo', 'chess', 'kiln', 'tea'],
      facts: ['Ann plays chess', 'Bea owns kiln', 'Cleo likes tea'],
    });
  });

  it('is undone when all of it went at once', async () => {
    const { memory } = openTestMemory();
    await sayAll(memory, ['Ann', 'plays', 'chess'], ['Bea', 'owns', 'kiln'], ['Cleo', 'likes', 'tea']);
    const before = await graphOf(memory);
    const turns = [['Ann', 'also known as', 'Bea'] as const, ['Bea', 'also known as', 'Cleo'] as const].map((triple) => ({
      role: 'user' as const,
      content: triple.join(' '),
      triples: [triple],
    }));
    await memory.store(turns, { ...USER, sessionId: 'joins' });
    expect((await graphOf(memory)).names).toContain('Ann = Bea = Cleo');
    await memory.forget({ ...USER, sessionId: 'joins' });
    expect(await graphOf(memory)).toEqual(before);
  });

  it('by a comparison of names stands as long as a turn has the name, with its entry', async () => {
    const { memory } = openTestMemory();
    const typed = (name: string, object: string) => ({ subject: name, predicate: 'owns', object, subjectType: 'person' });
    const store = async (name: string, object: string) => {
      const { episodes } = await memory.store([{ role: 'user', content: `${name} owns ${object}.`, triples: [typed(name, object)] }], USER);
      return episodes[0]?.id ?? '';
    };
    const ann = await store('Ann', 'kiln');
    const full = await store('Ann Lee', 'piano');
    const again = await store('Ann Lee', 'lamp');
    expect(await memory.merges(USER)).toMatchObject([{ step: 'first name', episodeId: full }]);
    await memory.delete(full, USER);
    expect(await memory.merges(USER)).toMatchObject([{ step: 'first name', episodeId: again, undone: false }]);
    const [merge] = await memory.merges(USER);
    await memory.undoMerge(merge?.id ?? '', USER);
    expect((await graphOf(memory)).facts).toEqual(['Ann Lee owns lamp', 'Ann owns kiln']);
    await memory.delete(ann, USER);
    expect((await graphOf(memory)).facts).toEqual(['Ann Lee owns lamp']);
  });

  it('is undone for its user only', async () => {
    const { memory, join } = await bobAndRobert();
    for (const triple of [['Bob', 'plays', 'chess'] as const, ['Robert', 'owns', 'kiln'] as const, JOIN]) await say(memory, triple, 'other');
    const others = await graphOf(memory, 'other');
    await memory.delete(join, USER);
    await memory.forget(USER);
    expect(await memory.merges(USER)).toEqual([]);
    expect(await graphOf(memory, 'other')).toEqual(others);
    expect(await memory.merges({ userId: 'other' })).toHaveLength(1);
  });

  it('goes with its document when the passage that told it vanished', async () => {
    const { memory, clock } = openTestMemory({
      extractor: {
        id: 'aliases',
        local: true,
        extract: async ({ episodes }) => ({
          origin: 'model',
          entities: episodes.flatMap(({ content }, episode) =>
            /Moscow|Москва/.test(content)
              ? [
                  {
                    name: /Москва/.test(content) ? 'Москва' : 'Moscow',
                    type: 'place',
                    episode,
                    ...(/Москва.*Moscow/.test(content) ? { aliases: ['Moscow'] } : {}),
                  },
                ]
              : [],
          ),
          relations: [],
          facts: [],
          skipped: [],
          usage: { calls: 0, inputTokens: 0, outputTokens: 0 },
        }),
      },
    });
    for (const content of ['Москва is cold.', 'Moscow is large.']) {
      await memory.store([{ role: 'user', content }], USER);
      clock.advance(1000);
    }
    expect((await graphOf(memory)).names).toEqual(['Moscow', 'Москва']);
    await memory.store({ text: 'Notes.\n\nMy home is Москва (Moscow).', sourceId: 'notes' }, USER);
    expect((await graphOf(memory)).names).toEqual(['Москва = Moscow']);
    await memory.store({ text: 'Notes.', sourceId: 'notes' }, USER);
    expect((await graphOf(memory)).names).toEqual(['Moscow', 'Москва']);
  });
});
