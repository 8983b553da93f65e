export type DecodedText = { readonly text: string; readonly notes: readonly string[] } | { readonly refused: string };

/** First bytes of common formats that hold no plain text, one character for each byte. */
const SIGNATURES: readonly (readonly [start: string, name: string])[] = [
  ['%PDF-', 'PDF'],
  ['PK\x03\x04', 'ZIP or Office file'],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'old Office file'],
  ['\x89PNG\r\n', 'PNG image'],
  ['\xff\xd8\xff', 'JPEG image'],
  ['GIF87a', 'GIF image'],
  ['GIF89a', 'GIF image'],
  ['\x1f\x8b', 'gzip archive'],
  ['\xfd7zXZ\0', 'xz archive'],
  ['(\xb5/\xfd', 'zstd archive'],
  ['SQLite format 3\0', 'SQLite database'],
  ['\x7fELF', 'program'],
  ['\0asm', 'WebAssembly module'],
  ['\xff\xfe\0\0', 'UTF-32 text'],
];

/** Encodings that a byte order mark announces; without one the bytes decide between UTF-8 and windows-1252. */
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
export function decodeText(bytes: Uint8Array): DecodedText {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString('latin1');
  const signature = SIGNATURES.find(([first]) => start.startsWith(first));
  if (signature !== undefined) return { refused: `not plain text: ${signature[1]}` };
  const marked = MARKS.find(([first]) => start.startsWith(first))?.[1];
  if (marked !== undefined) return clean(decode(bytes, marked), MAX_CONTROL_SHARE, [`decoded from ${marked.toUpperCase()}`]);

  const strict = decodeStrictly(bytes);
  if (strict !== undefined) return clean(strict, MAX_CONTROL_SHARE, []);
  // A few broken bytes in a text of another script must not turn all of it into Latin letters.
  const lenient = decode(bytes, 'utf-8');
  const broken = count(lenient, (code) => code === REPLACEMENT);
  if (count(lenient, (code) => code > 0x7f && code !== REPLACEMENT) > broken) {
    return clean(lenient, MAX_CONTROL_SHARE_WITHOUT_ENCODING, [`${broken} places are not valid UTF-8 and were replaced by U+FFFD`]);
  }
  return clean(decode(bytes, 'windows-1252'), MAX_CONTROL_SHARE_WITHOUT_ENCODING, ['not valid UTF-8; decoded as windows-1252']);
}

function clean(text: string, maxControlShare: number, notes: readonly string[]): DecodedText {
  if (count(text, isControl) > text.length * maxControlShare) return { refused: 'not plain text: binary data' };
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
