import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';

type Named = readonly [name: string, type: string];

/** How many entities there are when the names were met one after the other, each in a turn of its own, or all in one. */
async function count(names: readonly Named[], inOne = false): Promise<number> {
  const replies = inOne ? [reply([], names)] : names.map((named) => reply([`${named[0]} was there`], [named]));
  const { memory } = openTestMemory({ replies });
  for (const [index] of replies.entries()) await memory.store(`Turn ${index}`, { userId: 'u' });
  const entities = await memory.entities({ userId: 'u' });
  await memory.close();
  return entities.length;
}

const people = (...names: string[]): Named[] => names.map((name) => [name, 'person']);
const objects = (...names: string[]): Named[] => names.map((name) => [name, 'object']);
const organizations = (...names: string[]): Named[] => names.map((name) => [name, 'organization']);

describe('names met one after the other are one entity', () => {
  it.each<readonly [string, readonly Named[]]>([
    ['a title that comes later', people('Kim', 'Dr. Kim', 'Doctor Kim')],
    ['a title that goes, and more of them', people('Dr. Anna Weber', 'Anna Weber', 'Prof. Dr. Anna Weber')],
    ['titles behind the name', people('田中', '田中さん', '田中様')],
    ['initials', people('J. R. Smith', 'J.R. Smith', 'JR Smith')],
    ['the last name first', people('Doe, John', 'John Doe')],
    ['letters with a stroke', people('Søren', 'Soren', 'Soeren')],
    ['dots of an abbreviation', organizations('U.N.O.', 'UNO')],
    ['a saint', organizations('St. Mary Hospital', 'Saint Mary Hospital')],
    ['one thing and several', objects('photo', 'photos', 'the photo')],
    ['the same, several first', objects('movies', 'movie')],
    ['an acronym', objects('PCs', 'PC', 'PCs')],
    ['a plural that begins otherwise', objects('mice', 'mouse')],
    [
      'a thing whose type the model changes',
      [
        ['pottery wheel', 'object'],
        ['Pottery Wheel', 'product'],
        ['pottery wheel', 'concept'],
      ],
    ],
    [
      'the same, of one word',
      [
        ['kayak', 'object'],
        ['kayak', 'product'],
      ],
    ],
    [
      'a house and who runs it',
      [
        ['Harbor Cafe', 'organization'],
        ['Harbor Cafe', 'place'],
      ],
    ],
  ])('%s', async (_, names) => {
    expect(await count(names)).toBe(1);
  });

  it.each([
    ['photo', 'photos'],
    ['PCs', 'PC'],
    ['mice', 'mouse'],
  ])('%s and %s in one turn', async (a, b) => {
    expect(await count(objects(a, b), true)).toBe(1);
  });
});

describe('names met one after the other stay apart', () => {
  it.each<readonly [string, readonly Named[], number]>([
    ['a second person with a first name that the first goes by', people('Ann Lee', 'Ann', 'Ann Kim'), 2],
    ['the same, the short name first', people('Ann', 'Ann Lee', 'Ann Kim'), 2],
    ['a second organization with initials that the first goes by', organizations('World Health Organization', 'WHO', 'World Heritage Office'), 2],
    ['a couple', people('Mr. Pell', 'Pell', 'Mrs. Pell'), 2],
    ['father and son', people('John Smith Sr.', 'John Smith Jr.'), 2],
    [
      'files and addresses one letter apart',
      [
        ['report.md', 'document'],
        ['reports.md', 'document'],
        ['src/reports/index.ts', 'document'],
        ['src/report/index.ts', 'document'],
        ['ana.leeds@example.test', 'object'],
        ['anna.leeds@example.test', 'object'],
      ],
      6,
    ],
    [
      'a name of one word that many things have',
      [
        ['Amazon', 'organization'],
        ['Amazon', 'place'],
        ['Amazon', 'person'],
      ],
      3,
    ],
    [
      'a product that is also a word',
      [
        ['Python', 'product'],
        ['python', 'object'],
      ],
      2,
    ],
  ])('%s', async (_, names, expected) => {
    expect(await count(names)).toBe(expected);
  });
});

describe('names met in one reply', () => {
  it.each<readonly [readonly Named[], number]>([
    [people('Ann', 'Ann Lee', 'Ann Kim'), 2],
    [people('Ann Lee', 'Ann', 'Ann Kim'), 2],
    [people('Pell', 'Mr. Pell', 'Mrs. Pell'), 2],
    [people('Dr. Kim', 'Kim'), 1],
    [people('Doe, John', 'John Doe'), 1],
  ])('%j', async (names, expected) => {
    expect(await count(names, true)).toBe(expected);
  });
});

describe('a dry run', () => {
  it('proposes a title where only one has it', async () => {
    const names = people('Mr. Pell', 'Pell', 'Mrs. Pell', 'Dr. Kim', 'Kim');
    const { memory } = openTestMemory({
      replies: names.map(([name, type]) => reply([`${name} was there`], [[name, type]])),
      options: { resolution: { fuzzy: false } },
    });
    for (const [index] of names.entries()) await memory.store(`Turn ${index}`, { userId: 'u' });
    const proposed = (await memory.proposeMerges({ userId: 'u' })).map(({ first, second, step }) => [[first.name, second.name].sort(), step]);
    expect(proposed).toEqual([[['Dr. Kim', 'Kim'], 'title']]);
  });
});

describe('a type that comes later', () => {
  it('is that of the entity, which was met in a relation first', async () => {
    const { memory } = openTestMemory({
      replies: [
        reply([], [], [['Lena', 'met', 'Marek']]),
        reply([], [['Lena', 'person']]),
        reply([], [['Lena', 'place']]),
        reply([], [['Dr. Lena', 'person']]),
      ],
    });
    for (const index of [1, 2, 3, 4]) await memory.store(`Turn ${index}`, { userId: 'u' });
    const entities = await memory.entities({ userId: 'u' });
    expect(entities.map(({ name, type, aliases }) => [name, type, aliases]).sort()).toEqual([
      ['Lena', 'person', ['Dr. Lena']],
      ['Lena', 'place', []],
      ['Marek', 'other', []],
    ]);
  });
});
