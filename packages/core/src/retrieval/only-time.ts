import type { WeightedTerm } from '../domain/index-record.ts';
import type { QuestionTime } from '../domain/query.ts';
import { analyseText } from '../domain/text-analysis.ts';

/** Words of talk and of time: who uses no others asks for all that was said then, not for what is worded so. */
const TALK_AND_TIME = new Set([
  ...analyseText(`talk discuss chat converse conversation topic subject speak tell mention say happen go on up new lot thing anything everything something remember recall
    remind recap summarize summarise summary review cover show ask list between together
    day date time morning afternoon evening night week weekend month year yesterday today ago last past previous earlier first late
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday one two three four five six seven eight nine ten couple few th st nd rd`),
  ...analyseText(
    '话题 聊天 对话 谈论 讨论 总结 主题 事情 内容 很多 昨天 今天 前天 上周 星期 周末 月份 上个 那些 早上 晚上 话題 話題 会話 要約 昨日 今日 先週 先月 曜日 話し',
  ),
  ...analyseText('얘기 이야기 대화 주제 요약 정리 다시 어제 오늘 그제 그저께 지난주 지난달 요일 많이 나눴'),
  ...analyseText('worüber was haben wir gestern heute letzte letzten woche besprochen geredet gesprochen erzählt gesagt am im'),
  ...analyseText('qué de ayer hoy hablamos hablado dijimos semana pasada sobre el la quoi avons nous parlé hier semaine dernière'),
  ...'聊谈说讲月号日天年周事做干次話월일년날주',
]);
/** Of what is to come, who uses no others asks for all of it. */
const PLANS = new Set([
  ...analyseText(`plan plans planned appointment schedule scheduled calendar agenda diary event commitment free busy available booked clear left remain remaining upcoming
    next tomorrow tonight coming plate look looks like need must get please forget forgot still whats meeting meetings going`),
  ...analyseText(
    '安排 计划 計劃 打算 日程 有空 还剩 还有 有事 没办 哪些事 什么事 明天 后天 下周 下个月 本周 周末 予定 明日 明後日 来週 来月 今週 週末',
  ),
  ...analyseText('일정 약속 계획 예정 내일 모레 다음 이번 주말 남은 있지 있어 있나 할일 무슨일 뭐가 뭐야'),
  ...'有事办还剩排空后下这本末予定',
]);
const NUMBER_OF_DATE = /^(?:\d{1,2}|19\d\d|20\d\d)(?:st|nd|rd|th)?$/;
/** What counts for less joins two words, or a word and its ending. */
const WHOLE = 1;
/** A month that stands so is none, but somebody's name: "What did April say?" */
const BEFORE_MONTH = /\b(?:in|during|since|until|by|from|last|this|of|between|and|im|seit|en|au|du)\s+\p{L}+/iu;

/**
 * Whether a question asks for what was said at these times, or for what is to come then, and for nothing else: "What did we talk about on 3 May?",
 * "What do I have tomorrow?" Pure.
 */
export function isOnlyAboutTime(text: string, terms: readonly WeightedTerm[], times: readonly QuestionTime[], looksAhead: boolean): boolean {
  const isName = (time: QuestionTime) =>
    'month' in time && time.day === undefined && time.year === undefined && /\p{Script=Latin}/u.test(text) && !BEFORE_MONTH.test(text);
  return (
    times.length > 0 &&
    !times.some(isName) &&
    terms.every(
      ({ term, weight }) =>
        NUMBER_OF_DATE.test(term) || TALK_AND_TIME.has(term) || (looksAhead && PLANS.has(term)) || (weight < WHOLE && [...term].length > 1),
    )
  );
}
