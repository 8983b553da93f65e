import { parseTime } from '@tandem-memory/core';
import { type ZipFile, ZipLimitError } from '../zip-file.ts';
import { htmlToMarkdown } from './html.ts';
import { asDocument, field, fileNameOf, type ReadFile, type Refusal } from './read-file.ts';

/** The library knows no column names; in documents the first row has them. */
const FIRST_ROW = /<table><tr>.*?<\/tr>/gs;
const MAIN_PART = 'word/document.xml';

/** Reads a Word document as Markdown, by its styles. Pictures are left out. */
export async function readDocx(zip: ZipFile, name?: string): Promise<ReadFile | Refusal> {
  const { convertToHtml, images } = (await import('mammoth')).default;
  try {
    // Nothing is unpacked by the library that was not unpacked here within the limit before.
    await zip.unpackAll();
    const properties = zip.has('docProps/core.xml') ? (await zip.read('docProps/core.xml')).toString('utf8') : '';
    const ignored = images.imgElement(async () => ({ src: '' }));
    const { value, messages } = await convertToHtml({ buffer: zip.bytes }, { convertImage: ignored, externalFileAccess: false });
    const text = await htmlToMarkdown(value.replace(FIRST_ROW, (row) => row.replaceAll(/<(\/?)td\b/g, '<$1th')));
    if (text === undefined) return { refused: 'its parts are nested too deeply' };
    const written = property(properties, 'dcterms:modified');
    const heading = /^#[ \t]+(\S.{0,198})$/m.exec(text)?.[1]?.trim();
    return asDocument(
      {
        text,
        ...field('title', property(properties, 'dc:title') ?? heading ?? fileNameOf(name)),
        ...field('at', written !== undefined && parseTime(written) !== undefined ? written : undefined),
        metadata: { format: 'docx', ...field('author', property(properties, 'dc:creator')) },
      },
      messages.some((message) => message.type === 'error') ? ['parts of it could not be read'] : [],
    );
  } catch (error) {
    if (error instanceof ZipLimitError) return { refused: error.message };
    return { refused: 'damaged Word document' };
  }
}

export function isDocx(zip: ZipFile): boolean {
  return zip.has(MAIN_PART);
}

function property(xml: string, name: string): string | undefined {
  const value = new RegExp(`<${name}(?:\\s[^>]*)?>([^<]{1,500})</${name}>`).exec(xml)?.[1]?.trim();
  return value === undefined || value === '' ? undefined : value.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
}
