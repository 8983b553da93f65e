import { asDocument, field, fileNameOf, type ReadFile } from './read-file.ts';

/** Reads rows as a Markdown table, so that each part of a long one begins with the names of its columns. The first row names them. */
export async function readCsv(text: string, name?: string): Promise<ReadFile> {
  const { default: papaparse } = await import('papaparse');
  const tabs = /\.(?:tsv|tab)$/i.test(name ?? '');
  const { data, errors } = papaparse.parse<string[]>(text, { skipEmptyLines: 'greedy', ...(tabs ? { delimiter: '\t' } : {}) });
  const width = data.reduce((most, row) => Math.max(most, row.length), 0);
  const [names = [], ...rows] = data;
  const columns = Array.from({ length: width }, (_, index) => names[index]?.trim() || `column ${index + 1}`);
  const table = [line(columns), line(columns.map(() => '---')), ...rows.map((row) => line(columns.map((_, index) => row[index] ?? '')))].join('');
  const uneven = rows.filter((row) => row.length !== names.length).length;
  const broken = errors.filter((error) => error.type === 'Quotes').length;
  const notes = [
    ...(uneven === 0 ? [] : [`${uneven} ${uneven === 1 ? 'row has' : 'rows have'} another number of cells than the first`]),
    ...(broken === 0 ? [] : [`${broken} ${broken === 1 ? 'quote is' : 'quotes are'} not closed properly`]),
  ];
  const metadata = { format: 'csv', rows: rows.length };
  return asDocument({ text: [{ text: table }], metadata, ...field('title', fileNameOf(name)) }, notes);
}

function line(cells: readonly string[]): string {
  return `| ${cells
    .map((cell) =>
      cell
        .trim()
        .replace(/\s*\n\s*/g, ' / ')
        .replaceAll('|', '\\|'),
    )
    .join(' | ')} |\n`;
}
