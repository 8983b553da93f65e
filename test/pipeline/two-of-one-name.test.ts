import type { Memory } from '@tandem-memory/core';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

const USER = { userId: 'u' };

async function typed(memory: Memory): Promise<{ names: string[]; facts: string[] }> {
  const entities = await memory.entities(USER);
  const nameOf = new Map(entities.map(({ id, name, type }) => [id, `${name} (${type})`]));
  const facts = (await memory.facts(USER)).filter(({ subjectId }) => subjectId !== undefined);
  return {
    names: [...nameOf.values()].sort(),
    facts: facts.map(({ subjectId = '', predicate, objectId = '' }) => `${nameOf.get(subjectId)} ${predicate} ${nameOf.get(objectId)}`).sort(),
  };
}

const reply = (relations: readonly object[], entities: readonly object[] = []) =>
  JSON.stringify({
    facts: [],
    entities: [{ name: 'Jordan', type: 'person' }, { name: 'Jordan', type: 'place' }, { name: 'Amman', type: 'place' }, ...entities],
    relations,
  });
const TWO = ['Amman (place)', 'Jordan (person)', 'Jordan (place)'];

describe('a person and a place of one name in one turn', () => {
  it('are two, each with what the caller says of it by its types', async () => {
    const { memory } = openTestMemory();
    const triples = [
      { subject: 'Amman', predicate: 'belongs to', object: 'Jordan', objectType: 'place' },
      { subject: 'Jordan', subjectType: 'person', predicate: 'plays', object: 'chess' },
      { subject: 'Jordan', subjectType: 'person', predicate: 'comes from', object: 'Jordan', objectType: 'place' },
      { subject: 'Jordan', subjectType: 'place', predicate: 'borders', object: 'Syria', objectType: 'place' },
    ];
    await memory.store([{ role: 'user', content: 'Jordan comes from Jordan.', triples }], USER);
    expect(await typed(memory)).toEqual({
      names: ['Amman (other)', 'Jordan (person)', 'Jordan (place)', 'Syria (place)', 'chess (other)'],
      facts: [
        'Amman (other) belongs to Jordan (place)',
        'Jordan (person) comes from Jordan (place)',
        'Jordan (person) plays chess (other)',
        'Jordan (place) borders Syria (place)',
      ],
    });
    const mentions = await memory.forget({
      ...USER,
      entityId: (await memory.entities(USER)).find(({ type, name }) => type === 'person' && name === 'Jordan')?.id ?? '',
    });
    expect(mentions.erased.entities).toBe(5);
  });

  it.each<[string, readonly object[], readonly string[]]>([
    [
      'types of the ends',
      [{ subject: { name: 'Jordan', type: 'place' }, predicate: 'contains', object: 'Amman' }],
      ['Jordan (place) contains Amman (place)'],
    ],
    ['a home', [{ subject: 'Jordan', predicate: 'lives in', object: 'Amman' }], ['Jordan (person) lives in Amman (place)']],
    ['a place', [{ subject: 'Amman', predicate: 'lies in', object: 'Jordan' }], ['Amman (place) lies in Jordan (place)']],
  ])('are two in a reply of a model, and facts are of the right one by %s', async (_, relations, facts) => {
    const { memory } = openTestMemory({ replies: [reply(relations)] });
    await memory.store([{ role: 'user', content: 'Jordan and Amman.' }], USER);
    expect(await typed(memory)).toEqual({ names: TWO, facts });
  });

  it('by the numbers of the reply', async () => {
    const entities = ['person', 'place'].map((type, index) => ({ id: String(index + 1), name: 'Jordan', type }));
    const relations = [{ source: '1', relation: 'visited', target: '2' }];
    const { memory } = openTestMemory({ replies: [JSON.stringify({ facts: [], entities, relations })] });
    await memory.store([{ role: 'user', content: 'Jordan visited Jordan.' }], USER);
    expect(await typed(memory)).toEqual({ names: ['Jordan (person)', 'Jordan (place)'], facts: ['Jordan (person) visited Jordan (place)'] });
  });

  it('stay two when they are met again, and what was met without a type becomes one of them', async () => {
    const { memory } = openTestMemory({ replies: [reply([{ subject: 'Jordan', predicate: 'lives in', object: 'Amman' }])] });
    await memory.store([{ role: 'user', content: 'x', triples: [['Jordan', 'likes', 'tea']] }], USER);
    for (const content of ['Jordan lives in Amman.', 'As I said, Jordan lives in Amman.']) await memory.store([{ role: 'user', content }], USER);
    expect(await typed(memory)).toEqual({
      names: [...TWO, 'tea (other)'],
      facts: ['Jordan (person) likes tea (other)', 'Jordan (person) lives in Amman (place)'],
    });
  });

  it('a thing of two words, and one whose types say little, stays one', async () => {
    const { memory } = openTestMemory({
      replies: [
        JSON.stringify({
          facts: [],
          entities: [
            { name: 'Harbor Cafe', type: 'place' },
            { name: 'Harbor Cafe', type: 'organization' },
            { name: 'kayak', type: 'object' },
            { name: 'kayak', type: 'product' },
            { name: 'Bo' },
            { name: 'Bo', type: 'person' },
          ],
          relations: [],
        }),
      ],
    });
    await memory.store([{ role: 'user', content: 'Bo has a kayak at the Harbor Cafe.' }], USER);
    expect((await typed(memory)).names).toEqual(['Bo (person)', 'Harbor Cafe (place)', 'kayak (object)']);
  });
});
