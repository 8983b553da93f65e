import { describe, expect, it } from 'vitest';
import { findArrowViolations } from './check-arrows.mjs';

const check = (path, text) => findArrowViolations([{ path, text }]);

describe('arrows', () => {
  it.each([
    ['a stage that imports a stage', 'packages/core/src/retrieval/recall.ts', "import { pack } from '../packing/pack.ts';"],
    ['a stage that imports the facade', 'packages/core/src/packing/pack.ts', "import type { Memory } from '../memory.ts';"],
    ['a type that is imported in place', 'packages/core/src/domain/fact.ts', "export type T = import('../ports/clock.ts').Clock;"],
    ['a re-export', 'packages/core/src/ports/clock.ts', "export { store } from '../pipeline/store.ts';"],
    ['a lazy import', 'packages/core/src/domain/fact.ts', "export const load = () => import('../pipeline/store.ts');"],
    ['an import for its effect', 'packages/core/src/errors.ts', "import './domain/fact.ts';"],
    ['an SDK in core', 'packages/core/src/extraction/extract.ts', "import OpenAI from 'openai';"],
    ['files in core', 'packages/core/src/documents/chunk.ts', "import { readFileSync } from 'node:fs';"],
    ['a driver package in core', 'packages/core/src/pipeline/store.ts', "import { SqliteDatabase } from '@tandem-memory/sqlite';"],
    ['a driver package in a test of core', 'packages/core/src/pipeline/store.test.ts', "import { SqliteDatabase } from '@tandem-memory/sqlite';"],
    ['the graph in the vector package', 'packages/vector/src/embedded/index.ts', "import { EmbeddedGraph } from '@tandem-memory/graph';"],
    ['a subpath of a forbidden package', 'packages/cli/src/main.ts', "import { FixedClock } from '@tandem-memory/core/testing';"],
    ['a path into another package', 'packages/graph/src/neo4j/driver.ts', "import { deriveId } from '../../../core/src/domain/id.ts';"],
    ['a sibling driver', 'packages/models/src/openai/client.ts', "import { load } from '../local/weights.ts';"],
    ['a package without arrows', 'packages/mcp/src/index.ts', 'export const a = 1;'],
    ['a room of core without arrows', 'packages/core/src/attic/forget.ts', "import { deriveId } from '../domain/id.ts';"],
    ['the environment', 'packages/models/src/openai/client.ts', 'export const key = process.env.OPENAI_API_KEY;'],
    ['the environment by another spelling', 'packages/models/src/openai/client.ts', "export const key = globalThis.process['env']?.KEY;"],
    ['the environment by its module', 'packages/models/src/openai/client.ts', "import { env } from 'node:process';"],
    ['the environment taken apart', 'packages/models/src/openai/client.ts', 'const { env } = process;'],
  ])('refuses %s', (_, path, text) => {
    const found = check(path, text);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^packages\/\S+:1: .+\n {4}\S.+\.$/);
  });

  it.each([
    ['the pipeline that orders stages', 'packages/core/src/pipeline/retrieve.ts', "import { pack } from '../packing/pack.ts';"],
    ['a neighbour in the same room', 'packages/core/src/packing/pack.ts', "import { render } from './render.ts';"],
    ['scripted models in a test', 'packages/core/src/extraction/extract.test.ts', "import { ScriptedLanguageModel } from '../testing/index.ts';"],
    ['the testing subpath in a driver', 'packages/graph/src/embedded/store.test.ts', "import { FixedClock } from '@tandem-memory/core/testing';"],
    ['a file that drivers share', 'packages/models/src/openai/client.ts', "import { batch } from '../batch.ts';"],
    ['drivers in the memory package', 'packages/memory/src/open.ts', "import { EmbeddedGraph } from '@tandem-memory/graph';"],
    ['the one reader of the environment', 'packages/memory/src/environment.ts', 'export const path = process.env.TANDEM_PATH;'],
    ['a property that is merely called env', 'packages/cli/src/commands.ts', 'export const mode = (options) => options.env;'],
    ['a forbidden path in a string', 'packages/core/src/domain/fact.ts', 'export const text = "import x from \'openai\'";'],
  ])('allows %s', (_, path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});
