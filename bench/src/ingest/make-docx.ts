import { makeZip, type ZipPart } from './make-zip.ts';

export type DocxBlock =
  | { readonly heading: string; readonly level: number }
  | { readonly text: string }
  | { readonly rows: readonly (readonly string[])[] };

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';

/** A Word document as a word processor writes it, with headings by style and tables. */
export function makeDocx(
  blocks: readonly DocxBlock[],
  properties: { readonly title?: string; readonly author?: string } = {},
  extra: readonly ZipPart[] = [],
): Buffer {
  const body = blocks.map(blockXml).join('');
  const core = `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${escapeXml(properties.title ?? '')}</dc:title><dc:creator>${escapeXml(properties.author ?? '')}</dc:creator><dcterms:modified xsi:type="dcterms:W3CDTF">2024-03-02T10:15:00Z</dcterms:modified></cp:coreProperties>`;
  return makeZip([
    { name: '[Content_Types].xml', bytes: TYPES },
    { name: '_rels/.rels', bytes: RELATIONS },
    {
      name: 'word/document.xml',
      bytes: `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
    { name: 'docProps/core.xml', bytes: core },
    ...extra,
  ]);
}

function blockXml(block: DocxBlock): string {
  if ('rows' in block) {
    const row = (cells: readonly string[]) => `<w:tr>${cells.map((cell) => `<w:tc>${paragraph(cell)}</w:tc>`).join('')}</w:tr>`;
    return `<w:tbl>${block.rows.map(row).join('')}</w:tbl>`;
  }
  return 'heading' in block ? paragraph(block.heading, `Heading${block.level}`) : paragraph(block.text);
}

function paragraph(text: string, style?: string): string {
  const properties = style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
