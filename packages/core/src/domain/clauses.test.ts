import { describe, expect, it } from 'vitest';
import { clausesIn } from './clauses.ts';

describe('clauses of a text', () => {
  it.each<[string, string[]]>([
    ['I live in Lisbon. The doorman has the key.', ['I live in Lisbon', 'The doorman has the key']],
    ['I live in Lisbon, and my dog is called Rex', ['I live in Lisbon', 'my dog is called Rex']],
    ['I live in Lisbon, my dog is called Rex', ['I live in Lisbon', 'my dog is called Rex']],
    ['I work at Acme, which makes boats', ['I work at Acme', 'which makes boats']],
    ['부산에 살고 있고 간호사로 일해요', ['부산에 살고 있고', '간호사로 일해요']],
    ['창고 열쇠는 부산에 있는데 집은 대전이야', ['창고 열쇠는 부산에 있는데', '집은 대전이야']],
    ['我叫林晓，住在成都。我哥哥是医生', ['我叫林晓', '住在成都', '我哥哥是医生']],
  ])('stand by themselves: %s', (text, clauses) => {
    expect(clausesIn(text)).toEqual(clauses);
  });

  it.each([
    ['I live in Lisbon, Portugal'],
    ['I use Node v1.2 at example.com'],
    ['I speak Welsh and Breton'],
    ['부산에 살고 있어'],
    ['我会说英语、日语'],
  ])('are not parts of one: %s', (text) => {
    expect(clausesIn(text)).toEqual([text]);
  });

  it('takes a text of any length, of a long one its beginning', () => {
    const million = 1_000_000;
    expect(clausesIn(`I live in Lisbon${' '.repeat(million)}and I work at Acme.`)).toEqual(['I live in Lisbon']);
    expect(clausesIn(`I live in Lisbon${', '.repeat(million)}`)).toEqual(['I live in Lisbon']);
    expect(clausesIn(`I live in Lisbon.${'"'.repeat(million)} I work at Acme.`)).toHaveLength(1);
  });

  it.each([
    ['Hi! I live in Lisbon.', ['I live in Lisbon']],
    ['Last year, I lived in Lisbon', ['I lived in Lisbon']],
    ['Since March I live in Lisbon', ['Since March I live in Lisbon']],
    ['안녕하세요! 저는 부산에 살아요', ['저는 부산에 살아요']],
    ['你好，去年，我住在成都', ['我住在成都']],
    ['...', []],
  ])('are no greetings and no times: %s', (text, clauses) => {
    expect(clausesIn(text)).toEqual(clauses);
  });
});
