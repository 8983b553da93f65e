/** A line of a page, with the size of its letters in points. */
export interface PdfLine {
  readonly text: string;
  readonly size?: number;
  /** Extra space above, in points. */
  readonly above?: number;
}

/** A PDF with Latin text in Helvetica, page by page, uncompressed. */
export function makePdf(pages: readonly (readonly PdfLine[])[], info: { readonly title?: string; readonly encrypted?: boolean } = {}): Buffer {
  const objects: string[] = [];
  const add = (body: string) => objects.push(body);
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ');
  add('<< /Type /Catalog /Pages 2 0 R >>');
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>');
  for (const [index, lines] of pages.entries()) {
    const stream = contentOf(lines);
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`);
    add(`<< /Length ${Buffer.byteLength(stream, 'latin1')} >>\nstream\n${stream}\nendstream`);
  }
  add(`<< ${info.title === undefined ? '' : `/Title (${escapePdf(info.title)}) `}/CreationDate (D:20240302101500+01'00') >>`);
  let text = '%PDF-1.7\n';
  const offsets = objects.map((body, index) => {
    const offset = Buffer.byteLength(text, 'latin1');
    text += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const start = Buffer.byteLength(text, 'latin1');
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const locked = `/Encrypt << /Filter /Standard /V 1 /R 2 /O (${'o'.repeat(32)}) /U (${'u'.repeat(32)}) /P -4 >> /ID [(id) (id)] `;
  const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R ${info.encrypted === true ? locked : ''}>>`;
  return Buffer.from(
    `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${start}\n%%EOF\n`,
    'latin1',
  );
}

function contentOf(lines: readonly PdfLine[]): string {
  let y = 800;
  const drawn = lines.map(({ text, size = 11, above = 0 }) => {
    y -= size * 1.25 + above;
    return `BT /F1 ${size} Tf 1 0 0 1 56 ${y.toFixed(2)} Tm (${escapePdf(text)}) Tj ET`;
  });
  return drawn.join('\n');
}

function escapePdf(text: string): string {
  return text.replace(/[\\()]/g, '\\$&');
}
