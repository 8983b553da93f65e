import { keywordIndexConformance, vectorIndexConformance } from '@tandem-memory/core/conformance';
import { afterAll, describe, it } from 'vitest';
import { qdrantMissing, qdrantServer } from '../services/qdrant/provided-qdrant.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';

describe.skipIf(qdrantMissing)('Qdrant', () => {
  const indexes = new TestIndexes(qdrantServer);
  afterAll(() => indexes.clear());

  vectorIndexConformance({ describe, it }, indexes.factory());
  keywordIndexConformance({ describe, it }, indexes.factory());
});
