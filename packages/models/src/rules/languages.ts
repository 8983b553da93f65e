/** Small words by which a language is known. A word of several stands in each. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  de: 'der die das und ist nicht ich wir mit ein eine einen auf für den dem zu sie war hat habe bin am im',
  fr: "le la les des est une je j' pas dans il elle nous vous et un du avec pour que qui au ai suis à",
  es: 'el la los las es yo con por una un del mi su muy no que en y me se fui al de',
  it: 'che non sono di per con gli il lo la mio ho un una è al nel',
  nl: 'de het een niet ik van en op voor is heb ben in',
  sv: 'jag och är det att inte en har på i',
  pt: 'em não uma um eu do você na no o a que é com fui ao',
  pl: 'się jest nie że z w na',
  tr: 've bir bu için',
  fi: 'ja minä olen on',
};
const WORDS = Object.entries(SMALL_WORDS).map(([language, list]) => [language, new Set(list.split(' '))] as const);

/** The language of a text that is not English, by script and small words; undefined where they leave it open. */
export function languageOf(text: string): string | undefined {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'ja';
  if (/\p{Script=Hangul}/u.test(text)) return 'ko';
  if (/\p{Script=Han}/u.test(text)) return 'zh';
  if (/\p{Script=Cyrillic}/u.test(text)) return /[іїєґ]/iu.test(text) ? 'uk' : 'ru';
  const words = text.toLowerCase().match(/\p{L}+['’]?/gu) ?? [];
  const hits = WORDS.map(([language, own]) => [words.filter((word) => own.has(word.replace('’', "'"))).length, language] as const);
  const [best, next] = hits.toSorted(([a], [b]) => b - a);
  return best === undefined || best[0] === 0 || best[0] === next?.[0] ? undefined : best[1];
}
