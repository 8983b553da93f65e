import { describe, expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { configFromEnvironment } from './environment.ts';
import { openMemory } from './open-memory.ts';

describe('parseConfig', () => {
  it.each([
    [{ tokens: 1.5 }, "tokens: Give 'o200k_base', 'cl100k_base' or { charactersPerToken: 1.5 }"],
    [configFromEnvironment({ TANDEM_TOKENS: 'gpt' }), '(TANDEM_TOKENS: o200k_base, cl100k_base or 1.5)'],
    [{ tokens: { charactersPerToken: 0 } }, 'tokens.charactersPerToken: '],
    [{ embedding: 'nope' }, "embedding: Give 'minilm', 'fast', { folder }"],
    [{ embedding: { provider: 'openai', dimensions: 8 } }, 'embedding.model: '],
    [{ embedding: { folder: './e5', pooling: 'max' } }, 'embedding.pooling: '],
    [{ embedding: { folder: './e5', prefix: 'x' } }, 'embedding: Unrecognized key: "prefix"'],
    [{ reranker: 'nope' }, "reranker: Give 'model', or { folder }"],
    [{ reranker: {} }, 'reranker.folder: '],
    [{ paths: 'x' }, 'Unrecognized key: "paths"'],
    ['tandem.db', 'expected object'],
  ])('names what is wrong with %j, and the remedy', (config, message) => {
    const parse = () => parseConfig(config);
    expect(parse).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(parse).toThrow(message);
    expect(parse).not.toThrow(/Invalid input[.;]/);
  });

  it('says of a name that is no local model where its key would be, and which names there are', async () => {
    const opened = openMemory({ path: ':memory:', ...configFromEnvironment({ TANDEM_EMBEDDING: 'nope' }) });
    await expect(opened).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(/nope.*OPENAI_API_KEY.*`minilm`, `fast`/) });
    const model = openMemory({ path: ':memory:', ...configFromEnvironment({ TANDEM_MODEL: 'gpt' }) });
    await expect(model).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringMatching(/gpt.*TANDEM_MODEL_API_KEY/) });
  });
});
