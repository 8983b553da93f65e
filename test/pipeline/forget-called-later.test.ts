import { createMemory, systemClock } from '@tandem-memory/core';
import { HashEmbeddingModel } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { CharacterCounter, rulesExtractor } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';
import { expect, it } from 'vitest';

/** As over a network, where two questions asked one after the other may be answered the other way round. */
class SlowToTell extends EmbeddedGraphStore {
  override async erasures(userId: string, since?: number): ReturnType<EmbeddedGraphStore['erasures']> {
    for (let turn = 0; turn < 200; turn++) await new Promise(setImmediate);
    return super.erasures(userId, since);
  }
}

it('a forget that is called after a store takes what it stores, whichever the graph hears of first', async () => {
  const database = new SqliteDatabase({ path: ':memory:' });
  await using memory = createMemory({
    graph: new SlowToTell({ database, clock: systemClock }),
    vectors: new EmbeddedVectorIndex({ database }),
    keywords: new EmbeddedKeywordIndex({ database }),
    embedding: new HashEmbeddingModel(),
    extractor: rulesExtractor(),
    counter: new CharacterCounter(4),
    clock: systemClock,
    resources: [database],
  });
  await memory.flush();
  const stored = memory.store('Bo saw a comet.', { userId: 'u', sessionId: 's', infer: false });
  const forgotten = memory.forget({ userId: 'u', sessionId: 's', compact: false });
  await Promise.all([stored, forgotten]);
  expect(await memory.episodes({ userId: 'u' })).toEqual([]);
  await memory.store('Bo saw another.', { userId: 'u', sessionId: 's', infer: false });
  expect(await memory.episodes({ userId: 'u' })).toHaveLength(1);
});
