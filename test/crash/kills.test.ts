import { describe, expect, it } from 'vitest';
import { runKills } from '../../bench/src/kills/run-kills.ts';

/** A longer run: `npm run bench -- kills`. */
const KILLS = { kills: 8, points: 16 };

describe('a process killed while it stores and forgets', () => {
  it('loses nothing acknowledged, brings nothing back that was forgotten, and its stores agree', { timeout: 300_000 }, async () => {
    const result = await runKills({ servers: {}, ...KILLS });
    expect(result).toMatchObject({ findings: [], lost: 0, returned: 0, drift: 0, fault_points_killed_at: KILLS.points });
    expect(result.random_kills).toBeGreaterThan(0);
    expect(result.stored).toBeGreaterThan(50);
    expect(result.forgotten).toBeGreaterThan(30);
  });
});
