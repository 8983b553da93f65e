import { parseTime } from '@tandem-memory/core';
import { type PdfLine, pdfSections } from './pdf-sections.ts';
import { asDocument, field, fileNameOf, type ReadFile, type Refusal } from './read-file.ts';

/** A picture of 10,000 pages says nothing to a reader of text; one that is that long is read to here. */
const MAX_PAGES = 10_000;

/** Reads the text of a PDF: lines joined to paragraphs, headings by the size of their letters, the page of each part as metadata. */
export async function readPdf(bytes: Uint8Array, name?: string): Promise<ReadFile | Refusal> {
  const { getDocumentProxy } = await import('unpdf');
  // The library takes the buffer over.
  const load = () => getDocumentProxy(new Uint8Array(bytes), { verbosity: 0, useSystemFonts: false });
  let pdf: Awaited<ReturnType<typeof load>>;
  try {
    pdf = await load();
  } catch (error) {
    return { refused: refusalOf(error) };
  }
  try {
    const pages: PdfLine[][] = [];
    const broken: number[] = [];
    const count = Math.min(pdf.numPages, MAX_PAGES);
    for (let number = 1; number <= count; number++) {
      try {
        const page = await pdf.getPage(number);
        pages.push(linesOf((await page.getTextContent()).items));
        page.cleanup();
      } catch {
        broken.push(number);
        pages.push([]);
      }
    }
    const text = pdfSections(pages);
    if (text.length === 0) {
      return {
        refused: broken.length > 0 ? 'damaged PDF: none of its pages can be read' : 'a PDF without text (scanned pages); run it through OCR first',
      };
    }
    const notes = [
      ...(broken.length === 0 ? [] : [`pages left out as damaged: ${broken.slice(0, 20).join(', ')}${broken.length > 20 ? ', ...' : ''}`]),
      ...(pdf.numPages > count ? [`only the first ${count} of ${pdf.numPages} pages were read`] : []),
    ];
    const { title, author, at } = await factsOf(pdf);
    const metadata = { format: 'pdf', pages: pdf.numPages, ...field('author', author) };
    return { ...asDocument({ text, metadata, ...field('title', title ?? fileNameOf(name)), ...field('at', at) }, notes), leftOut: broken.length };
  } finally {
    await pdf.loadingTask.destroy();
  }
}

function refusalOf(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  return name === 'PasswordException' ? 'a password-protected PDF; save it without a password' : 'damaged PDF';
}

async function factsOf(pdf: { getMetadata(): Promise<{ info: object }> }): Promise<{ title?: string; author?: string; at?: string }> {
  try {
    const { info } = await pdf.getMetadata();
    const text = (key: string) => {
      const value: unknown = Reflect.get(info, key);
      return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
    };
    return { ...field('title', text('Title')), ...field('author', text('Author')), ...field('at', pdfTime(text('CreationDate'))) };
  } catch {
    return {};
  }
}

/** `D:20240302101500+01'00'` as ISO 8601. */
function pdfTime(value: string | undefined): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = 'Z', zoneHours = '00', zoneMinutes = '00'] =
    /^(?:D:)?(\d{4})(\d{2})(\d{2})(\d{2})?(\d{2})?(\d{2})?(?:([-+Z])(?:(\d{2})'?(\d{2})?'?)?)?/.exec(value ?? '') ?? [];
  if (year === undefined) return undefined;
  const iso = `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === 'Z' ? 'Z' : `${zone}${zoneHours}:${zoneMinutes}`}`;
  return parseTime(iso) === undefined ? undefined : iso;
}

/** The pieces of text as they stand in lines, top to bottom as the file has them. */
function linesOf(items: readonly object[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let text = '';
  let height = 0;
  let y: number | undefined;
  const end = () => {
    if (text.trim() !== '') lines.push({ text: text.trim(), height, ...field('y', y) });
    text = '';
    height = 0;
    y = undefined;
  };
  for (const item of items) {
    if (!isTextItem(item)) continue;
    const at: unknown = item.transform[5];
    if (item.str !== '' && typeof at === 'number') {
      // Files exist that mark no line ends: another height on the page is another line.
      if (y !== undefined && Math.abs(at - y) > Math.max(height, item.height) * 0.6) end();
      y ??= at;
    }
    text += item.str;
    if (item.str.trim() !== '') height = Math.max(height, item.height);
    if (item.hasEOL) end();
  }
  end();
  return lines;
}

interface TextItem {
  readonly str: string;
  readonly height: number;
  readonly hasEOL: boolean;
  readonly transform: readonly unknown[];
}

/** Beside texts there are marks of the document's structure. */
function isTextItem(item: object): item is TextItem {
  return 'str' in item && 'transform' in item;
}
