import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { factsOf, tell } from '../pipeline/tell.ts';

const extractor = rulesExtractor();
const DAYS = ['2024-01-05', '2024-02-05', '2024-03-05', '2024-04-05'];

type Change = readonly [kind: string, said: readonly string[], current: readonly string[], past: readonly string[]];

const KOREAN: readonly Change[] = [
  ['a move', ['나는 서울에 살아.', '부산으로 이사했어.'], ['User move to 부산'], ['User live in 서울']],
  [
    'a move from one place to another',
    ['서울에 살아요.', '서울에서 부산으로 이사했어요.'],
    ['User move from 서울', 'User move to 부산'],
    ['User live in 서울'],
  ],
  ['a home no longer', ['나는 서울에 살아.', '이제 더 이상 서울에 안 살아.'], ['User no longer live in 서울'], ['User live in 서울']],
  ['another job', ['네이버에서 일해요.', '카카오로 이직했어요.'], ['User start at 카카오'], ['User work at 네이버']],
  ['a job that was given up', ['저는 네이버에서 일해요.', '회사를 그만뒀어요.'], ['User quit job'], ['User work at 네이버']],
  ['a job that was changed', ['삼성에 다녀.', '이직했어.'], ['User leave job'], ['User work at 삼성']],
  [
    'a job after none',
    ['네이버에서 일해.', '회사를 그만뒀어.', '카카오에 입사했어.'],
    ['User start at 카카오'],
    ['User quit job', 'User work at 네이버'],
  ],
  [
    'a favourite',
    ['제일 좋아하는 색은 파란색이야.', '이제 제일 좋아하는 색은 초록색이야.'],
    ['User favourite colour 초록색'],
    ['User favourite colour 파란색'],
  ],
  ['a habit', ['커피를 매일 마셔.', '이제 커피 안 마셔.'], ['User no longer drink 커피'], ['User drink 커피']],
  ['a habit that was quit', ['담배를 피워.', '담배 끊었어.'], ['User quit 담배'], ['User smoke 담배']],
  ['a taste', ['나는 재즈를 좋아해.', '재즈를 싫어해.'], ['User hate 재즈'], ['User like 재즈']],
  ['a correction', ['나는 부산에 살아.', '아니, 정정할게. 나는 대구에 살아.'], ['User live in 대구'], ['User live in 부산']],
  ['a status', ['TICKET-9의 상태는 보류야.', 'TICKET-9는 완료됐어.'], ['TICKET-9 status 완료'], ['TICKET-9 status 보류']],
  ['languages: both', ['한국어를 할 줄 알아.', '영어도 할 줄 알아.'], ['User speak 영어', 'User speak 한국어'], []],
  ['another person', ['나는 서울에 살아.', '엄마는 부산에 살아.'], ["User's 엄마 live in 부산", 'User live in 서울'], []],
  ['a wish', ['나는 서울에 살아.', '부산으로 이사하고 싶어.'], ['User live in 서울'], []],
];

const CHINESE: readonly Change[] = [
  ['a move', ['我住在上海。', '我搬到北京了。'], ['User move to 北京'], ['User live in 上海']],
  ['a move, traditional', ['我住在臺北。', '我從臺北搬到高雄了。'], ['User move from 臺北', 'User move to 高雄'], ['User live in 臺北']],
  ['a home no longer', ['我住在上海。', '我不再住在上海了。'], ['User no longer live in 上海'], ['User live in 上海']],
  ['another job', ['我在阿里巴巴工作。', '我从阿里巴巴跳槽到腾讯。'], ['User leave 阿里巴巴', 'User start at 腾讯'], ['User work at 阿里巴巴']],
  ['a job that was given up', ['我在阿里巴巴工作。', '我辞职了。'], ['User quit job'], ['User work at 阿里巴巴']],
  ['a job that was changed', ['我在臺積電工作。', '我換工作了。'], ['User leave job'], ['User work at 臺積電']],
  ['a favourite', ['我最喜欢的颜色是蓝色。', '我最喜欢的颜色改成绿色了。'], ['User favourite colour 绿色'], ['User favourite colour 蓝色']],
  ['a habit', ['我每天喝咖啡。', '我不再喝咖啡了。'], ['User no longer drink 咖啡'], ['User drink 咖啡']],
  ['a habit that was quit', ['我抽烟。', '我戒烟了。'], ['User quit 烟'], ['User smoke 烟']],
  ['a correction', ['我住在北京。', '不是北京，是南京。'], ['User live in 南京'], ['User live in 北京']],
  ['a status', ['项目的状态是进行中。', '项目的状态改成已完成。'], ['项目 status 已完成'], ['项目 status 进行中']],
  ['languages: both', ['我会说英语。', '我也会说日语。'], ['User speak 日语', 'User speak 英语'], []],
  ['another person', ['我住在上海。', '我妈妈住在北京。'], ["User's 妈妈 live in 北京", 'User live in 上海'], []],
  ['a wish', ['我住在上海。', '我想搬到北京。'], ['User live in 上海'], []],
];

