import { defaultServerConditions } from 'vite';
import { defineConfig } from 'vitest/config';

/** The packages' own sources in place of dist, so that a test never sees an old build. */
const SOURCE = '@tandem-memory/source';
const conditions = [SOURCE, ...defaultServerConditions];

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: [SOURCE, 'node', 'module-sync'] } },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/src/**/*.test.ts', 'scripts/**/*.test.mjs'],
    environment: 'node',
    testTimeout: 30_000,
    allowOnly: false,
  },
});
