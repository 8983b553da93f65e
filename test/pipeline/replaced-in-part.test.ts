import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory, reply } from './open-test-memory.ts';
import { tell } from './tell.ts';

const extractor = rulesExtractor();

async function told(...said: readonly string[]) {
  const { memory } = openTestMemory({ extractor });
  await tell(
    memory,
    said.map((text, index) => [`2024-0${index + 1}-05`, text]),
  );
  return {
    found: async (question: string) => (await memory.retrieve(question, { userId: 'u' })).items.map((item) => item.text),
    marks: async () => (await memory.episodes({ userId: 'u' })).toSorted((a, b) => (a.at < b.at ? -1 : 1)).map(({ outdated }) => outdated?.inPart),
  };
}

type Case = readonly [old: string, now: string, aboutThePast: readonly string[], aboutTheRest: readonly string[]];

const ENGLISH: readonly Case[] = [
  [
    'My favourite colour is green. Remind me to water the ficus every Thursday.',
    'My favourite colour is blue.',
    ['What is my favourite colour?', 'Is green my favourite colour?'],
    ['When should I water the ficus?'],
  ],
  [
    'I live in Lisbon. The doorman knows where the spare key is.',
    'I moved to Cascais.',
    ['Where do I live?', 'Do I live in Lisbon?', 'Lisbon'],
    ['Who knows where the spare key is?', 'Where is the spare key?'],
  ],
  ['I live in Lisbon and the doorman keeps the spare key.', 'I moved to Cascais.', ['Where do I live?'], ['Who keeps the spare key?']],
  ['I live in Lisbon and work at Acme.', 'I work at Globex now.', ['Where do I work?', 'What is my job?'], ['Where do I live?']],
  ['I work at Acme and live in Lisbon.', 'I moved to Cascais.', ['Where do I live?'], ['Where do I work?']],
  ['My sister works at Acme. I work at Initech.', 'I work at Globex now.', ['Where do I work?'], ['Where does my sister work?']],
];

const KOREAN: readonly Case[] = [
  ['부산에 살아. 고양이도 한 마리 있어', '대전으로 이사했어.', ['나 어디 살아?', '내가 사는 도시가 어디야?'], ['고양이가 몇 마리 있어?']],
  [
    '저는 부산에 살고 있고 간호사로 일해요.',
    '대전으로 이사했어요.',
    ['저는 어디에 살아요?', '제 집 주소가 어디예요?'],
    ['간호사로 일하는 사람이 누구예요?'],
  ],
  ['부산에 사는데 고양이도 한 마리 있어', '대전으로 이사했어.', ['나 어디 살아?'], ['고양이가 몇 마리 있어?']],
  [
    '내가 제일 좋아하는 색은 초록색이야. 목요일마다 화분에 물 줘야 해.',
    '제일 좋아하는 색은 파란색이야.',
    ['제일 좋아하는 색이 뭐야?'],
    ['화분에 언제 물 줘야 해?'],
  ],
];

const CHINESE: readonly Case[] = [
  ['我叫林晓，住在成都，在一家出版社做编辑', '我搬到了杭州。', ['我住在哪里？', '我住在哪个城市？'], ['我叫什么名字?', '谁在出版社做编辑？']],
  ['我住在成都，我哥哥是医生。', '我搬到了杭州。', ['我住在哪个城市？', '我的地址是什么？'], ['我哥哥是做什么的？']],
  ['我最喜欢的颜色是绿色。每周四提醒我给花浇水。', '我最喜欢的颜色是蓝色。', ['我最喜欢的颜色是什么？'], ['什么时候给花浇水？']],
];

describe.each([
  ['English', ENGLISH],
  ['Korean', KOREAN],
  ['Chinese', CHINESE],
] as const)('a turn that says more than what ended, in %s', (_, cases) => {
  it.each(cases)('is outdated in part, and found first for the rest of it: %s', async (old, now, past, rest) => {
    const { found, marks } = await told(old, now);
    expect(await marks()).toEqual([true, undefined]);
    for (const question of past) expect([question, ...(await found(question))]).toEqual([question, now, old]);
    for (const question of rest) expect([question, (await found(question))[0]]).toEqual([question, old]);
  });
});

