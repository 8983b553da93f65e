import { describe, expect, it } from 'vitest';
import { configFromEnvironment } from './environment.ts';
import { openMemory } from './open-memory.ts';

describe('the reranking model in a configuration', () => {
  it('is named by the environment: the language model, or a folder', () => {
    expect(configFromEnvironment({ TANDEM_RERANKER: 'model' })).toEqual({ reranker: 'model' });
    expect(configFromEnvironment({ TANDEM_RERANKER: ' /models/cross ' })).toEqual({ reranker: { folder: '/models/cross' } });
    expect(configFromEnvironment({ TANDEM_RERANKER: '' })).toEqual({});
  });

  it('is refused where there is none to ask', async () => {
    await expect(openMemory({ path: ':memory:', embedding: 'fast', reranker: 'model' })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
    await expect(openMemory({ path: ':memory:', embedding: 'fast', reranker: { folder: '/nowhere' } })).rejects.toMatchObject({
      code: 'MODEL_FILES_MISSING',
    });
  });
});
