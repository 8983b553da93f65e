import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../domain/fact.ts';
import { infer } from './infer.ts';

const AT = '2024-01-01T00:00:00.000Z';
const USES = { name: 'uses is transitive', first: 'uses', second: 'uses', infers: 'uses' };

function fact(subjectId: string, predicate: string, objectId: string, confidence = 1): Fact {
  return {
    id: `${subjectId} ${predicate} ${objectId}`,
    userId: 'u',
    text: 'x',
    subjectId,
    predicate,
    objectId,
    entityIds: [subjectId, objectId],
    evidence: [`said of ${subjectId}`],
    createdAt: AT,
    confidence,
    importance: 0.5,
    origin: 'caller',
    saidBy: 'user',
    properties: {},
  };
}

describe('infer', () => {
  it('joins facts by a transitive rule, with its premises, evidence and confidence', () => {
    expect(infer([fact('a', 'uses', 'b', 0.5), fact('b', 'Uses', 'c', 0.5)], [USES])).toEqual([
      {
        subjectId: 'a',
        predicate: 'uses',
        objectId: 'c',
        rule: 'uses is transitive',
        premises: ['a uses b', 'b Uses c'],
        evidence: ['said of a', 'said of b'],
        confidence: 0.25,
      },
    ]);
  });

  it('follows chains, and joins two different relations', () => {
    const chain = [fact('a', 'uses', 'b'), fact('b', 'uses', 'c'), fact('c', 'uses', 'd'), fact('d', 'made_by', 'e')];
    const rules = [USES, { name: 'supplier', first: 'uses', second: 'made by', infers: 'depends on' }];
    expect(infer(chain, rules).map((edge) => `${edge.subjectId} ${edge.predicate} ${edge.objectId}`)).toEqual(
      expect.arrayContaining(['a uses c', 'b uses d', 'a uses d', 'c depends on e', 'a depends on e']),
    );
  });

  it('infers nothing without a rule, against the direction, of itself, or of what is stated', () => {
    expect(infer([fact('a', 'uses', 'b'), fact('b', 'uses', 'c')], [])).toEqual([]);
    expect(infer([fact('a', 'uses', 'b'), fact('c', 'uses', 'b')], [USES])).toEqual([]);
    expect(infer([fact('a', 'uses', 'b'), fact('b', 'uses', 'a')], [USES])).toEqual([]);
    expect(infer([fact('a', 'uses', 'b'), fact('b', 'uses', 'c'), fact('a', 'uses', 'c')], [USES])).toEqual([]);
  });

  it('ends on any graph, within its bounds, each edge once', () => {
    const node = fc.constantFrom(...'abcdefghijklmnopqrst');
    fc.assert(
      fc.property(fc.array(fc.tuple(node, node), { maxLength: 120 }), (pairs) => {
        const edges = infer(
          pairs.map(([from, to]) => fact(from, 'uses', to)),
          [USES],
        );
        expect(edges.length).toBeLessThanOrEqual(256);
        expect(new Set(edges.map((edge) => `${edge.subjectId}${edge.objectId}`)).size).toBe(edges.length);
        for (const edge of edges) expect(edge.subjectId).not.toBe(edge.objectId);
      }),
    );
  });
});
