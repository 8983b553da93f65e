import { describe, expect, it } from 'vitest';
import { type MemoryOptions, parseOptions } from './config.ts';

describe('parseOptions', () => {
  it('fills in what is not given, at every depth', () => {
    expect(parseOptions(undefined)).toEqual(parseOptions({}));
    expect(parseOptions({ expansion: { fanOut: 5 } })).toEqual({ ...parseOptions({}), expansion: { ...parseOptions({}).expansion, fanOut: 5 } });
    expect(parseOptions({ indexing: { contextWeights: [] } }).indexing.contextWeights).toEqual([]);
  });

  it.each([
    [{ extraction: { turnsPerCall: 0 } }, 'options.extraction.turnsPerCall'],
    [{ extraction: { concurrency: 2.5 } }, 'options.extraction.concurrency'],
    [{ indexing: { batchSize: Number.NaN } }, 'options.indexing.batchSize'],
    [{ indexing: { ownWeight: '4' } }, 'options.indexing.ownWeight'],
    [{ recall: { keywordWeight: -1 } }, 'options.recall.keywordWeight'],
    [{ expansion: { hops: 3 } }, 'options.expansion.hops'],
    [{ expansion: { fanout: 3 } }, 'fanout'],
    [{ expansion: null }, 'options.expansion'],
    [{ extracting: {} }, 'extracting'],
  ])('refuses %j, naming %s', (options, name) => {
    const parse = () => parseOptions(options as unknown as MemoryOptions);
    expect(parse).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
    expect(parse).toThrow(name);
  });

  it('lists every option that is wrong', () => {
    expect(() => parseOptions({ extraction: { turnsPerCall: 0 }, recall: { candidates: 0 } })).toThrow(/turnsPerCall.*candidates/);
  });
});
