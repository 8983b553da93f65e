import { join } from 'node:path';
import { openMemory } from 'tandem-memory';
import { describe, expect, it } from 'vitest';
import { finished, start } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const TURNS = 60;

/** Runs the loop and kills it with SIGKILL after `lines` acknowledgements. */
async function killedAfter(path: string, lines: number): Promise<string[]> {
  const child = start('test/crash/store-loop.ts', [path, 'thread', String(TURNS)]);
  let seen = 0;
  child.stdout?.on('data', (chunk: Buffer) => {
    seen += chunk.toString().split('\n').length - 1;
    if (seen >= lines) child.kill('SIGKILL');
  });
  const { stdout } = await finished(child);
  return stdout
    .split('\n')
    .filter((line) => / (?:true|false)$/.test(line))
    .map((line) => line.split(' ')[0] ?? '');
}

describe('kill -9 while storing', () => {
  it('loses nothing acknowledged, and a repeat ends with the record of an undisturbed run', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const acknowledged = new Set<string>();
    for (const lines of [1, 7, 20]) for (const id of await killedAfter(path, lines)) acknowledged.add(id);
    expect(acknowledged.size).toBeGreaterThanOrEqual(20);

    {
      await using memory = await openMemory({ path, embedding: 'fast' });
      await memory.flush();
      const kept = new Set((await memory.episodes({ userId: 'ana' }, { limit: 1000 })).map((episode) => episode.id));
      expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
    }
    expect((await finished(start('test/crash/store-loop.ts', [path, 'thread', String(TURNS)]))).status).toBe(0);
    const calm = join(folder.path, 'calm.db');
    expect((await finished(start('test/crash/store-loop.ts', [calm, 'thread', String(TURNS)]))).status).toBe(0);

    await using killed = await openMemory({ path, embedding: 'fast' });
    await using undisturbed = await openMemory({ path: calm, embedding: 'fast' });
    const record = async (memory: typeof killed) => ({
      counts: await memory.stats('ana'),
      episodes: (await memory.episodes({ userId: 'ana' }, { limit: 1000 })).map(({ id, content, position, state }) => ({
        id,
        content,
        position,
        state,
      })),
      facts: (await memory.facts({ userId: 'ana' }, { limit: 1000 })).map(({ id, text, evidence }) => ({ id, text, evidence })),
      entities: (await memory.entities({ userId: 'ana' }, { limit: 1000 })).map(({ id, name, aliases }) => ({ id, name, aliases })),
    });
    expect(await record(killed)).toEqual(await record(undisturbed));
    expect((await killed.stats('ana')).vectors).toBe(TURNS);
  });
});

describe('two processes on one file', () => {
  it('write at once without an error, and each turn is there once', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, 'memory.db');
    const runs = await Promise.all(['first', 'second'].map((prefix) => finished(start('test/crash/store-loop.ts', [path, prefix, String(TURNS)]))));
    expect(runs.map((run) => run.status)).toEqual([0, 0]);
    await using memory = await openMemory({ path, embedding: 'fast' });
    await memory.flush();
    expect(await memory.stats('ana')).toMatchObject({ episodes: 2 * TURNS, vectors: 2 * TURNS, keywords: 2 * TURNS, outbox: 0 });
    const context = await memory.retrieve('Where is the Kestrel depot in the second run, number 31?', { userId: 'ana', topK: 5 });
    expect(context.items.length).toBeGreaterThan(0);
  });
});
