import { createMemory, type Extractor, type Memory } from '@tandem-memory/core';
import { type FixedClock, HashEmbeddingModel } from '@tandem-memory/core/testing';
import { EmbeddedGraphStore } from '@tandem-memory/graph';
import { CharacterCounter } from '@tandem-memory/models';
import { SqliteDatabase } from '@tandem-memory/sqlite';
import { EmbeddedKeywordIndex, EmbeddedVectorIndex } from '@tandem-memory/vector';

/** A memory without weights, for what is about facts and their times. */
export function openSmallMemory(extractor: Extractor, clock: FixedClock): Memory {
  const database = new SqliteDatabase({ path: ':memory:' });
  return createMemory({
    graph: new EmbeddedGraphStore({ database, clock }),
    vectors: new EmbeddedVectorIndex({ database }),
    keywords: new EmbeddedKeywordIndex({ database }),
    embedding: new HashEmbeddingModel(),
    extractor,
    counter: new CharacterCounter(4),
    clock,
    resources: [database],
  });
}
