import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMemory, type Memory, modelExtractor } from '@tandem-memory/core';
import { FixedClock, HashEmbeddingModel, ScriptedLanguageModel } from '@tandem-memory/core/testing';
import { Neo4jGraphStore } from '@tandem-memory/graph';
import { TiktokenCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOTHING } from '../pipeline/open-test-memory.ts';
import { startNeo4j } from '../services/neo4j/find-service.ts';
import { KEEP_PLANS, type Neo4jService } from '../services/neo4j/neo4j-service.ts';
import { markedTurns } from '../support/marked-turns.ts';
import { neo4jMissing } from './open-neo4j-store.ts';

/** What docs/neo4j.md tells an operator to set. The last two bring a checkpoint within seconds, which the Community Edition can't be asked for. */
const SETTINGS = {
  'db.tx_log.rotation.retention_policy': 'keep_none',
  'db.tx_log.rotation.size': '1M',
  'db.checkpoint.interval.time': '1s',
  'db.checkpoint.interval.tx': '1',
};
const CHECKPOINT_TIMEOUT_MS = 60_000;
const POLL_MS = 3_000;
const { marks: MARKS, scope, said, other } = markedTurns(60, '§');
const counter = await TiktokenCounter.load();

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : []));
}

/** Bits in front of a short text in its property: key, type, encoding and length. */
const BITS_BEFORE = 39;

/** A file's bytes, and as Neo4j packs a short text: whole words, the last byte first, behind a head that is not whole bytes. */
function readings(path: string): Buffer[] {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
  if (!path.endsWith('propertystore.db') && !path.includes('transaction.db')) return [bytes];
  const packed = Array.from({ length: 8 }, (_, start) => {
    const words = Buffer.from(bytes.subarray(start, bytes.length - ((bytes.length - start) % 8))).swap64();
    const shift = BITS_BEFORE % 8;
    for (let at = 0; at < words.length; at++) words[at] = ((words[at] ?? 0) >> shift) | ((words[at + 1] ?? 0) << (8 - shift));
    return words;
  });
  return [bytes, ...packed];
}

function marksIn(folder: string, marks: readonly string[]): string[] {
  const found = filesIn(folder).flatMap((path) => {
    const read = readings(path);
    const one = (mark: string) =>
      read.some((bytes) => bytes.includes(mark) || bytes.includes(Buffer.from(mark, 'latin1')) || bytes.includes(Buffer.from(mark, 'utf16le')));
    return marks.filter(one).map((mark) => `${mark} in ${path.slice(folder.length)}`);
  });
  return found.sort();
}

/** The server writes its files in its own time. */
async function untilGone(folder: string, marks: readonly string[]): Promise<string[]> {
  for (const deadline = Date.now() + CHECKPOINT_TIMEOUT_MS; ; ) {
    const found = marksIn(folder, marks);
    if (found.length === 0 || Date.now() > deadline) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function untilThere(folder: string, marks: readonly string[]): Promise<string[]> {
  for (const deadline = Date.now() + CHECKPOINT_TIMEOUT_MS; ; ) {
    const found = marksIn(folder, marks);
    const lacking = marks.filter((mark) => !found.some((line) => line.startsWith(`${mark} in /databases`)));
    if (lacking.length === 0 || Date.now() > deadline) return lacking;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

describe.skipIf(neo4jMissing)('what was forgotten is in no file of a Neo4j server', () => {
  let service: Neo4jService | undefined;
  let memory: Memory;

  beforeAll(async () => {
    const started = await startNeo4j({ authentication: false, settings: { ...KEEP_PLANS, ...SETTINGS }, inMemory: true });
    if (typeof started !== 'string') service = started;
    const clock = new FixedClock('2026-06-15T12:00:00.000Z');
    const database = new SqliteDatabase({ path: ':memory:' });
    memory = createMemory({
      graph: new Neo4jGraphStore({ server: { url: service?.url ?? '' }, clock }),
      vectors: new EmbeddedVectorIndex({ database }),
      keywords: new EmbeddedKeywordIndex({ database }),
      embedding: new HashEmbeddingModel(),
      extractor: modelExtractor(new ScriptedLanguageModel([NOTHING]), { clock }),
      counter,
      clock,
      resources: [database],
    });
  });
  afterAll(async () => {
    await memory.close();
    await service?.stop();
  });

  async function fill(userId: string): Promise<void> {
    for (let from = 0; from < said.length; from += 30) {
      await memory.store(said.slice(from, from + 30), { userId, ...scope });
      await memory.store(other.slice(from, from + 30), { userId: 'u-kept', sessionId: 'kept' });
    }
  }

  for (const [what, userId, narrowed] of [
    ['of a user', 'u-gone', {}],
    ['of a user, once more', 'u-gone', {}],
    ['of a session of a user who stays', 'u-kept', { sessionId: scope.sessionId }],
    ['of an entity of a user who stays', 'u-kept', { entity: 'ZORK§BLAT' }],
  ] as const) {
    it(what, async (context) => {
      const folder = service?.dataFolder;
      if (folder === undefined) return context.skip('the files of the server are not on this machine');
      await fill(userId);
      expect(await untilThere(folder, MARKS)).toEqual([]);
      const receipt = await memory.forget({ userId, ...narrowed });
      expect(receipt).toMatchObject({ erased: { episodes: 60 }, remaining: { episodes: 0, facts: 0, entities: 0 }, degraded: [] });
      expect(receipt.left).toEqual([expect.stringContaining('next checkpoint, within 1s')]);
      expect(await untilGone(folder, MARKS)).toEqual([]);
      expect((await memory.retrieve('sheep 17', { userId: 'u-kept' })).items.length).toBeGreaterThan(0);
      expect(await memory.stats('u-kept')).toMatchObject({ episodes: 60, facts: 60 });
    });
  }
});
