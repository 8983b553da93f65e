import type { Episode, Extraction } from '@tandem-memory/core';
import { newEpisode } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { rulesExtractor } from './rules-extractor.ts';

const extractor = rulesExtractor();
const AT = '2024-05-16T12:00:00.000Z';

function turn(content: string): Episode {
  return { ...newEpisode(content, { at: AT, utcOffsetMinutes: 540 }), position: 0 };
}

async function read(content: string, before: readonly string[] = []): Promise<Extraction> {
  return extractor.extract({ episodes: [turn(content)], preceding: before.map((text) => turn(text)) });
}

function triples({ relations }: Extraction): string[] {
  return relations.map(
    ({ subject, predicate, object, validAt, corrects }) =>
      `${subject} | ${predicate} | ${object}${validAt === undefined ? '' : ` @${validAt}`}${corrects === true ? ' corrects' : ''}`,
  );
}

describe('Korean rules', () => {
  it.each<[string, ...string[]]>([
    ['나는 서울에 살아.', 'User | live in | 서울'],
    ['저는 서울에 살고 있습니다.', 'User | live in | 서울'],
    ['지금은 광주에서 살고 있어요.', 'User | live in | 광주'],
    ['나 서울 살아', 'User | live in | 서울'],
    ['지금 사는 곳은 부산이에요.', 'User | residence | 부산'],
    ['사실 저는 인천에 살아요.', 'User | live in | 인천 corrects'],
    ['부산으로 이사했어.', 'User | move to | 부산'],
    ['저 이번에 인천으로 이사왔어요!', 'User | move to | 인천'],
    ['부산 해운대로 이사했어.', 'User | move to | 부산 해운대'],
    ['남편이랑 부산으로 이사했어.', 'User | move to | 부산'],
    ['독일로 이민 갔어.', 'User | move to | 독일'],
    ['비가 와서 부산으로 이사했어.', 'User | move to | 부산'],
    ['작년에 서울에서 부산으로 이사했어요.', 'User | move from | 서울 @2023-01-01', 'User | move to | 부산 @2023-01-01'],
    ['저희는 작년 3월에 춘천으로 이사했어요.', 'User | move to | 춘천 @2023-03-01'],
    ['지난주에 제주도로 이사 갔어', 'User | move to | 제주도 @2024-05-09'],
    ['3월에 대구로 이사 왔습니다.', 'User | move to | 대구 @2024-03-01'],
    ['2020년에 부산으로 이사했어.', 'User | move to | 부산 @2020-01-01'],
    ['두 달 전에 부산으로 이사했어.', 'User | move to | 부산 @2024-03-01'],
    ['이제 더 이상 서울에 안 살아.', 'User | no longer live in | 서울'],
    ['예전에는 서울에 살았어.', 'User | used to live in | 서울'],
    ['서울에 살다가 부산으로 이사했어.', 'User | used to live in | 서울', 'User | move to | 부산'],
    ['나는 서울에 살고 네이버에서 일해.', 'User | live in | 서울', 'User | work at | 네이버'],
    ['저는 카카오에서 개발자로 일하고 있어요.', 'User | work at | 카카오', 'User | work as | 개발자'],
    ['저는 초등학교 교사로 일하고 있어요', 'User | work as | 초등학교 교사'],
    ['현재 LG전자에서 근무하고 있습니다.', 'User | work at | LG전자'],
    ['삼성에 다니고 있어', 'User | work at | 삼성'],
    ['이제 삼성에 안 다녀.', 'User | no longer work at | 삼성'],
    ['저는 이제 네이버에서 일하지 않아요.', 'User | no longer work at | 네이버'],
    ['네이버에서 카카오로 이직했어.', 'User | leave | 네이버', 'User | start at | 카카오'],
    ['이직했어요.', 'User | leave | job'],
    ['직장을 옮겼어요.', 'User | leave | job'],
    ['지난달에 회사를 그만뒀어.', 'User | quit | job @2024-04-01'],
    ['네이버에서 퇴사했습니다', 'User | quit | 네이버'],
    ['제가 가장 좋아하는 음식은 김치찌개예요.', 'User | favourite food | 김치찌개'],
    ['제일 좋아하는 색은 파란색이야.', 'User | favourite colour | 파란색'],
    ['이제 제일 좋아하는 색은 초록색으로 바뀌었어.', 'User | favourite colour | 초록색'],
    ['제가 제일 좋아하는 계절은 여름에서 가을로 바뀌었어요.', 'User | favourite season | 가을'],
    ['제 최애 영화는 기생충이에요.', 'User | favourite movie | 기생충'],
    ['나는 이제 재즈를 안 좋아해.', 'User | no longer like | 재즈'],
    ['재즈를 싫어해', 'User | hate | 재즈'],
    ['저는 커피보다 차를 더 좋아해요.', 'User | prefer | 차'],
    ['예전엔 재즈를 좋아했는데 이제는 클래식을 좋아해.', 'User | used to like | 재즈', 'User | like | 클래식'],
    ['더 이상 커피를 마시지 않아요.', 'User | no longer drink | 커피'],
    ['담배는 끊었어요.', 'User | quit | 담배'],
    ['요즘은 커피 대신 차를 마셔요.', 'User | drink | 차'],
    ['예전에는 담배를 피웠어.', 'User | used to smoke | 담배'],
    ['이제 운동 안 해.', 'User | no longer do | 운동'],
    ['나는 한국어도 하고 영어도 해.', 'User | speak | 한국어', 'User | speak | 영어'],
    ['차를 팔았어.', 'User | sell | 차'],
    ['민수와 결혼했어요.', 'User | marry | 민수'],
    ['나는 채식주의자야.', 'User | be | 채식주의자'],
    ['이제 채식주의자가 아니야.', 'User | no longer be | 채식주의자'],
    ['앱 버전은 2.4입니다.', '앱 | version | 2.4'],
    ['TICKET-9의 상태는 진행 중이야.', 'TICKET-9 | status | 진행 중'],
    ['TICKET-9는 완료됐어.', 'TICKET-9 | status | 완료'],
    ['마감일을 5월 10일로 변경했어.', '마감일 | be set to | 5월 10일'],
    ['vim에서 Helix로 갈아탔어.', 'User | switch from | vim', 'User | switch to | Helix'],
    ['아니, 정정할게. 나는 대구에 살아.', 'User | live in | 대구 corrects'],
    ['부산이 아니라 대구에 살아.', 'User | live in | 대구 corrects'],
    ['부산으로 이사한 지 3년 됐어요.', 'User | move to | 부산'],
    ['네이버에서 일한 지 2년 됐어요.', 'User | work at | 네이버'],
    ['네이버를 그만두고 카카오에 입사했어.', 'User | quit | 네이버', 'User | start at | 카카오'],
    ['지금은 서울에 안 살고 부산에 살아.', 'User | not live in | 서울', 'User | live in | 부산'],
    ['나는 서울에서 일해.', 'User | work in | 서울'],
    ['저는 일본에서 일하고 있어요.', 'User | work in | 일본'],
  ])('%s', async (text, ...expected) => {
    expect(triples(await read(text))).toEqual(expected);
  });

  it.each<[string, ...string[]]>([
    ['엄마는 부산에 살아.', "User's 엄마 | live in | 부산"],
    ['우리 엄마 부산에 살아', "User's 엄마 | live in | 부산"],
    ['할머니께서는 강릉에 사십니다.', "User's 할머니 | live in | 강릉"],
    ['친구가 결혼해서 부산으로 이사했어.', "User's 친구 | move to | 부산"],
    ['민수는 제주도로 이사했어.', '민수 | move to | 제주도'],
    ['민수는 의사야. 부산에 살아.', '민수 | live in | 부산'],
    ['회사가 판교로 이사했어.', '회사 | move to | 판교'],
    ['동생이 제일 좋아하는 색은 빨간색이야.', "User's 동생 | favourite colour | 빨간색"],
    ['민수는 커피를 안 마셔.', '민수 | not drink | 커피'],
    ['아빠가 회사를 그만두셨어요.', "User's 아빠 | quit | job"],
  ])('is about somebody else: %s', async (text, ...expected) => {
    expect(triples(await read(text))).toEqual(expected);
  });

  it.each([
    '부산에 살아?',
    '저 부산에 살까요?',
    '어디에 살아',
    '부산으로 이사했어?',
    '만약 부산에 살면 좋을 텐데.',
    '부산으로 이사하면 연락할게.',
    '부산에 살고 싶어.',
    '부산으로 이사하고 싶었어.',
    '부산으로 이사할 거야.',
    '다음 달에 부산으로 이사해.',
    '내년에 부산으로 이사해요.',
    '부산으로 이사하려고 해.',
    '부산으로 이사할 뻔했어.',
    '거의 부산으로 이사했어.',
    '부산으로 이사 안 했어.',
    '부산으로 이사해야 해.',
    '부산으로 이사한 것 같아.',
    '엄마가 부산에 산대.',
    '민수가 부산으로 이사했다고 했어.',
    '엄마가 "나는 부산으로 이사했어"라고 말했어.',
    '그는 부산에 살아.',
    '옆집 사람이 이사했어.',
    '꿈에서 부산으로 이사했어.',
    '이사했어.',
    '새 아파트로 이사했어.',
    '더 큰 집으로 이사했어',
    '친구 집에 살아',
    '혼자 살아.',
    '행복하게 살아.',
    '런던으로 이사 갔다가 다시 서울로 돌아왔어.',
    '집에서 일해.',
    '카페에서 일하고 왔어.',
    '밤에 일해.',
    '필라테스에 다녀.',
    '마케팅팀으로 옮겼어.',
    '책상을 거실로 옮겼어.',
    '여행을 떠났어.',
    '제일 좋아하는 색이 뭐야?',
    '서울을 떠나고 싶어',
    '이사하고 나서 기분이 좋아졌어.',
    '아마 네이버에서 일해.',
    '서울에 사세요',
  ])('states nothing: %s', async (text) => {
    expect(triples(await read(text))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['나는 부산에 살아.', '부산이 아니라 대구야.', 'User | live in | 대구'],
    ['나는 부산에 살아.', '정정할게요, 대구예요.', 'User | live in | 대구'],
    ['저는 네이버에서 일해요.', '아니, 네이버 말고 카카오예요.', 'User | work at | 카카오'],
    ['I live in Oslo.', '정정: Bergen이야.', 'User | live in | Bergen'],
  ])('%s %s', async (before, text, expected) => {
    expect(triples(await read(text, [before]))).toEqual([`${expected} corrects`]);
  });
});

describe('Chinese rules', () => {
  it.each<[string, ...string[]]>([
    ['我住在上海。', 'User | live in | 上海'],
    ['我现在定居在新加坡了。', 'User | live in | 新加坡'],
    ['住在成都。', 'User | live in | 成都'],
    ['我住在北京三年了。', 'User | live in | 北京'],
    ['我和妈妈住在上海。', 'User | live in | 上海'],
    ['我搬到北京了。', 'User | move to | 北京'],
    ['已经搬到重庆了。', 'User | move to | 重庆'],
    ['我从上海搬到北京了。', 'User | move from | 上海', 'User | move to | 北京'],
    ['去年我从上海搬到了北京。', 'User | move from | 上海 @2023-01-01', 'User | move to | 北京 @2023-01-01'],
    ['我上周搬到广州。', 'User | move to | 广州 @2024-05-09'],
    ['三月我搬到了深圳。', 'User | move to | 深圳 @2024-03-01'],
    ['我三年前搬到杭州。', 'User | move to | 杭州 @2021-01-01'],
    ['我移民加拿大了。', 'User | move to | 加拿大'],
    ['我不再住在上海了。', 'User | no longer live in | 上海'],
    ['我不住在上海了', 'User | no longer live in | 上海'],
    ['我以前住在上海。', 'User | used to live in | 上海'],
    ['我在阿里巴巴工作。', 'User | work at | 阿里巴巴'],
    ['我在腾讯上班。', 'User | work at | 腾讯'],
    ['我在谷歌工作过。', 'User | used to work at | 谷歌'],
    ['我已经不在阿里巴巴工作了。', 'User | no longer work at | 阿里巴巴'],
    ['我从阿里巴巴跳槽到腾讯。', 'User | leave | 阿里巴巴', 'User | start at | 腾讯'],
    ['我换工作了。', 'User | leave | job'],
    ['我上个月辞职了。', 'User | quit | job @2024-04-01'],
    ['我从腾讯离职了。', 'User | quit | 腾讯'],
    ['我不再喝咖啡了。', 'User | no longer drink | 咖啡'],
    ['我不抽烟了。', 'User | no longer smoke | 烟'],
    ['我戒烟了。', 'User | quit | 烟'],
    ['我每天喝咖啡。', 'User | drink | 咖啡'],
    ['我喜欢爵士乐。', 'User | like | 爵士乐'],
    ['我不喜欢爵士乐了。', 'User | no longer like | 爵士乐'],
    ['我讨厌香菜。', 'User | hate | 香菜'],
    ['我更喜欢茶。', 'User | prefer | 茶'],
    ['我最喜欢的颜色是蓝色。', 'User | favourite colour | 蓝色'],
    ['我最喜欢的颜色改成绿色了。', 'User | favourite colour | 绿色'],
    ['我会说英语。', 'User | speak | 英语'],
    ['我和小芳结婚了。', 'User | marry | 小芳'],
    ['我把车卖了。', 'User | sell | 车'],
    ['我是医生。', 'User | be | 医生'],
    ['我不再是素食者了。', 'User | no longer be | 素食者'],
    ['我的电话号码是12345678。', 'User | phone number | 12345678'],
    ['项目的状态改成已完成。', '项目 | status | 已完成'],
    ['我的狀態從忙碌改成空閒。', 'User | status | 空閒'],
    ['我跳槽到聯發科了。', 'User | start at | 聯發科'],
    ['截止日期是5月3日。', '截止日期 | be set to | 5月3日'],
    ['我从Vim换成了Helix。', 'User | switch from | Vim', 'User | switch to | Helix'],
    ['不对，我说错了，我住在南京。', 'User | live in | 南京 corrects'],
    ['我從上海搬到北京了。', 'User | move from | 上海', 'User | move to | 北京'],
    ['上個月我搬到臺南。', 'User | move to | 臺南 @2024-04-01'],
    ['我現在住在高雄。', 'User | live in | 高雄'],
    ['我在臺積電工作。', 'User | work at | 臺積電'],
    ['我換工作了。', 'User | leave | job'],
    ['我辭職了。', 'User | quit | job'],
    ['我最喜歡的顏色是藍色。', 'User | favourite colour | 藍色'],
    ['我不再喝咖啡了。', 'User | no longer drink | 咖啡'],
    ['我搬到北京三年了。', 'User | move to | 北京'],
    ['我在腾讯工作三年了。', 'User | work at | 腾讯'],
    ['我在上海生活。', 'User | live in | 上海'],
    ['我们家搬到了北京。', 'User | move to | 北京'],
    ['我把烟戒了。', 'User | quit | 烟'],
    ['我最喜欢的颜色不再是蓝色。', 'User | no longer favourite colour | 蓝色'],
    ['我在 Google 工作。', 'User | work at | Google'],
    ['我搬到 New York 了。', 'User | move to | New York'],
    ['我在北京工作。', 'User | work in | 北京'],
    ['我在臺北上班。', 'User | work in | 臺北'],
    ['我在美国工作。', 'User | work in | 美国'],
  ])('%s', async (text, ...expected) => {
    expect(triples(await read(text))).toEqual(expected);
  });

  it.each<[string, ...string[]]>([
    ['我妈妈住在北京。', "User's 妈妈 | live in | 北京"],
    ['我媽媽住在高雄。', "User's 媽媽 | live in | 高雄"],
    ['小明住在北京。', '小明 | live in | 北京'],
    ['我妈是老师。住在北京。', "User's 妈 | be | 老师", "User's 妈 | live in | 北京"],
    ['公司搬到上海了。', '公司 | move to | 上海'],
    ['我老公在华为工作。', "User's 老公 | work at | 华为"],
    ['我妈妈最喜欢的颜色是红色。', "User's 妈妈 | favourite colour | 红色"],
    ['我爸爸戒烟了。', "User's 爸爸 | quit | 烟"],
  ])('is about somebody else: %s', async (text, ...expected) => {
    expect(triples(await read(text))).toEqual(expected);
  });

  it.each([
    '我住在北京吗？',
    '你住在哪里',
    '你搬到北京了吗',
    '我想搬到北京。',
    '我打算搬到北京。',
    '我希望住在北京。',
    '我差点搬到北京。',
    '我几乎搬到了北京。',
    '如果我搬到北京就好了。',
    '假如我在谷歌工作。',
    '我可能会搬到北京。',
    '我明年搬到北京。',
    '我本来要搬到北京。',
    '我没有搬到北京。',
    '我不会搬到北京。',
    '别搬到北京。',
    '搬到北京吧。',
    '妈妈说：“我搬到北京了。”',
    '小王说他搬到成都了。',
    '听说小明搬到北京了。',
    '他住在北京。',
    '他妈妈搬到北京了。',
    '她不喝咖啡了。',
    '电影里的主角住在巴黎。',
    '我搬家了。',
    '我搬到新房子了。',
    '我搬到二楼了。',
    '我住在学校宿舍。',
    '我住在附近。',
    '我住在一个小镇。',
    '我住校。',
    '我在家工作。',
    '我在咖啡馆工作。',
    '我在努力工作。',
    '我目前在北京的一家公司工作。',
    '我在北京出差。',
    '我把服务器从上海搬到北京了。',
    '我想搬到臺北。',
    '聽說小明搬到臺北了。',
    '我差點搬到臺北。',
  ])('states nothing: %s', async (text) => {
    expect(triples(await read(text))).toEqual([]);
  });

  it.each<[string, string, string]>([
    ['我住在北京。', '不是北京，是南京。', 'User | live in | 南京'],
    ['我住在北京。', '更正一下，是南京。', 'User | live in | 南京'],
    ['我住在臺北。', '更正，不是臺北，是臺南。', 'User | live in | 臺南'],
    ['I work at Acme.', '我说错了，是Globex。', 'User | work at | Globex'],
  ])('%s %s', async (before, text, expected) => {
    expect(triples(await read(text, [before]))).toEqual([`${expected} corrects`]);
  });
});
