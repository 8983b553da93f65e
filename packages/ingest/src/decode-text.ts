import { legacyEncoding, unmarkedUtf16 } from './legacy-encoding.ts';

export type DecodedText = { readonly text: string; readonly notes: readonly string[] } | { readonly refused: string };

/** First bytes of common formats that hold no text to read, one character for each byte. */
const SIGNATURES: readonly (readonly [start: string, name: string])[] = [
  ['\x89PNG\r\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['\x1f\x8b', 'gzip archive'],
  ['\xfd7zXZ\0', 'xz archive'],
  ['(\xb5/\xfd', 'zstd archive'],
  ['7z\xbc\xaf\x27\x1c', '7z archive'],
  ['Rar!\x1a\x07', 'RAR archive'],
  ['{\\rtf', 'RTF document'],
  ['SQLite format 3\0', 'SQLite database'],
  ['\x7fELF', 'program'],
  ['\0asm', 'WebAssembly module'],
  ['\xff\xfe\0\0', 'UTF-32 text'],
];

/** An encoding that a page or an XML file names itself. */
const DECLARED = /(?:<meta[^>]{0,200}charset\s*=\s*["']?|<\?xml[^>]{0,200}encoding\s*=\s*["'])([\w-]{2,30})/i;

/** Encodings that a byte order mark announces; without one the bytes decide. */
const MARKS: readonly (readonly [start: string, encoding: string])[] = [
  ['\xff\xfe', 'utf-16le'],
  ['\xfe\xff', 'utf-16be'],
];

/** Shares of control characters above which bytes are no text: random bytes have 12 %, and fewer are valid UTF-8 by chance. */
const MAX_CONTROL_SHARE = 0.1;
const MAX_CONTROL_SHARE_WITHOUT_ENCODING = 0.05;
const REPLACEMENT = 0xfffd;

/**
 * Bytes as text with "\n" line ends, without NUL and byte order marks; or the reason why they are none. `notes` tell what was changed
 * beyond line ends and marks.
 */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText> {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  const signature = SIGNATURES.find(([first]) => start.startsWith(first));
  if (signature !== undefined) return { refused: `no text: ${signature[1]}` };
  const marked = MARKS.find(([first]) => start.startsWith(first))?.[1];
  if (marked !== undefined) return clean(decode(bytes, marked), MAX_CONTROL_SHARE, [`decoded from ${marked.toUpperCase()}`]);

  const unmarked = unmarkedUtf16(bytes);
  if (unmarked !== undefined) return clean(decode(bytes, unmarked), MAX_CONTROL_SHARE, [`decoded from ${unmarked.toUpperCase()}`]);
  const strict = decodeStrictly(bytes);
  if (strict !== undefined) return clean(strict, MAX_CONTROL_SHARE, []);
  // A few broken bytes in a text of another script must not turn all of it into Latin letters.
  const lenient = decode(bytes, 'utf-8');
  const broken = count(lenient, (code) => code === REPLACEMENT);
  if (count(lenient, (code) => code > 0x7f && code !== REPLACEMENT) > 2 * broken) {
    return clean(lenient, MAX_CONTROL_SHARE_WITHOUT_ENCODING, [
      `${broken} ${broken === 1 ? 'place is' : 'places are'} not valid UTF-8 and replaced by U+FFFD`,
    ]);
  }
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  const encoding = await legacyEncoding(bytes, DECLARED.exec(head)?.[1]);
  return clean(decode(bytes, encoding), MAX_CONTROL_SHARE_WITHOUT_ENCODING, [`not valid UTF-8; decoded as ${encoding}`]);
}

function clean(text: string, maxControlShare: number, notes: readonly string[]): DecodedText {
  if (count(text, isControl) > text.length * maxControlShare) return { refused: 'no text: binary data' };
  const nuls = count(text, (code) => code === 0);
  return {
    text: text.replaceAll(/[\0\ufeff]/g, '').replaceAll(/\r\n?/g, '\n'),
    notes: nuls === 0 ? notes : [...notes, `${nuls} NUL ${nuls === 1 ? 'character' : 'characters'} removed`],
  };
}

function decode(bytes: Uint8Array, encoding: string): string {
  return new TextDecoder(encoding).decode(bytes);
}

function decodeStrictly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for what no text holds: not for tabs, line ends, form feeds, and the escape character of coloured logs. */
function isControl(code: number): boolean {
  return (code < 0x20 && !(code >= 0x08 && code <= 0x0d) && code !== 0x1b) || (code >= 0x7f && code <= 0x9f);
}

function count(text: string, matches: (code: number) => boolean): number {
  let found = 0;
  for (let index = 0; index < text.length; index++) if (matches(text.charCodeAt(index))) found++;
  return found;
}
