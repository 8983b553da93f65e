import anyAscii from 'any-ascii';

const LATIN = /\p{Script=Latin}/u;
const OTHER = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const GREEK = /\p{Script=Greek}/u;
const HANGUL = /\p{Script=Hangul}/u;
/** Scripts in which a name is written without a space between surname and given name. */
const SYLLABIC = /^[\p{Script=Hangul}\p{Script=Han}]+$/u;

/** Spellings of Korean surnames in use, by the official romanisation. */
const SURNAMES: ReadonlyMap<string, readonly string[]> = new Map(
  `gim:kim,gim i:lee,yi,rhee,i bag:park,bak,pak,bag choe:choi,choe jeong:jung,jeong,chung,jong gang:kang,gang jo:cho,jo yun:yoon,yun,youn jang:jang,chang im:lim,im,rim
  han:han o:oh,o seo:seo,suh sin:shin,sin gwon:kwon,gwon hwang:hwang an:ahn,an song:song ryu:ryu,yoo,yu yu:yoo,yu,ryu jeon:jeon,jun,chun hong:hong go:ko,go,koh mun:moon,mun
  yang:yang son:son,sohn bae:bae,pae baeg:baek,paik heo:huh,heo,hur nam:nam sim:shim,sim no:noh,no,roh ha:ha gwag:kwak,gwak seong:sung,seong cha:cha ju:joo,ju u:woo,u gu:koo,gu,ku min:min`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string])
    .map(([official, spellings]) => [official, spellings.split(',')]),
);

/** Signs that names of Koreans begin with, by how they are written in Latin letters; then the same of Chinese. */
const KOREAN = bySpelling('김이박최정강조윤장임한오서신권황안송류유전홍고문양손배백허남심노하곽성차주우구민', (latin) => SURNAMES.get(latin) ?? []);
const CHINESE = bySpelling(
  '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文張劉陳楊趙黃吳孫馬羅鄭謝韓馮許盧蔣賈葉閻鍾薑範譚鄒陸錢湯',
  (latin) => [latin],
);
/** First letters of Russian names in normal form, which has no short i. */
const RUSSIAN: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'б',
  c: 'ч ц',
  d: 'д',
  e: 'е э',
  f: 'ф',
  g: 'г',
  h: 'х',
  i: 'и',
  j: 'ж',
  k: 'к х',
  l: 'л',
  m: 'м',
  n: 'н',
  o: 'о',
  p: 'п',
  r: 'р',
  s: 'с ш щ',
  t: 'т ц',
  u: 'у',
  v: 'в',
  x: 'к',
  y: 'е ю я и',
  z: 'з ж',
};

/** Whether exactly one of two names is written in Latin letters, and the other in a script that is written in them by rule. */
export function areAcrossScripts(first: string, second: string): boolean {
  return isLatin(first) !== isLatin(second) && isOther(first) !== isOther(second);
}

/** Written in no Latin letters. */
export function isOther(name: string): boolean {
  return OTHER.test(name) && !LATIN.test(name);
}

function isLatin(name: string): boolean {
  return LATIN.test(name) && !OTHER.test(name);
}

/**
 * Whether a name in Latin letters is how the other is written in them: Cyrillic, Greek and kana by letters, Hangul by the official romanisation and
 * the usual spellings of surnames, Han as Chinese is read. Surname and given name may stand in either order. Names that are not spelled but
 * translated (Munich, Moscow, Japanese names in Han) are not met.
 */
export function isRomanised(other: string, latin: string): boolean {
  // Of one sign there are many.
  if ([...other.trim()].length < 2) return false;
  const readings = new Set(readingsOf(other).map(skeleton));
  return writings(latin).some((written) => written.length >= 4 && readings.has(written));
}

/** Latin beginnings of a name in another script: where its Latin spellings are looked for. */
export function romanisedStarts(name: string): string[] {
  if (!isOther(name)) return [];
  return [...new Set(wordsOf(name).flatMap((word) => [word, ...(HANGUL.test(name) ? (SURNAMES.get(word) ?? []) : [])]))].filter(
    (word) => word !== '',
  );
}

/** Beginnings in other scripts of a person's name in Latin letters: where its other spellings are looked for. */
export function otherScriptStarts(name: string): string[] {
  if (!isLatin(name)) return [];
  const words =
    anyAscii(name)
      .toLowerCase()
      .match(/[a-z]+/g) ?? [];
  const ends = [...new Set([words[0] ?? '', words.at(-1) ?? ''])];
  return [
    ...new Set(
      ends.flatMap((word) => [
        ...(KOREAN.get(word) ?? []),
        ...(words.length > 1 ? (CHINESE.get(word) ?? []) : []),
        ...(word === words[0] ? (RUSSIAN[word[0] ?? '']?.split(' ') ?? []) : []),
      ]),
    ),
  ];
}

/** By letters that differ between one person's ways to write a name in Latin ones. */
function skeleton(text: string): string {
  return text
    .replace(/[^a-z]/g, '')
    .replace(/shch/g, 'sch')
    .replace(/kh/g, 'h')
    .replace(/ks/g, 'x')
    .replace(/ts|tz/g, 'c')
    .replace(/ph/g, 'f')
    .replace(/young/g, 'yeong')
    .replace(/oo|ou/g, 'u')
    .replace(/ee/g, 'i')
    .replace(/([hk])yun/g, '$1yeon')
    .replace(/(?<=[js])ung/g, 'eong')
    .replace(/w(?=u)/g, '')
    .replace(/[yj](?=[aeiou])/g, 'i')
    .replace(/y/g, 'i')
    .replace(/i+/g, 'i')
    .replace(/^ie/, 'e');
}

/** A name's words, or of a name without spaces its syllables, in Latin letters. */
function wordsOf(name: string): string[] {
  const compact = name.normalize('NFC').trim();
  const written = GREEK.test(compact) ? anyAscii(compact).replace(/oy/g, 'ou') : anyAscii(compact);
  const words = SYLLABIC.test(compact) ? written.match(/[A-Z]+?[a-z]*/g) : written.match(/[A-Za-z']+/g);
  return (words ?? []).map((word) => word.toLowerCase().replaceAll("'", ''));
}

function readingsOf(name: string): string[] {
  const words = wordsOf(name);
  const readings = [words.join('')];
  const [first = '', ...rest] = words;
  if (HANGUL.test(name)) for (const surname of SURNAMES.get(first) ?? []) readings.push(surname + rest.join(''));
  return readings;
}

/** The Latin name as one word: as it stands, and with its last word first. */
function writings(name: string): string[] {
  const words = (
    anyAscii(name.normalize('NFC'))
      .toLowerCase()
      .replace(/^([^,]+), (.+)$/, '$1 $2')
      .match(/[a-z']+/g) ?? []
  ).map((word) => word.replaceAll("'", ''));
  const last = words.at(-1) ?? '';
  return [...new Set([words.join(''), [last, ...words.slice(0, -1)].join('')])].map(skeleton);
}

function bySpelling(signs: string, spellings: (latin: string) => readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const sign of signs) for (const latin of spellings(anyAscii(sign).toLowerCase())) found.set(latin, [...(found.get(latin) ?? []), sign]);
  return found;
}
