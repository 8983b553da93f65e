import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Episode } from '../domain/episode.ts';
import type { Fact } from '../domain/fact.ts';
import type { Recollection } from '../domain/recollection.ts';
import { foldDuplicates } from './fold.ts';

const AT = '2024-03-01T00:00:00.000Z';

function turn(id: string, content: string, fields: Partial<Episode> = {}): Recollection {
  return {
    kind: 'episode',
    id,
    score: 1,
    channels: [],
    path: [],
    episode: {
      id,
      userId: 'u',
      kind: 'message',
      role: 'user',
      content,
      at: AT,
      utcOffsetMinutes: 0,
      createdAt: AT,
      position: 0,
      metadata: {},
      state: 'extracted',
      ...fields,
    },
  };
}

function statement(id: string, text: string, evidence: readonly string[]): Recollection {
  const fact: Fact = {
    id,
    userId: 'u',
    text,
    entityIds: [],
    evidence,
    createdAt: AT,
    confidence: 1,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
  };
  return { kind: 'fact', id, score: 1, channels: [], path: [], fact };
}

function fold(...items: Recollection[]) {
  const { kept, folded } = foldDuplicates(items);
  return { kept: kept.map(({ item, facts }) => [item.id, ...facts]), folded: folded.map(({ id, reason }) => `${id} ${reason}`) };
}

describe('foldDuplicates', () => {
  it('folds a fact into its turn where the turn stands above it', () => {
    expect(fold(turn('e', 'I keep bees.'), statement('f', 'Omar keeps bees', ['x', 'e']))).toEqual({
      kept: [['e', 'Omar keeps bees']],
      folded: ['f duplicate'],
    });
  });

  it('keeps a fact that stands above its turn, or rests on other turns', () => {
    expect(fold(statement('f', 'Omar keeps bees', ['e']), turn('e', 'I keep bees.'), statement('g', 'Omar sells honey', ['x']))).toEqual({
      kept: [['f'], ['e'], ['g']],
      folded: [],
    });
  });

  it('folds a turn into a fact above that says it in the same words, and what else was read out of it', () => {
    const items = [
      statement('f', 'Mira knows Odd', ['e']),
      turn('e', ' mira knows  Odd'),
      statement('g', 'Odd is known', ['e']),
      turn('h', 'Mira knows Odd'),
    ];
    expect(fold(...items)).toEqual({ kept: [['f', 'Odd is known'], ['h']], folded: ['e duplicate', 'g duplicate'] });
    expect(foldDuplicates(items).folded).toMatchObject([{ duplicateOf: 'f' }, { duplicateOf: 'f' }]);
  });

  it("folds what the caller said of a turn only where the turn has its words: the turn's text is all that a reader sees", () => {
    const told = (id: string, text: string, predicate: string): Recollection => {
      const item = statement(id, text, ['e']);
      return item.kind === 'fact' ? { ...item, fact: { ...item.fact, origin: 'caller', predicate } } : item;
    };
    const items = [
      turn('e', 'About Mira, at City Hall'),
      told('f', 'Mira works at City Hall', 'works_at'),
      told('g', 'Mira keeps a parrot', 'keeps'),
    ];
    expect(fold(...items)).toEqual({ kept: [['e', 'Mira works at City Hall'], ['g']], folded: ['f duplicate'] });
  });

  it('keeps the best of equal texts of one speaker', () => {
    expect(
      fold(turn('a', 'Ok  then'), turn('b', ' ok then\n'), turn('c', 'ok then', { role: 'assistant' }), turn('d', 'ok then', { speaker: 'Ana' })),
    ).toEqual({
      kept: [['a'], ['c'], ['d']],
      folded: ['b duplicate'],
    });
  });

  it('folds the facts of a twin into the twin that stays', () => {
    expect(fold(turn('a', 'I keep bees.'), turn('b', 'I keep bees.'), statement('f', 'Omar keeps bees', ['b']))).toEqual({
      kept: [['a', 'Omar keeps bees']],
      folded: ['b duplicate', 'f duplicate'],
    });
  });

  it('folds near-duplicates of one speaker, and keeps their turns as evidence', () => {
    const items = [
      turn('a', 'The big scanner at gate 4 was repaired by Priya on Monday.'),
      turn('b', 'The scanner at gate 4 was repaired by Priya on Monday'),
      turn('c', 'The scanner at gate 4 was repaired by Priya on Monday', { speaker: 'Ana' }),
      turn('d', 'The scanner at gate 5 was repaired by Priya on Monday'),
      turn('e', 'The scanner at gate 4 was not repaired by Priya on Monday'),
    ];
    expect(fold(...items)).toEqual({ kept: [['a'], ['c'], ['d'], ['e']], folded: ['b duplicate'] });
    expect(foldDuplicates(items).kept[0]?.alsoStatedIn).toEqual(['b']);
    expect(foldDuplicates(items).folded).toMatchObject([
      { id: 'b', duplicateOf: 'a', preview: 'The scanner at gate 4 was repaired by Priya on Monday' },
    ]);
    expect(foldDuplicates(items, { nearDuplicates: false }).folded).toEqual([]);
  });

  it('keeps equal words of facts that held at different times', () => {
    const at = (id: string, text: string, validAt: string): Recollection => {
      const item = statement(id, text, []);
      return item.kind === 'fact' ? { ...item, fact: { ...item.fact, validAt } } : item;
    };
    const facts = [at('a', 'Lia lives in Lindby', '2020-01-01T00:00:00.000Z'), at('b', 'Lia lives in  Lindby!', '2024-01-01T00:00:00.000Z')];
    expect(fold(...facts).folded).toEqual([]);
  });

  it('loses nothing, keeps the order, and folding again changes nothing', () => {
    const item = fc.oneof(
      fc.tuple(fc.constantFrom('x', 'y', 'Z'), fc.constantFrom('user', 'assistant')).map(
        ([text, role]) =>
          (id: string) =>
            turn(id, text, { role: role as 'user' }),
      ),
      fc.tuple(fc.constantFrom('x', 'y', 'Z'), fc.array(fc.nat(12).map(String), { maxLength: 3 })).map(
        ([text, evidence]) =>
          (id: string) =>
            statement(id, text, evidence),
      ),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), (makers) => {
        const items = makers.map((make, i) => make(String(i)));
        const { kept, folded } = foldDuplicates(items);
        const ids = kept.map((entry) => entry.item.id);
        expect([...ids, ...folded.map((entry) => entry.id)].map(Number).sort((a, b) => a - b)).toEqual(items.map((_, i) => i));
        expect(ids.map(Number)).toEqual(ids.map(Number).sort((a, b) => a - b));
        expect(foldDuplicates(kept.map((entry) => entry.item)).folded).toEqual([]);
      }),
    );
  });
});