const ACROSS: readonly Change[] = [
  ['an English home ends by a Korean move', ['I live in Lindby.', '부산으로 이사했어.'], ['User move to 부산'], ['User live in Lindby']],
  ['a Korean home ends by an English move', ['나는 서울에 살아.', 'I moved to Corran.'], ['User move to Corran'], ['User live in 서울']],
  ['an English job ends by a Chinese one', ['I work at Acme.', '我在腾讯工作。'], ['User work at 腾讯'], ['User work at Acme']],
  ['a Chinese job ends in English', ['我在腾讯工作。', 'I quit my job.'], ['User quit job'], ['User work at 腾讯']],
  [
    'one favourite in three languages',
    ['My favourite colour is blue.', '제일 좋아하는 색은 초록색이야.', '我最喜欢的颜色是红色。'],
    ['User favourite colour 红色'],
    ['User favourite colour blue', 'User favourite colour 초록색'],
  ],
];

describe.each([
  ['Korean', KOREAN],
  ['Chinese', CHINESE],
  ['across languages', ACROSS],
] as const)('changes of mind without a model: %s', (_, changes) => {
  it.each(changes)('%s', async (_kind, said, current, past) => {
    const { memory } = openTestMemory({ extractor });
    await tell(
      memory,
      said.map((text, index) => [DAYS[index] ?? '', text]),
    );
    const found = await factsOf(memory);
    expect(found.current).toEqual([...current].sort());
    expect(found.past).toEqual([...past].sort());
  });
});

describe.each([
  {
    language: 'Korean',
    said: ['나는 서울에 살아.', '고양이를 키워.', '지난주에 서울에서 부산으로 이사했어.'],
    question: '내가 어디에 살아? 서울?',
    held: '나는 서울에 살아.',
    holds: '지난주에 서울에서 부산으로 이사했어.',
  },
  {
    language: 'Chinese',
    said: ['我住在上海。', '我养了一只猫。', '我上周从上海搬到北京了。'],
    question: '我住在哪里？上海？',
    held: '我住在上海。',
    holds: '我上周从上海搬到北京了。',
  },
])('a move told in $language', ({ said, question, held, holds }) => {
  it('is packed before the old home, which is marked, dated, and kept in the history', async () => {
    const { memory } = openTestMemory({ extractor });
    await tell(
      memory,
      said.map((text, index) => [DAYS[index] ?? '', text]),
    );
    const { items, text } = await memory.retrieve(question, { userId: 'u' });
    const order = items.map((item) => item.text).filter((line) => line === held || line === holds);
    expect(order).toEqual([holds, held]);
    expect(text).toContain(`(outdated since 2024-02-27) user: ${held}`);
    const [home] = (await memory.facts({ userId: 'u' })).filter((fact) => fact.text === held);
    expect(home?.invalidAt?.slice(0, 10)).toBe('2024-02-27');
    const history = await memory.history(home?.id ?? '', { userId: 'u' });
    expect(history.map(({ action, text: told }) => [action, told])).toEqual(expect.arrayContaining([['ended', held]]));
    expect((await memory.retrieve(question, { userId: 'u', asOf: '2024-02-01' })).text).not.toContain('outdated');
  });
});
