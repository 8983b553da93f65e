import { describe, expect, it } from 'vitest';
import type { Candidate } from '../domain/candidate.ts';
import type { Episode } from '../domain/episode.ts';
import type { GraphStore } from '../ports/graph-store.ts';
import { turnsAround, withTurns } from './beside.ts';

function hit(id: string, score: number, kind: Candidate['kind'] = 'episode'): Candidate {
  return { kind, id, score, channels: [{ channel: 'vector', rank: 1, score }], path: [] };
}

/** A talk of the given turns; of each only the id matters. */
function talk(turns: readonly string[]) {
  const asked: string[][] = [];
  const graph: Pick<GraphStore, 'neighbours'> = {
    neighbours: async (_, ids, count) => {
      asked.push([...ids]);
      const side = (id: string) => {
        const at = turns.indexOf(id);
        return count < 0 ? turns.slice(at + 1, at + 1 - count) : turns.slice(Math.max(0, at - count), at).reverse();
      };
      return new Map(ids.filter((id) => turns.includes(id)).map((id) => [id, side(id).map((turn) => ({ id: turn }) as Episode)]));
    },
  };
  return { graph: graph as GraphStore, asked };
}

describe('turns around the best', () => {
  it('stand before and after it, each once, with the score of what they stand beside', async () => {
    const flat = [hit('c', 0.9), hit('d', 0.5)];
    const beside = (rank: number, score = 0.9) => ({ channel: 'neighbour', rank, score });
    const around = await turnsAround('u', flat, talk(['a', 'b', 'c', 'd', 'e']));
    expect(withTurns(flat, around)).toEqual([
      { ...hit('c', 0.9), channels: [{ channel: 'vector', rank: 1, score: 0.9 }, beside(5, 0.5)] },
      { ...hit('d', 0.5), channels: [{ channel: 'vector', rank: 1, score: 0.5 }, beside(3)] },
      { kind: 'episode', id: 'b', score: 0, channels: [beside(1)], path: [] },
      { kind: 'episode', id: 'a', score: 0, channels: [beside(2)], path: [] },
      { kind: 'episode', id: 'e', score: 0, channels: [beside(4)], path: [] },
    ]);
  });

  it('are those of a few turns, of no facts, and none where nothing was found', async () => {
    const turns = Array.from({ length: 30 }, (_, i) => `t${i}`);
    const { graph, asked } = talk(turns);
    const flat = [hit('f', 1, 'fact'), ...turns.filter((_, i) => i % 3 === 0).map((id, i) => hit(id, 0.9 - i / 100))];
    expect((await turnsAround('u', flat, { graph })).size).toBeLessThan(30);
    expect(asked).toEqual([flat.slice(1, 6).map(({ id }) => id), flat.slice(1, 6).map(({ id }) => id)]);
    expect((await turnsAround('u', [hit('stranger', 1)], { graph })).size).toBe(0);
    asked.length = 0;
    expect((await turnsAround('u', [hit('f', 1, 'fact')], { graph })).size).toBe(0);
    expect(asked).toEqual([]);
  });
});
