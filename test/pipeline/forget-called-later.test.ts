import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { expect, it } from 'vitest';
import { openTestMemory } from './open-test-memory.ts';

/** As over a network, where two questions asked one after the other may be answered the other way round. */
class SlowToTell extends EmbeddedGraphStore {
  override async erasures(userId: string, since?: number): ReturnType<EmbeddedGraphStore['erasures']> {
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    return super.erasures(userId, since);
  }
}

it('a forget that is called after a store takes what it stores, whichever the graph hears of first', async () => {
  const database = new SqliteDatabase({ path: ':memory:' });
  const { memory } = openTestMemory({ graph: new SlowToTell({ database }) });
  await memory.flush();
  const stored = memory.store('Bo saw a comet.', { userId: 'u', sessionId: 's', infer: false });
  const forgotten = memory.forget({ userId: 'u', sessionId: 's', compact: false });
  await Promise.all([stored, forgotten]);
  expect(await memory.episodes({ userId: 'u' })).toEqual([]);
  await memory.store('Bo saw another.', { userId: 'u', sessionId: 's', infer: false });
  expect(await memory.episodes({ userId: 'u' })).toHaveLength(1);
});
