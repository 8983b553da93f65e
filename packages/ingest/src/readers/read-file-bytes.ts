import { decodeText } from '../decode-text.ts';
import { ZipFile, ZipLimitError } from '../zip-file.ts';
import { isDocx, readDocx } from './docx.ts';
import { readPdf } from './pdf.ts';
import { readContent, readJson } from './read-content.ts';
import type { ReadFile, Refusal } from './read-file.ts';

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
/** A PDF may have other bytes in front. */
const PDF_HEAD_BYTES = 1024;

/** What a ZIP file is, by a part that it has. */
const OFFICE: readonly (readonly [part: string, advice: string])[] = [
  ['xl/workbook.xml', 'an Excel workbook; save its sheets as CSV'],
  ['ppt/presentation.xml', 'a PowerPoint presentation; save it as PDF'],
  ['META-INF/container.xml', 'an EPUB book; convert it to HTML'],
  ['content.xml', 'an OpenDocument file; save it as DOCX or PDF'],
];

/** Reads a file of any format that is known, by its first bytes and not by what its name claims. */
export async function readFileContent(bytes: Uint8Array, name?: string): Promise<ReadFile | Refusal> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PDF_HEAD_BYTES)).toString('latin1');
  if (start.includes('%PDF-')) return readPdf(bytes, name);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06')) return readZip(bytes, name);
  if (start.startsWith(OLE)) return { refused: oleKind(bytes) };
  const decoded = await decodeText(bytes);
  if ('refused' in decoded) return decoded;
  if (decoded.text.trim() === '') return { documents: [], messages: [], leftOut: 0, notes: [...decoded.notes] };
  const read = await readContent(decoded.text, name);
  return 'refused' in read ? read : { ...read, notes: [...decoded.notes, ...read.notes] };
}

async function readZip(bytes: Uint8Array, name: string | undefined): Promise<ReadFile | Refusal> {
  let zip: ZipFile;
  try {
    zip = await ZipFile.open(bytes);
  } catch (error) {
    return { refused: error instanceof ZipLimitError ? error.message : 'damaged ZIP or Office file' };
  }
  if (zip.encrypted) return { refused: 'a password-protected archive' };
  if (isDocx(zip)) return readDocx(zip, name);
  const chats = zip.names.filter((part) => /(?:^|\/)conversations(?:-\d+)?\.json$/.test(part));
  if (chats.length > 0) return readExportedChats(zip, chats);
  const office = OFFICE.find(([part]) => zip.has(part));
  return { refused: office === undefined ? 'an archive; unpack it and ingest the folder' : office[1] };
}

/** The archive that ChatGPT and Claude send. */
async function readExportedChats(zip: ZipFile, parts: readonly string[]): Promise<ReadFile | Refusal> {
  try {
    const found: ReadFile[] = [];
    for (const part of parts) {
      const decoded = await decodeText(await zip.read(part));
      const read = 'text' in decoded ? readJson(decoded.text) : undefined;
      if (read !== undefined) found.push(read);
    }
    if (found.length === 0) return { refused: 'its conversations.json is no export that is known' };
    return {
      documents: [],
      messages: found.flatMap((read) => read.messages),
      leftOut: found.reduce((sum, read) => sum + read.leftOut, 0),
      notes: found.flatMap((read) => read.notes),
    };
  } catch (error) {
    return { refused: error instanceof ZipLimitError ? error.message : 'damaged archive' };
  }
}

/** The container of old Office files is that of encrypted new ones too. */
function oleKind(bytes: Uint8Array): string {
  const encrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from('EncryptedPackage', 'utf16le'));
  return encrypted
    ? 'a password-protected Office file; save it without a password'
    : 'an old Office file (.doc, .xls, .ppt); save it as DOCX, CSV or PDF';
}
