import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The packages' own sources in place of dist, so that a test never sees an old build. */
const SOURCE = '@tandem-memory/source';
const conditions = [SOURCE, ...defaultServerConditions];

/** Tests on servers. Those on Neo4j empty its one database, so that each worker has a server of its own. */
const [NEO4J_TESTS, QDRANT_TESTS, SERVERS_TESTS] = ['test/neo4j/**/*.test.ts', 'test/qdrant/**/*.test.ts', 'test/servers/**/*.test.ts'] as const;
/** Tests of the whole engine, which run on all of {embedded, Neo4j} x {embedded, Qdrant}. */
const MATRIX = ['test/pipeline/**/*.test.ts', 'test/lifecycle/**/*.test.ts'];
/**
 * On Neo4j a store takes ten times as long as in the file and a forget a second, so on both servers at once `npm test` runs what crosses the
 * stores; FULL_MATRIX=1 runs all of the matrix there too, restarts of Neo4j, faults of silent servers, and kills on Neo4j beside the file.
 */
const full = process.env['FULL_MATRIX'] === '1';
const ON_GRAPH = [full ? NEO4J_TESTS : 'test/neo4j/{driver,whole-system,neo4j-graph-store.contract,erased-bytes,browser/browser}.test.ts', ...MATRIX];
const ON_BOTH = full ? [SERVERS_TESTS, ...MATRIX] : [SERVERS_TESTS, 'test/pipeline/store.test.ts'];
const NEO4J_SETUP = 'test/services/neo4j/global-setup.ts';
const QDRANT_SETUP = 'test/services/qdrant/global-setup.ts';
const ON_NEO4J = { environment: 'node', testTimeout: 240_000, hookTimeout: 240_000 } as const;
/** The server that the environment names is one. */
const oneNeo4j = (process.env['NEO4J_URI'] ?? '') !== '';

/** Each forget on Neo4j overwrites all that was freed on that server before, so what makes thousands of records there comes last. */
const MANY_RECORDS = ['test/pipeline/retrieval.test.ts', 'test/neo4j/driver.test.ts', 'test/neo4j/neo4j-graph-store.contract.test.ts'];

class ManyRecordsLast extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const last = ({ project, moduleId }: TestSpecification) => project.name === 'neo4j' && MANY_RECORDS.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter((file) => !last(file)), ...sorted.filter(last)];
  }
}

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: [SOURCE, 'node', 'module-sync'] } },
  test: {
    allowOnly: false,
    // Vitest would leave a processor free: of two half.
    maxWorkers: '100%',
    sequence: { sequencer: ManyRecordsLast },
    projects: [
      {
        extends: true,
        test: {
          name: 'local',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/node_modules/**', NEO4J_TESTS, QDRANT_TESTS, SERVERS_TESTS],
          environment: 'node',
          // Some start a process a dozen times, beside what the other worker starts.
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: { name: 'qdrant', include: [QDRANT_TESTS, ...MATRIX], globalSetup: QDRANT_SETUP, environment: 'node', testTimeout: 120_000 },
      },
      {
        extends: true,
        test: {
          name: 'neo4j',
          include: ON_GRAPH,
          globalSetup: NEO4J_SETUP,
          ...ON_NEO4J,
          // One waits half of its time: a forget does until the server has taken freed records back, once a second.
          maxWorkers: oneNeo4j ? 1 : 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          include: ON_BOTH,
          globalSetup: [NEO4J_SETUP, QDRANT_SETUP],
          ...ON_NEO4J,
          // The lines of the faults have limits.
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
