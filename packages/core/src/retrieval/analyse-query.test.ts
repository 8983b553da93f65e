import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalForm } from '../domain/normal-form.ts';
import { analyseQuery } from './analyse-query.ts';

function analyse(text: string, speakers: readonly string[] = []) {
  return analyseQuery({ userId: 'u', text, filter: {}, speakers });
}

describe('speakers', () => {
  it.each([
    ['What did Caroline say about pottery?', 'Caroline', 'What did I say about pottery?'],
    ["What is Caroline's job?", 'Caroline', 'What is my job?'],
    ['what did CAROLINE paint', 'Caroline', 'what did I paint'],
    ['What did Caroline paint?', 'Caroline Smith', 'What did I paint?'],
    ['Does C++ (dev) like tea?', 'C++ (dev)', 'do I like tea?'],
    ['Does C++ like tea?', 'C++ (dev)', 'do I like tea?'],
    ['Where does Anna-Lena live?', 'Anna-Lena', 'Where do I live?'],
    ['What did a.b|c* write?', 'a.b|c*', 'What did I write?'],
    ['What did [x]^$ say about {2}?', '[x]^$', 'What did I say about {2}?'],
    ['Was mag Caroline?', 'Caroline', 'Was mag ?'],
    ['지민 씨는 어디 살아?', '지민', '어디 살아?'],
    ['지민이 뭐라고 했어?', '지민', '뭐라고 했어?'],
    ['지민이가 커피를 좋아해?', '지민', '커피를 좋아해?'],
    ['민수님은 언제 왔어?', '민수', '언제 왔어?'],
    ['小林 さんの趣味は?', '小林', 'さんの趣味は?'],
  ])('%s names %s', (text, speaker, denseText) => {
    expect(analyse(text, [speaker, 'Melanie', '영희'])).toMatchObject({ text, denseText, speakers: [speaker] });
  });

  it.each([
    ['What is a carolinean?', 'Caroline'],
    ['지민석은 누구야?', '지민'],
    ['Annabel came', 'Anna'],
    ['What is C?', 'C++ (dev)'],
  ])('%s does not name %s', (text, speaker) => {
    expect(analyse(text, [speaker])).toMatchObject({ denseText: text, speakers: [] });
  });

  it.each([
    'What did I tell Ana?',
    'What did you recommend to Ana?',
    "What do I think of Ana's vase?",
    "What did I tell Ana was Ana's idea?",
    '내가 아나한테 뭐라고 했지?',
  ])('%s asks for no words of theirs', (text) => {
    expect(analyse(text, ['Ana', '아나'])).toMatchObject({ denseText: text, speakers: [], voice: {} });
  });

  it.each(['What did Ana say that you recommended?', 'Can you tell me what Ana gave Ben?', 'Do you remember what Ana said?', '王芳帮我推荐了什么？'])(
    '%s does',
    (text) => {
      expect(analyse(text, ['Ana', '王芳']).subjects).toHaveLength(1);
      expect(analyse(text, ['Ana', '王芳']).voice).toBeUndefined();
    },
  );

  it('finds one of many by the whole name', () => {
    const many = Array.from({ length: 2_000 }, (_, index) => `Ana Last${index}`);
    expect(analyse('What did Ana Last17 say?', many).subjects).toEqual(['Ana Last17']);
  });

  it('keeps the question where nothing else is left of it', () => {
    expect(analyse('Caroline?', ['Caroline'])).toMatchObject({ denseText: 'Caroline?', speakers: ['Caroline'] });
    expect(analyse('Caroline?', ['Caroline']).terms).toHaveLength(1);
  });

  it('takes names away from the keywords, and keeps them as possible entities', () => {
    const query = analyse('Where does Caroline work?', ['Caroline']);
    expect(query.terms).toEqual([{ term: 'work', weight: 1 }]);
    expect(query.nameKeys).toContain('caroline');
  });
});

