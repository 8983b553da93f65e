import { describe, expect, it } from 'vitest';
import { plotLift } from './plot-lift.ts';
import { readReport, writeReport } from './write-report.ts';

const result = (benchmark: string, figures: object, settings: object = {}) =>
  JSON.stringify({ ...figures, settings: { without: '', ...settings }, versions: { benchmark, date: '2026-01-01' } });
const passages = (off: number, on: number) => ({ graph_off: { '@2': off, '@5': off }, graph_on: { '@2': on, '@5': on } });
const talk = (at5: number) => ({ recall: { '@5': at5, tokens500: 80 }, by_category: { '1': { '@10': 50 }, '2': { '@10': at5 } } });

describe('the report', () => {
  it('writes each table into its place, and leaves the rest of the page', () => {
    const page = 'A\n<!-- table musique -->\nold\n<!-- end -->\nB\n<!-- table hotpot -->\nstays\n<!-- end -->\n';
    expect(writeReport(page, readReport([result('musique', passages(60, 70.25))]))).toBe(
      'A\n<!-- table musique -->\n|  | @2 | @5 |\n| --- | --- | --- |\n| graph off | 60.0 | 60.0 |\n| graph on | 70.3 | 70.3 |\n<!-- end -->\nB\n<!-- table hotpot -->\nstays\n<!-- end -->\n',
    );
  });

  it('joins runs of one benchmark: graph off and on, with a cross-encoder, categories, and what it does without', () => {
    const { tables } = readReport([
      result('locomo', talk(70), { hops: 0 }),
      result('locomo', talk(71), { hops: 2 }),
      result('locomo', talk(60), { hops: 2, without: 'keyword' }),
      result('locomo', talk(73), { hops: 2, reranker: 'cross-encoder' }),
      result('sample', { graph_off: { all: { '@5': 1 } }, graph_on: { all: { '@5': 2 } } }),
    ]);
    expect([...(tables.get('locomo') ?? [])].map(([name, row]) => [name, row['@5']])).toEqual([
      ['graph off', 70],
      ['graph on', 71],
      ['and a cross-encoder', 73],
    ]);
    expect(tables.get('locomo categories')?.get('graph on')).toEqual({ 'multi-hop': 50, temporal: 71 });
    expect([...(tables.get('locomo without') ?? [])].map(([name, row]) => [name, row['@5']])).toEqual([
      ['nothing', 71],
      ['keyword', 60],
    ]);
    expect(tables.get('sample')?.get('graph on')).toEqual({ '@5': 2 });
  });

  it('has a table for each embedding model, a row a language', () => {
    const languages = (en: number) => ({ by_language: { en: { '@1': en }, ko: { '@1': 50 } } });
    const { tables } = readReport([
      result('memorybank', languages(60), { embedding: 'minilm' }),
      result('memorybank', languages(65), { embedding: './models/e5' }),
    ]);
    expect(tables.get('memorybank minilm')?.get('en')).toEqual({ '@1': 60 });
    expect(tables.get('memorybank e5')?.get('en')).toEqual({ '@1': 65 });
    expect([...(tables.get('memorybank e5')?.keys() ?? [])]).toEqual(['en', 'ko']);
  });

  it('refuses a text that is no result, and a page without the place', () => {
    expect(() => readReport(['{"a":1}'])).toThrow();
    expect(() => writeReport('no place', readReport([result('musique', passages(1, 2))]))).toThrow(/table musique/);
  });

  it('draws a pair of bars for what was measured both ways', () => {
    const svg = plotLift(readReport([result('musique', passages(60, 70)), result('locomo', talk(70), { hops: 2 })]), {
      musique: 'MuSiQue',
      locomo: 'LoCoMo',
    });
    expect(svg.match(/<rect /g)).toHaveLength(1 + 2);
    expect(svg).toContain('MuSiQue');
    expect(svg).not.toContain('LoCoMo');
  });
});
