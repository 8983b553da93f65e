import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Mention } from '../domain/change-set.ts';
import type { Entity } from '../domain/entity.ts';
import type { Fact } from '../domain/fact.ts';
import { shortestPaths } from './paths.ts';

const AT = '2024-03-01T00:00:00.000Z';

function entity(name: string): Entity {
  return { id: name, userId: 'u', name: name.toUpperCase(), key: name, aliases: [], type: 'other', createdAt: AT };
}

function fact(subjectId: string, objectId: string, confidence = 1): Fact {
  return {
    id: `${subjectId}>${objectId}`,
    userId: 'u',
    text: `${subjectId} ${objectId}`,
    subjectId,
    predicate: 'knows',
    objectId,
    entityIds: [subjectId, objectId],
    evidence: ['e1'],
    createdAt: AT,
    confidence,
    importance: 0.5,
    origin: 'model',
    saidBy: 'user',
    properties: {},
  };
}

function together(episodeId: string, ...names: string[]): Mention[] {
  return names.map((entityId) => ({ episodeId, entityId }));
}

function route(paths: ReturnType<typeof shortestPaths>, to: string): string | undefined {
  return paths
    .get(to)
    ?.map((hop) => `${hop.from} ${hop.reversed ? '<' : ''}${hop.predicate} ${hop.to}`)
    .join(', ');
}

describe('shortestPaths', () => {
  const all = [...'abcdef'].map(entity);

  it('walks facts both ways, says which, and gives starts no hops', () => {
    const paths = shortestPaths([entity('a')], all, [fact('a', 'b'), fact('c', 'b')], []);
    expect(paths.get('a')).toEqual([]);
    expect(paths.get('b')).toEqual([{ from: 'A', to: 'B', predicate: 'knows', factId: 'a>b', reversed: false, evidence: ['e1'] }]);
    expect(route(paths, 'c')).toBe('A knows B, B <knows C');
    expect(paths.has('d')).toBe(false);
  });

  it('takes the shortest way, also where a long one comes first', () => {
    const paths = shortestPaths([entity('a')], all, [fact('a', 'b'), fact('b', 'c'), fact('c', 'd'), fact('a', 'd', 0.1)], []);
    expect(route(paths, 'd')).toBe('A knows D');
  });

  it('prefers facts to passages, and certain facts to doubtful ones, from whichever start', () => {
    const mentions = together('e2', 'a', 'c');
    expect(route(shortestPaths([entity('a')], all, [fact('a', 'c', 0.1)], mentions), 'c')).toBe('A knows C');
    expect(route(shortestPaths([entity('a'), entity('b')], all, [fact('b', 'c', 0.1)], mentions), 'c')).toBe('B knows C');
    expect(route(shortestPaths([entity('a'), entity('b')], all, [fact('a', 'c', 0.3), fact('b', 'c', 0.9)], []), 'c')).toBe('B knows C');
  });

  it('joins what a passage mentions together, but not what a list mentions', () => {
    expect(shortestPaths([entity('a')], all, [], together('e2', 'a', 'b')).get('b')).toEqual([
      { from: 'A', to: 'B', predicate: 'mentioned with', reversed: false, evidence: ['e2'] },
    ]);
    const many = Array.from({ length: 13 }, (_, i) => entity(`m${i}`));
    expect(shortestPaths([entity('m0')], many, [], together('e2', ...many.map((item) => item.id))).size).toBe(1);
  });

  it('goes three hops and no farther; cycles end', () => {
    const ring = [fact('a', 'b'), fact('b', 'c'), fact('c', 'd'), fact('d', 'e'), fact('b', 'a'), fact('a', 'a')];
    expect([...shortestPaths([entity('a')], all, ring, []).keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
  });

  it('never leads over an entity that it was not given', () => {
    expect(shortestPaths([entity('a')], [entity('c')], [fact('a', 'secret'), fact('secret', 'c')], []).has('c')).toBe(false);
  });

  it('gives connected ways of the right length, whatever the order of the facts', () => {
    const node = fc.constantFrom(...'abcdef');
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(node, node), { maxLength: 12, selector: (pair) => pair.join() }), (pairs) => {
        const facts = pairs.map(([a, b]) => fact(a, b));
        const paths = shortestPaths([entity('a')], all, facts, []);
        expect(shortestPaths([entity('a')], all, [...facts].reverse(), [])).toEqual(paths);
        for (const [id, hops] of paths) {
          expect(hops[0]?.from ?? 'A').toBe('A');
          expect(hops.at(-1)?.to ?? 'A').toBe(id.toUpperCase());
          for (const [i, hop] of hops.entries()) expect(hop.from).toBe(hops[i - 1]?.to ?? 'A');
          // Neighbours of a node are at most one hop farther than it.
          for (const other of facts.flatMap((item) => (item.subjectId === id ? [item.objectId] : item.objectId === id ? [item.subjectId] : []))) {
            if (hops.length < 3) expect(paths.get(other ?? '')?.length).toBeLessThanOrEqual(hops.length + 1);
          }
        }
      }),
    );
  });
});
