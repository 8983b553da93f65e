import { describe, expect, it } from 'vitest';
import { configFromEnvironment } from './environment.ts';
import { openMemory } from './open-memory.ts';

describe('the embedding model in a configuration', () => {
  it.each(['./e5', '../models/e5', '/models/e5', 'C:\\models\\e5'])('is a folder where the environment says %s', (folder) => {
    expect(configFromEnvironment({ TANDEM_EMBEDDING: folder })).toEqual({ embedding: { folder } });
  });

  it.each(['text-embedding-3-small', 'BAAI/bge-m3', 'hf.co/org/model:Q4'])('is a model of a server where it says %s', (model) => {
    expect(configFromEnvironment({ TANDEM_EMBEDDING: model })).toEqual({ embedding: { provider: 'openai', model } });
  });

  it('is refused where the folder holds none', async () => {
    await expect(openMemory({ path: ':memory:', embedding: { folder: '/nowhere' } })).rejects.toMatchObject({ code: 'MODEL_FILES_MISSING' });
  });
});
