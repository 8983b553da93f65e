/** Detection reads no more than this; a text has one encoding from end to end. */
const SAMPLE_BYTES = 256 * 1024;
/** Of 100: below it the detector guesses, and texts of a few words are told by their letters instead. */
const SURE = 45;
const LIKELY = 25;

const MIN_ACCENTS = 6;
const OTHER_LATIN = /^(?:ISO-8859-(?:2|3|4|9|10|13|14|16)|windows-125[0478])$/i;
/** Without the half-width forms, which bytes of other encodings look like. */
const KANA = /[\u3041-\u30ff]/u;
const OTHER_SCRIPTS = [/\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Hebrew}/u, /\p{Script=Arabic}/u, /\p{Script=Thai}/u];
const KANA_OR_HAN = /[\u3000-\u30ff\uff00-\uff60\p{Script=Han}]/u;

/**
 * The encoding of a text that is not UTF-8, by WHATWG label: what its bytes say, else what most such files are in (windows-1252).
 * @param declared the encoding that the text itself names, as HTML and XML do
 */
export async function legacyEncoding(bytes: Uint8Array, declared?: string): Promise<string> {
  if (declared !== undefined && decodes(bytes, declared)) return new TextDecoder(declared).encoding;
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  const { default: chardet } = await import('chardet');
  // A few accents in an English text are too little to tell Czech from French.
  const accented = sample.reduce((count, byte) => count + (byte >= 0x80 ? 1 : 0), 0) >= MIN_ACCENTS;
  const found = chardet.analyse(sample).filter(({ name }) => isKnown(name) && isText(sample, name) && (accented || !OTHER_LATIN.test(name)));
  const [best] = found;
  const korean = lettersIn(sample, 'euc-kr');
  if (korean.share(/\p{Script=Hangul}/u) >= 0.95 && (found.find(({ name }) => name === 'GB18030')?.confidence ?? 0) < 90) return 'euc-kr';
  for (const label of ['shift_jis', 'euc-jp']) {
    const japanese = lettersIn(sample, label);
    if (japanese.share(KANA) >= 0.2 && japanese.share(KANA_OR_HAN) >= 0.95) return label;
  }
  if (best !== undefined && best.confidence >= SURE) return labelOf(best.name);
  if (lettersIn(sample, 'gb18030').share(/\p{Script=Han}/u) >= 0.95 && areCommonHanzi(sample)) return 'gb18030';
  const other = isOfOtherScript(sample) ? [...found.map(({ name }) => name), 'ibm866'].find((name) => isInOneScript(sample, name)) : undefined;
  if (other !== undefined) return labelOf(other);
  const single = found.find(({ name, confidence }) => confidence >= LIKELY && !/^(?:GB|Big5|EUC|Shift|UTF|ISO-2022)/.test(name));
  return single === undefined ? 'windows-1252' : labelOf(single.name);
}

/** UTF-16 without a mark: in text with Latin letters every second byte is NUL. */
export function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const length = Math.min(bytes.length, SAMPLE_BYTES) & ~1;
  if (length < 4 || bytes.length % 2 !== 0) return undefined;
  const nuls = [0, 0];
  for (let index = 0; index < length; index++) if (bytes[index] === 0) nuls[index % 2] = (nuls[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls.map((count) => count / (length / 2));
  if (odd > 0.3 && even < 0.02) return 'utf-16le';
  return even > 0.3 && odd < 0.02 ? 'utf-16be' : undefined;
}

function isKnown(name: string): boolean {
  try {
    return new TextDecoder(name).encoding !== 'replacement' && !/^UTF/i.test(name);
  } catch {
    return false;
  }
}

function labelOf(name: string): string {
  return new TextDecoder(name).encoding;
}

function decodes(bytes: Uint8Array, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** Whether the bytes are letters in that encoding: none without a meaning, and no control characters beyond ASCII, which no text has. */
function isText(bytes: Uint8Array, label: string): boolean {
  try {
    return !/[\x80-\x9f]/.test(new TextDecoder(label, { fatal: true }).decode(bytes, { stream: bytes.length === SAMPLE_BYTES }));
  } catch {
    return false;
  }
}

/** Whether whole words lie beyond ASCII. Languages in Latin letters have a letter there now and then. */
function isOfOtherScript(bytes: Uint8Array): boolean {
  let [beyond, inWords] = [0, 0];
  for (const [word] of Buffer.from(bytes)
    .toString('latin1')
    .matchAll(/[A-Za-z\x80-\xff]+/g)) {
    const letters = word.replace(/[A-Za-z]+/g, '').length;
    beyond += letters;
    if (letters === word.length && letters >= 3) inWords += letters;
  }
  return beyond > 0 && inWords >= 0.8 * beyond;
}

function isInOneScript(bytes: Uint8Array, label: string): boolean {
  const letters = lettersIn(bytes, label);
  return OTHER_SCRIPTS.some((script) => letters.share(script) >= 0.9);
}

/** What the bytes are beyond ASCII, read in one encoding; nothing of it where they can't be. A cut sample may end inside a letter. */
function lettersIn(bytes: Uint8Array, label: string): { share(script: RegExp): number } {
  let letters: string[] = [];
  try {
    letters = [...new TextDecoder(label, { fatal: true }).decode(bytes, { stream: bytes.length === SAMPLE_BYTES })].filter(
      (letter) => letter > '\u00a9',
    );
  } catch {
    // Not in this encoding.
  }
  return { share: (script) => (letters.length < 2 ? 0 : letters.filter((letter) => script.test(letter)).length / letters.length) };
}

/** The first level of GB 2312, by the first byte of each pair: Greek and Cyrillic read as Chinese are not in it. */
function areCommonHanzi(bytes: Uint8Array): boolean {
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte < 0x80) continue;
    if (byte < 0xa1 || byte > 0xd7) return false;
    index++;
  }
  return true;
}
