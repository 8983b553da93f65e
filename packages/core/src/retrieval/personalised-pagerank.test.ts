import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WeightedGraph } from './personalised-pagerank.ts';

type Edge = readonly [a: number, b: number, weight: number];

function rank(edges: readonly Edge[], seeds: ReadonlyMap<string, number>, damping = 0.5, iterations = 20): Map<string, number> {
  const graph = new WeightedGraph();
  for (const [a, b, weight] of edges) graph.edge(`n${a}`, `n${b}`, weight);
  return graph.personalisedPageRank(seeds, damping, iterations);
}

/** The same by a dense transition matrix. */
function dense(size: number, edges: readonly Edge[], restart: readonly number[], damping: number, iterations: number): number[] {
  const weights = Array.from({ length: size }, () => new Array<number>(size).fill(0));
  const at = (a: number, b: number) => weights[a]?.[b] ?? 0;
  for (const [a, b, weight] of edges) {
    if (a === b) continue;
    for (const [from, to] of [
      [a, b],
      [b, a],
    ] as const)
      (weights[from] ?? [])[to] = at(from, to) + weight;
  }
  let current = [...restart];
  for (let round = 0; round < iterations; round++) {
    const next = new Array<number>(size).fill(0);
    for (let from = 0; from < size; from++) {
      const total = (weights[from] ?? []).reduce((sum, weight) => sum + weight, 0);
      const share = current[from] ?? 0;
      for (let to = 0; to < size; to++) {
        next[to] =
          (next[to] ?? 0) +
          (total === 0 ? share * (restart[to] ?? 0) : share * (damping * (at(from, to) / total) + (1 - damping) * (restart[to] ?? 0)));
      }
    }
    current = next;
  }
  return current;
}

const SIZE = 8;
const edges = fc.array(fc.tuple(fc.nat(SIZE - 1), fc.nat(SIZE - 1), fc.double({ min: 0.01, max: 5, noNaN: true })), { maxLength: 24 });
const seedWeights = fc
  .array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: SIZE, maxLength: SIZE })
  .filter((weights) => weights.some((weight) => weight > 1e-6));

describe('personalised PageRank', () => {
  it('sums to 1 and equals the dense computation', () => {
    fc.assert(
      fc.property(edges, seedWeights, fc.double({ min: 0, max: 0.95, noNaN: true }), fc.nat(25), (list, weights, damping, iterations) => {
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        const found = rank(list, new Map(weights.map((weight, i) => [`n${i}`, weight])), damping, iterations);
        const wanted = dense(
          SIZE,
          list,
          weights.map((weight) => weight / total),
          damping,
          iterations,
        );
        for (const [i, share] of wanted.entries()) expect(found.get(`n${i}`)).toBeCloseTo(share, 9);
        expect([...found.values()].reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('gives twins equal shares', () => {
    const shares = rank(
      [
        [0, 1, 1],
        [0, 2, 1],
        [1, 3, 2],
        [2, 4, 2],
      ],
      new Map([['n0', 5]]),
    );
    expect(shares.get('n1')).toBe(shares.get('n2'));
    expect(shares.get('n3')).toBe(shares.get('n4'));
    expect(shares.get('n1') ?? 0).toBeGreaterThan(shares.get('n3') ?? 0);
  });

  it('leaves a seed without edges its own share, and others nothing', () => {
    const shares = rank([[0, 1, 1]], new Map([['alone', 1]]));
    expect(shares.get('alone')).toBe(1);
    expect(shares.get('n0')).toBe(0);
  });

  it('follows heavy edges more than light ones, and a hub passes little to each', () => {
    const heavy = rank(
      [
        [0, 1, 3],
        [0, 2, 1],
      ],
      new Map([['n0', 1]]),
    );
    expect(heavy.get('n1') ?? 0).toBeGreaterThan(heavy.get('n2') ?? 0);
    const hub = rank(
      [
        [0, 1, 1],
        [0, 2, 1],
        [2, 3, 1],
        [1, 4, 1],
        [1, 5, 1],
        [1, 6, 1],
      ],
      new Map([['n0', 1]]),
    );
    expect(hub.get('n3') ?? 0).toBeGreaterThan(hub.get('n4') ?? 0);
  });

  it('is empty without a seed of weight, and ignores edges without weight and loops', () => {
    expect(rank([[0, 1, 1]], new Map()).size).toBe(0);
    expect(
      rank(
        [[0, 1, 1]],
        new Map([
          ['n0', 0],
          ['n1', -1],
        ]),
      ).size,
    ).toBe(0);
    expect(
      rank(
        [
          [0, 1, 0],
          [0, 1, -1],
          [0, 1, Number.NaN],
          [0, 0, 1],
        ],
        new Map([['n0', 1]]),
      ),
    ).toEqual(new Map([['n0', 1]]));
  });
});