describe('names of entities', () => {
  it.each([
    ['Is permit HB-2031-07 valid?', 'Permit HB-2031-07'],
    ['Where are my Solar_Panels?', 'solar panel'],
    ["What is on the roof of Elm's Workshop?", 'Elm Workshop'],
    ['What did “Blue Hall” cost?', 'Blue Hall'],
    ['What is C++ for?', 'C++'],
    ['Play AC/DC', 'AC/DC'],
    ['Is the Museum of Modern Art open?', 'Museum of Modern Art'],
    ['小林的护照在哪里', '小林'],
    ['小林的护照在哪里', '护照'],
    ['서울타워는 어디에 있어?', '서울타워'],
    ['Caf\u00e9 Zo\u00e9?', 'cafe zoe'],
  ])('%s may name %s', (text, name) => {
    expect(analyse(text).nameKeys).toContain(normalForm(name));
  });

  it('still finds a single name in a long question', () => {
    const words = Array.from({ length: 150 }, (_, i) => `word${i}x`).join(' ');
    const { nameKeys } = analyse(`${words} Dana`);
    expect(nameKeys).toContain('dana');
    expect(nameKeys).toContain('word3x word4x');
  });
});

describe('limits', () => {
  it('cuts a very long text, and asks for each word once', () => {
    const query = analyse('box '.repeat(25_000), ['box-man', 'box']);
    expect(query.text).toHaveLength(4_000);
    expect(query.terms).toHaveLength(1);
    expect(query.nameKeys.length).toBeLessThanOrEqual(400);
    expect(analyse('小林'.repeat(50_000)).nameKeys.length).toBeLessThanOrEqual(400);
    expect(analyse('x'.repeat(100_000)).text).toHaveLength(4_000);
  });

  it('keeps the beginning and the end of what is too long, where people ask', () => {
    for (const length of [1_500, 10_000, 100_000]) {
      const page = 'filler '.repeat(length / 7);
      for (const text of [`Where is the owl box?\n${page}`, `${page}\nWhere is the owl box?`]) {
        const { denseText, terms, text: kept } = analyse(text);
        expect([denseText.length <= 1_000, denseText.includes('Where is the owl box?'), kept.includes('Where is the owl box?')]).toEqual([
          true,
          true,
          true,
        ]);
        expect(terms.map(({ term }) => term)).toEqual(expect.arrayContaining(['box', 'owl']));
      }
    }
  });

  it('never cuts through a character', () => {
    for (let before = 0; before < 4; before++) {
      const { text, denseText } = analyse('x'.repeat(before) + '🙂'.repeat(3_000));
      for (const kept of [text, denseText]) expect([...kept].every((sign) => 'x 🙂'.includes(sign))).toBe(true);
    }
  });

  it('takes any text and any speakers', () => {
    const awkward = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'^$.*+?()[]{}|/\\-,:!=<>&#%@\'"` aB지\ud800') }));
    fc.assert(
      fc.property(awkward, fc.array(awkward, { maxLength: 4 }), (text, speakers) => {
        const query = analyse(text, speakers);
        expect(query.denseText.isWellFormed()).toBe(true);
        expect(query.nameKeys.every((key) => key !== '')).toBe(true);
        expect(speakers).toEqual(expect.arrayContaining([...query.speakers]));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('names of one word', () => {
  it('are taken by their capitals where the question has any, and all else by more than one word', () => {
    const { nameKeys } = analyse('What county borders the county of Johnnycake, West Virginia?');
    expect(nameKeys).toEqual(expect.arrayContaining(['johnnycake', 'west virginia', 'virginia']));
    expect(nameKeys).not.toContain('county');
    expect(analyse('what did kiko eat').nameKeys).toContain('kiko');
  });

  it('lose a particle that is glued to them', () => {
    expect(analyse('BUG-164는 왜 생겼어?').nameKeys).toContain('bug-164');
    expect(analyse('Skerrypass的票价是多少').nameKeys).toContain('skerrypass');
  });
});
