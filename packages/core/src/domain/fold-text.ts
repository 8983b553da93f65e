/** Letters that no Unicode normal form takes apart, and Arabic ones that are written in two ways. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ة: 'ه',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
};
const NEEDS_FOLDING = /[^\x20-\x7e\n\r\t]/;
/** What can be left out in writing: accents and vowel points, a stretched Arabic line, soft hyphens and what else nobody sees. Indic vowel signs can't. */
const LEFT_OUT = /[[\p{M}&&[\p{Script=Inherited}\p{Script=Arabic}\p{Script=Hebrew}]]--[\u3099\u309a]]|[\p{Cf}ـ]/gv;
const REWRITTEN = new RegExp(`[${Object.keys(LETTERS).join('')}]|[\\p{Nd}--[0-9]]`, 'gv');

/** One spelling for all that are read as one: lower case, compatibility forms, accents and vowel points, letters with a stroke, digits of any script. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  if (!NEEDS_FOLDING.test(lower)) return lower;
  // Hangul and kana must come back composed: their decomposed letters would be taken for marks or split into pieces.
  return lower
    .normalize('NFKD')
    .replace(LEFT_OUT, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(REWRITTEN, (character) => LETTERS[character] ?? digit(character));
}

/** Unicode keeps the digits of a script together, from nought to nine. */
function digit(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let nought = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(nought - 1))) nought--;
  return String((code - nought) % 10);
}
