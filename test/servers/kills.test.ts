import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runKills } from '../../bench/src/kills/run-kills.ts';
import { emptyDatabase, neo4jMissing, neo4jServer, openDriver } from '../neo4j/open-neo4j-store.ts';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';

/** A longer run: `npm run bench -- kills --graph ... --vector ...`. */
const KILLS = { kills: 3, points: 7 };
const [graph, vector] = [neo4jServer, qdrantServer];

describe.skipIf(neo4jMissing || qdrantMissing)('a process killed while it stores and forgets on servers', () => {
  const driver = openDriver();
  beforeEach(() => emptyDatabase(driver));
  afterAll(() => driver.close());

  it.each([
    ['Neo4j and Qdrant', { graph, vector }] as const,
    ...(process.env['FULL_MATRIX'] === '1' ? [['Neo4j and the file', { graph }] as const] : []),
    ['the file and Qdrant', { vector }] as const,
  ])('%s: nothing is lost, nothing comes back, no store differs from the other', async (_, servers) => {
    const result = await runKills({ servers, ...KILLS });
    expect(result).toMatchObject({ findings: [], lost: 0, returned: 0, drift: 0, fault_points_killed_at: KILLS.points });
    expect(result.stored).toBeGreaterThan(20);
    expect(result.forgotten).toBeGreaterThan(10);
  });
});