it.each([
  ['I live in Lisbon.', 'I moved to Cascais.'],
  ['Hi! I live in Lisbon.', 'I moved to Cascais.'],
  ['I live in Lisbon, Portugal.', 'I moved to Cascais.'],
  ['부산에 살고 있어.', '대전으로 이사했어.'],
  ['안녕하세요! 저는 부산에 살아요.', '대전으로 이사했어요.'],
  ['你好，我住在成都。', '我搬到了杭州。'],
])('a turn that says nothing else is outdated as a whole: %s', async (old, now) => {
  expect(await (await told(old, now)).marks()).toEqual([false, undefined]);
});

describe('a turn that several took the place of', () => {
  const HOME = { en: 'I moved to Cascais.', ko: '대전으로 이사했어요.', zh: '我搬到了杭州。' };
  const WORK = { en: 'I work at Globex now.', ko: '이제 카카오에서 일해요.', zh: '我现在在百度工作。' };
  const cases = [
    ['en', 'I live in Lisbon. I work at Acme.', 'Where do I live?', 'Where do I work?'],
    ['en', 'I live in Lisbon and I work at Acme.', 'Where do I live?', 'Where do I work?'],
    ['ko', '저는 부산에 살아요. 네이버에서 일해요.', '저는 어디에 살아요?', '저는 어디에서 일해요?'],
    ['zh', '我住在成都。我在腾讯工作。', '我住在哪里？', '我在哪里工作？'],
  ] as const;

  it.each(cases)('comes behind the one that answers the question, whichever was told last (%s): %s', async (language, old, home, work) => {
    for (const later of [
      [HOME[language], WORK[language]],
      [WORK[language], HOME[language]],
    ]) {
      const { found, marks } = await told(old, ...later);
      expect(await marks()).toEqual([false, undefined, undefined]);
      expect((await found(home)).slice(0, 2)).toEqual([HOME[language], old]);
      expect((await found(work)).slice(0, 2)).toEqual([WORK[language], old]);
    }
  });

  it('comes behind both where the question is about both, and before both where it is about the rest', async () => {
    const old = 'I live in Lisbon. I work at Acme. My dog is called Rex.';
    const { found, marks } = await told(old, HOME.en, WORK.en);
    expect(await marks()).toEqual([true, undefined, undefined]);
    expect((await found('Do I still live in Lisbon and work at Acme?')).at(-1)).toBe(old);
    expect((await found('Where do I live?')).slice(0, 2)).toEqual([HOME.en, old]);
    expect((await found('What is my dog called?'))[0]).toBe(old);
  });
});

it('a turn of which a model read one statement alone is outdated in part where it makes more', async () => {
  const home = (place: string) =>
    reply(
      [`The user lives in ${place}.`],
      [
        ['User', 'person'],
        [place, 'place'],
      ],
      [['User', 'lives in', place]],
    );
  for (const [old, inPart] of [
    ['I live in Lisbon.', false],
    ['I live in Lisbon. Water the ficus every Thursday.', true],
  ] as const) {
    const { memory } = openTestMemory({ replies: [home('Lisbon'), home('Cascais')] });
    await tell(memory, [
      ['2024-01-05', old],
      ['2024-02-05', 'I moved to Cascais.'],
    ]);
    const episodes = await memory.episodes({ userId: 'u' });
    expect(episodes.find(({ content }) => content === old)?.outdated?.inPart).toBe(inPart);
  }
});

it('at an earlier moment only what had ended by then counts', async () => {
  const { memory, clock } = openTestMemory({ extractor });
  const old = 'I live in Lisbon. I work at Acme.';
  for (const [day, text] of [
    ['2024-01-05', old],
    ['2024-02-05', 'I moved to Cascais.'],
    ['2024-03-05', 'I work at Globex now.'],
  ] as const) {
    clock.set(day);
    await tell(memory, [[day, text]]);
  }
  const first = async (question: string, moment: object) => (await memory.retrieve(question, { userId: 'u', ...moment })).items[0]?.text;
  expect(await first('Where do I live?', { asOf: '2024-02-20' })).toBe('I moved to Cascais.');
  expect(await first('Where do I live?', { recordedAsOf: '2024-04-01' })).toBe('I moved to Cascais.');
  expect(await first('Where do I work?', { asOf: '2024-02-20' })).toBe(old);
});
