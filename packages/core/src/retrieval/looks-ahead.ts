import type { QuestionTime } from '../domain/query.ts';

/** What nobody asks of days that are over. */
const PLANS = new RegExp(
  `\\b(?:plans?|planned|planning|scheduled?|upcoming|appointments?|agenda|calendar|diary|deadlines?|due|free|busy|available|booked|on my plate|` +
    `will|gonna|going to|coming up|look(?:s|ing)? like|(?:is|are) there (?:anything|something)|anything|to come|rest of|what(?:['’]?s| is) left|` +
    `(?:do|does) (?:i|we|he|she|they|\\p{L}+) (?:have|need)|(?:have|has) (?:i|we) got|what(?:['’]?s| is| do i have) (?:on|up|happening))\\b|` +
    '일정|약속|계획|예정|해야|할 ?일|남은|安排|计划|計劃|打算|日程|有空|有什么|有什麼|有没有|有沒有|[还還](?:剩|有)|予定|約束|計画|残って|' +
    '\\b(?:pläne|plane|termine?|prévue?s?|rendez-vous|planes|citas?|programmat[oi])\\b',
  'iu',
);
/** Of a day of the week that is enough; of a date it is not ("What is the name on the bill of 3 March?"). */
const PRESENT =
  /\b(?:do|does|am|is|are|shall|can|should|must|need|who|what|whats|where|when|which|how)\b|있(?:어|나|니|지|을까)|[行开開]吗|[会能要]|ある[？?]?/iu;
const PAST = new RegExp(
  `\\b(?:did|was|were|had|been|went|took|bought|saw|met|made|gave|said|told|ate|came|wrote|found|sent|spoke|slept|felt|drank|ran|sang|swam|won|lost|paid|sold|taught|thought|knew|began|broke|chose|drove|fell|flew|forgot|heard|kept|rode|spent|stood|wore|ago|last|yesterday)\\b|` +
    `\\b(?!(?:planned|scheduled|booked|needed|supposed|invited|committed|promised|agreed|arranged)\\b)\\p{L}{2,}ed\\b|` +
    '[았었였했갔봤왔샀났됐]|지난|了|上[个個]?(?:周|週|星期|礼拜|禮拜|月)|昨|先週|[吃去做见見说說买買]过|ました|った|んだ[？?]|\\b(?:war|hatte|gab|hab(?:e|en|t)? .*\\bge\\p{L}+t|hier|ayer|hice|fui)\\b',
  'iu',
);
/** What was agreed on then is to come. */
const AGREED =
  /\bdid (?:i|we|he|she|they) (?:plan|promise|agree|arrange|schedule|commit)\b|\bsupposed to\b|기로 ?(?:했|한)|(?:일정|약속|계획)이? ?(?:뭐|언제|어디)|(?:说|說|约|約)好/iu;

/**
 * Whether a question with these times asks for what is to come on them: "What do I have tomorrow?", "Am I free on Friday?", not "What did I do
 * on Friday?". Pure.
 */
export function looksAhead(text: string, times: readonly QuestionTime[]): boolean {
  if (times.some(isAhead)) return true;
  if (times.every(isPast) || (PAST.test(text) && !AGREED.test(text))) return false;
  const isLoose = times.some((time) => 'weekday' in time || 'dayOfMonth' in time);
  return AGREED.test(text) || PLANS.test(text) || (isLoose && PRESENT.test(text)) || times.every((time) => 'unit' in time && time.last > 0);
}

function isPast(time: QuestionTime): boolean {
  return 'unit' in time && time.last < 0;
}

/** Whatever the question says: "What did I plan for tomorrow?" But "in three days" may have been how long something took. */
function isAhead(time: QuestionTime): boolean {
  if ('unit' in time) return time.first > 0 && time.first <= (time.unit === 'day' ? 2 : 1);
  return 'weekday' in time && time.isNext === true;
}
