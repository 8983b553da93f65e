import { describe, expect, it } from 'vitest';
import { writeLife } from './life.ts';
import { runLife } from './run-life.ts';

describe('a synthetic life of 1,000 turns with 50 changes of mind', () => {
  it.each(['scripted', 'rules'] as const)('keeps current facts right and the history complete (%s)', async (extraction) => {
    const result = await runLife({ turns: 1000, changes: 50, extraction });
    expect(result).toMatchObject({ turns: 1000, current_right: 100, history_complete: 100, lasting_kept: 100 });
  });

  it('tells some changes late: the order of arrival is not the order of the world', () => {
    const { turns, topics } = writeLife(1000, 50);
    expect(turns).toHaveLength(1000);
    const stated = turns.filter((turn) => turn.states.length > 0).map((turn) => turn.at);
    expect(stated).not.toEqual([...stated].sort());
    expect([...topics.values()].reduce((sum, values) => sum + values.length - 1, 0)).toBe(50);
  });
});
