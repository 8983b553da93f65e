import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** The packages' own sources in place of dist, so that a test never sees an old build. */
const SOURCE = '@tandem-memory/source';
const conditions = [SOURCE, ...defaultServerConditions];

/** They share one Neo4j server and empty it, so they run one after the other. */
const NEO4J_TESTS = ['test/neo4j/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: [SOURCE, 'node', 'module-sync'] } },
  test: {
    allowOnly: false,
    projects: [
      {
        extends: true,
        test: {
          name: 'local',
          include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: ['**/node_modules/**', ...NEO4J_TESTS],
          environment: 'node',
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'neo4j',
          include: [...NEO4J_TESTS, 'test/pipeline/**/*.test.ts'],
          globalSetup: 'test/services/neo4j/global-setup.ts',
          fileParallelism: false,
          environment: 'node',
          testTimeout: 60_000,
          hookTimeout: 240_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
