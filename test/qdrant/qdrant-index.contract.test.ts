import { keywordIndexConformance, vectorIndexConformance } from '@tandem-memory/core/conformance';
import { afterAll, describe, it } from 'vitest';
import { startQdrant } from '../services/qdrant/qdrant-service.ts';
import { TestIndexes } from '../services/qdrant/test-index.ts';

const service = await startQdrant();

describe.skipIf('missing' in service)('Qdrant', () => {
  if ('missing' in service) return;
  const indexes = new TestIndexes(service);
  afterAll(async () => {
    await indexes.clear();
    await service.stop();
  });

  vectorIndexConformance({ describe, it }, indexes.factory());
  keywordIndexConformance({ describe, it }, indexes.factory());
});
