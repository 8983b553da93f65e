import type { WeightedTerm } from '../domain/index-record.ts';
import { analyseText } from '../domain/text-analysis.ts';

/** Words of talk and of time: who uses no others asks for all that was said then, not for what is worded so. */
const TALK_AND_TIME = new Set([
  ...analyseText(`talk discuss chat converse conversation topic subject speak tell mention say happen go on up new lot thing anything everything something remember recall
    day date time morning afternoon evening night week weekend month year yesterday today ago last past previous earlier first late
    january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
    monday tuesday wednesday thursday friday saturday sunday one two three four five six seven eight nine ten couple few th st nd rd`),
  ...analyseText(
    '话题 聊天 对话 谈论 主题 事情 内容 很多 昨天 今天 前天 上周 星期 周末 月份 上个 那些 話題 会話 昨日 今日 先週 先月 話し 얘기 이야기 대화 주제 어제 오늘 그제 그저께 지난주 지난달 많이 나눴',
  ),
  ...'聊谈说讲月号日天年周事做干次話월일년날주',
]);
const NUMBER = /^\d+(?:st|nd|rd|th)?$/;
/** What counts for less joins two words, or a word and its ending. */
const WHOLE = 1;

/** Whether the terms of a question that names a time are of nothing else: "What did we talk about on 3 May?" Pure. */
export function isOnlyAboutTime(terms: readonly WeightedTerm[]): boolean {
  return terms.every(({ term, weight }) => NUMBER.test(term) || TALK_AND_TIME.has(term) || (weight < WHOLE && [...term].length > 1));
}
