import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { analyseText, weighTerms } from './text-analysis.ts';

/** Whether each term of the query stands in the text. */
function covers(text: string, query: string): boolean {
  const terms = new Set(analyseText(text));
  const wanted = analyseText(query);
  return wanted.length > 0 && wanted.every((term) => terms.has(term));
}

describe('analyseText', () => {
  it.each([
    ['小林的护照放在书房的蓝色抽屉里', '蓝色抽屉'],
    ['小林的护照放在书房的蓝色抽屉里', '护照'],
    ['王敏喜欢喝乌龙茶', '乌龙茶'],
    ['祖母は京都の庭園で働いていた', '京都の庭園'],
    ['나는 부산에서 커피를 마셨다', '커피'],
    ['나는 부산에서 커피를 마셨다', '부산'],
    ['ผมชอบกาแฟ', 'กาแฟ'],
    ['She was running to the stores', 'run store'],
    ['I bought two bikes, then left', 'buy leave'],
    ['Her children were there', 'child'],
    ['Der Café-Besuch in ZÜRICH', 'cafe zurich'],
    ["Ana's bike", 'ana bike'],
    ['ＦＵＬＬ width', 'full'],
    ['Permit HB-2031-07', 'hb-2031-07'],
    ['Ἀθῆναι', 'αθηναι'],
    ['don’t', "don't"],
    ['Docker部署在NAS上', 'docker 部署'],
    ['Docker部署在NAS上', 'nas'],
    ['설정은 Docker를 쓴다', 'docker'],
    ['設定はconfig.yamlにある', 'yaml'],
    ['ﾊﾅｺはｶﾒﾗを買った', 'カメラ'],
    ['りんごが好きだ', 'リンゴ'],
    ['في الدرج الأزرق', 'درج ازرق'],
    ['القَهْوَة لأحمد', 'قهوه'],
    ['رقم الغرفة ٤٢', '42'],
    ['कमरा ४२', '42'],
    ['סֵפֶר', 'ספר'],
    ['Straße in Łódź', 'strasse lodz'],
    ['Søren, Đà Nẵng, ılık', 'soren da nang ilik'],
    ['the light\u00adhouse', 'lighthouse'],
    ['کتاب‌خانه', 'کتابخانه'],
    ['I like 🍕 and 🐝', '🐝'],
    ['👩🏽‍🚀 flies to 🇯🇵', '👩‍🚀 🇯🇵'],
  ])('%s is found by %s', (text, query) => {
    expect(covers(text, query)).toBe(true);
  });

  it.each([
    ['弟は大阪の工場で働いている', '京都の庭園'],
    ['Permit HB-2031-07', 'HB-2031-08'],
    ['Java', 'JavaScript'],
    ['마', '바'],
    ['か', 'が'],
    ['दान देना', 'दिन'],
    ['ป้า', 'ป่า'],
    ['Trip to 🇰🇷', '🇯🇵'],
    ['👨‍🚀', '👩‍🚀'],
  ])('%s is not all of what %s asks', (text, query) => {
    expect(covers(text, query)).toBe(false);
  });

  it('keeps stop words only where there is nothing else', () => {
    expect(analyseText('to be or not to be')).toEqual(['to', 'be', 'or', 'not', 'to', 'be']);
    expect(analyseText('The owl')).toEqual(['owl']);
  });

  it.each(['', ' \n\t', '\u200b', '!?…', '\u0301', '\u00ad', '\u202e', '\ufe0f'])('has no term for %j', (text) => {
    expect(analyseText(text)).toEqual([]);
  });

  it('bounds the length of a term', () => {
    expect(Math.max(...analyseText(`${'x'.repeat(100_000)} ${'9'.repeat(5000)}`).map((term) => term.length))).toBe(64);
  });

  it('never throws, gives no empty term, and does not depend on how the text is composed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const terms = analyseText(text);
        expect(terms.every((term) => term !== '' && term.isWellFormed() && !/\s/.test(term))).toBe(true);
        expect(analyseText(text.normalize('NFD'))).toEqual(analyseText(text.normalize('NFC')));
        expect(analyseText(text)).toEqual(terms);
      }),
      { numRuns: 2000 },
    );
  });

  it('takes halves of surrogate pairs', () => {
    fc.assert(fc.property(fc.array(fc.nat(0xffff)), (units) => void analyseText(String.fromCharCode(...units))));
  });

  it('is stable: terms in scripts without spaces come back from themselves', () => {
    const letters = fc.string({ unit: fc.constantFrom(...'한국어서울小林京都かなカナー'), minLength: 1, maxLength: 12 });
    fc.assert(fc.property(letters, (text) => void expect(analyseText(analyseText(text).join(' '))).toEqual(analyseText(text))));
  });
});

describe('weighTerms', () => {
  it('adds the weights of all occurrences, each term once, in order', () => {
    expect(
      weighTerms([
        { text: 'owl box owls', weight: 4 },
        { text: 'Box fox', weight: 1 },
      ]),
    ).toEqual([
      { term: 'box', weight: 5 },
      { term: 'fox', weight: 1 },
      { term: 'owl', weight: 8 },
    ]);
    expect(weighTerms([])).toEqual([]);
  });

  it('lets a sign that may be a word be found by itself', () => {
    expect(weighTerms([{ text: '我有一只猫', weight: 4 }])).toContainEqual({ term: '猫', weight: 1 });
    expect(weighTerms([{ text: '책을 읽었다'.normalize('NFD'), weight: 4 }])).toContainEqual({ term: '책', weight: 1 });
  });

  it('takes words that are also names of object properties', () => {
    expect(weighTerms([{ text: '__proto__ constructor toString', weight: 1 }]).map(({ weight }) => weight)).toEqual([1, 1, 1]);
  });
});
