import { basename } from 'node:path';
import { z } from 'zod';

const row = z.record(z.string(), z.number());
const resultSchema = z.looseObject({
  versions: z.looseObject({ benchmark: z.string(), date: z.string() }),
  settings: z
    .looseObject({
      hops: z.number().optional(),
      embedding: z.string().default('minilm'),
      reranker: z.string().default(''),
      without: z.string().default(''),
    })
    .default({ embedding: 'minilm', reranker: '', without: '' }),
  recall: row.optional(),
  by_category: z.record(z.string(), row).optional(),
  by_language: z.record(z.string(), row).optional(),
  graph_off: z.union([row, z.looseObject({ all: row })]).optional(),
  graph_on: z.union([row, z.looseObject({ all: row })]).optional(),
});
type Result = z.output<typeof resultSchema>;
type Row = z.output<typeof row>;

export interface Report {
  /** Rows of each table, by the name of its place in the page; of what was measured twice the last. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, Row>>;
}

const CATEGORIES: Readonly<Record<string, string>> = { '1': 'multi-hop', '2': 'temporal', '3': 'open-domain', '4': 'single-hop' };

/** Reads what `bench <name> --json` printed. @throws where a text is no such result */
export function readReport(results: readonly string[]): Report {
  const tables = new Map<string, Map<string, Row>>();
  const add = (table: string, name: string, values: Row | undefined) => {
    if (values !== undefined) tables.set(table, (tables.get(table) ?? new Map()).set(name, values));
  };
  for (const text of results) {
    const result = resultSchema.parse(JSON.parse(text));
    const { benchmark } = result.versions;
    if (result.by_language !== undefined) {
      for (const [language, values] of Object.entries(result.by_language))
        add(`${benchmark} ${basename(result.settings.embedding)}`, language, values);
    } else if (result.settings.without !== '') {
      add(`${benchmark} without`, result.settings.without, result.recall ?? plain(result.graph_on));
    } else if (result.settings.reranker !== '') {
      add(benchmark, 'and a cross-encoder', result.recall ?? plain(result.graph_on));
      add(`${benchmark} categories`, 'and a cross-encoder', byCategory(result));
    } else if (result.recall !== undefined) {
      const name = result.settings.hops === 0 ? 'graph off' : 'graph on';
      add(benchmark, name, result.recall);
      add(`${benchmark} categories`, name, byCategory(result));
    } else {
      add(benchmark, 'graph off', plain(result.graph_off));
      add(benchmark, 'graph on', plain(result.graph_on));
    }
  }
  for (const [name, table] of tables) {
    const whole = tables.get(name.replace(/ without$/, ''))?.get('graph on');
    if (name.endsWith(' without') && whole !== undefined) tables.set(name, new Map([['nothing', whole], ...table]));
  }
  return { tables };
}

/**
 * The page with each table that the report holds between its markers, `<!-- table musique -->` and `<!-- end -->`; other tables stay.
 * @throws where the page has no place for a table
 */
export function writeReport(page: string, { tables }: Report): string {
  let written = page;
  for (const [name, rows] of tables) {
    const place = new RegExp(`(<!-- table ${name} -->\\n)[\\s\\S]*?(<!-- end -->)`);
    if (!place.test(written)) throw new Error(`The page has no place for the table "${name}": write <!-- table ${name} --> and <!-- end -->.`);
    written = written.replace(place, (_, begin: string, end: string) => `${begin}${markdownTable(name, rows)}${end}`);
  }
  return written;
}

function markdownTable(name: string, rows: ReadonlyMap<string, Row>): string {
  const columns = Object.keys([...rows.values()][0] ?? {});
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  const title = (column: string) => column.replace(/^tokens(\d+)$/, '$1 tokens');
  return [
    line([name.endsWith(' without') ? 'without' : '', ...columns.map(title)]),
    line(['---', ...columns.map(() => '---')]),
    ...[...rows].map(([label, values]) => line([label, ...columns.map((column) => values[column]?.toFixed(1) ?? '')])),
  ].join('');
}

function plain(figures: Result['graph_on']): Row | undefined {
  if (figures === undefined) return undefined;
  return row.parse('all' in figures ? figures['all'] : figures);
}

function byCategory({ by_category }: Result): Row | undefined {
  if (by_category === undefined) return undefined;
  return Object.fromEntries(Object.entries(by_category).map(([category, recall]) => [CATEGORIES[category] ?? category, recall['@10'] ?? 0]));
}
