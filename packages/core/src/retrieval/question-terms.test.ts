import { describe, expect, it } from 'vitest';
import { weighTerms } from '../domain/text-analysis.ts';
import { questionTerms } from './question-terms.ts';

const weights = (text: string) => Object.fromEntries(questionTerms(text).map(({ term, weight }) => [term, weight]));

describe('questionTerms', () => {
  it('gives each term of a spaced text once and in full', () => {
    expect(questionTerms('Which film did Bob watch, which film?')).toEqual([
      { term: 'bob', weight: 1 },
      { term: 'film', weight: 1 },
      { term: 'watch', weight: 1 },
    ]);
  });

  it('drops what makes a Chinese text a question, and weighs what joins it to words little', () => {
    const terms = weights('你还记得我的旅行计划吗？');
    expect(Object.keys(terms)).not.toEqual(expect.arrayContaining(['你还']));
    expect(Object.keys(terms)).not.toContain('得我');
    expect(terms['旅行']).toBe(1);
    expect(terms['计划']).toBe(1);
    expect(terms['行计']).toBeLessThan(1);
    expect(terms['划吗']).toBeLessThan(terms['行计'] ?? 0);
  });

  it('finds a word of one letter by its sign', () => {
    expect(weights('我读了哪本书？')['书']).toBeGreaterThan(0);
    expect(weighTerms([{ text: '这本书很感人', weight: 1 }]).map(({ term }) => term)).toContain('书');
  });

  it('drops Korean words that any question has, and weighs particles and endings little', () => {
    const terms = weights('제가 좋아한다던 영화가 뭐였더라?');
    expect(terms['영화']).toBe(1);
    expect(terms['좋아']).toBe(1);
    expect(terms['화가']).toBeLessThan(0.5);
    for (const gone of ['제가', '뭐였', '더라', '한다']) expect(Object.keys(terms)).not.toContain(gone);
  });

  it('leaves short Korean nouns whole that end like a particle', () => {
    expect(weights('회의 나이 사과')).toMatchObject({ 회의: 1, 나이: 1, 사과: 1 });
    for (const noun of ['해지', '해고', '한나', '수도', '건의', '제도', '나라', '말기', '하네다'])
      for (const ending of ['', '는', '에서', '라고', '하려면', '된'])
        expect(weights(`어제 ${noun}${ending} 뭐였지?`)[noun.slice(0, 2)], `${noun}${ending}`).toBeGreaterThan(0.2);
  });

  it('keeps words that are made of the letters of function words', () => {
    for (const [text, term] of [
      ['那个部件怎么样了？', '部件'],
      ['几何考得怎么样？', '几何'],
      ['我的地位如何？', '地位'],
      ['前に読んだ本は？', '本'],
      ['ねこを飼ってる？', 'ねこ'],
    ] as const)
      expect(weights(text)[term], text).toBeGreaterThan(0.2);
  });

  it('keeps a question of nothing but such words', () => {
    expect(questionTerms('你是谁？').length).toBeGreaterThan(0);
    expect(questionTerms('뭐였더라?').length).toBeGreaterThan(0);
    expect(questionTerms('who are you?').length).toBeGreaterThan(0);
  });

  it('spells its terms as records do', () => {
    const known = new Set(weighTerms([{ text: 'コーヒーと音楽が好き', weight: 1 }]).map(({ term }) => term));
    const asked = questionTerms('コーヒーは？').filter(({ weight }) => weight === 1);
    expect(asked.length).toBeGreaterThan(0);
    for (const { term } of asked) expect(known).toContain(term);
  });
});
