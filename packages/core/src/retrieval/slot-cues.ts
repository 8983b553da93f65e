interface Cue {
  /** Words that only who asks for it has: stop words swallow them, or they share no stem with the wording of a statement. */
  readonly asks: RegExp;
  /** Words that it shares with other questions: "Where is the spare key?" */
  readonly may?: RegExp;
}

const WEIGHT = { asks: 1, may: 0.5 } as const;
/** In English, Korean and Chinese, by the slot that is asked for. */
const CUES: Readonly<Record<string, Cue>> = {
  place: {
    asks: cue(
      '\\b(?:live|lives|living|home|city|town|country|address|moved?|reside|based|located|location)\\b',
      '사(?:는|세요|시|니|냐|나요|십)|살(?:아|고|았|지)|(?<!\\p{Script=Hangul})집(?:이|은|에|을)?(?!\\p{Script=Hangul})|주소|동네|도시|거주|이사',
      '[住搬]|我家|地址|城市|居|老家',
    ),
    may: cue('\\bwhere\\b', '어디|어딘|어느', '哪里|哪儿|哪个地方|什么地方|在哪'),
  },
  employer: {
    asks: cue(
      '\\b(?:work|works|working|job|employer|employed|company|office)\\b',
      '회사|직장|일(?:해|하|했|합)|근무|다니|다녀',
      '工作|上班|公司|单位|就职|任职',
    ),
  },
  job: {
    asks: cue(
      '\\b(?:work|works|job|role|position|profession|occupation|living)\\b',
      '직업|직책|직무|무슨 ?일|일(?:해|하|했|합)|근무',
      '职业|工作|职位|岗位|[做干当]什么|上班',
    ),
  },
  spouse: {
    asks: cue(
      '\\b(?:married|wife|husband|spouse|partner)\\b',
      '결혼|남편|아내|배우자|와이프|신랑|신부',
      '结婚|[嫁娶]|丈夫|妻子|老公|老婆|太太|配偶|爱人',
    ),
  },
  due: {
    asks: cue('\\b(?:due|deadline)\\b', '마감|기한|기일|데드라인', '截止|期限|到期'),
    may: cue('\\bwhen\\b', '언제', '什么时候|何时|几号|哪天'),
  },
};

/** What of the values that somebody has one of at a time a question asks for, by slot, and how surely. Pure. */
export function slotCues(question: string): ReadonlyMap<string, number> {
  const entries = Object.entries(CUES);
  const asked = entries.filter(([, { asks }]) => asks.test(question));
  if (asked.length > 0) return new Map(asked.map(([slot]) => [slot, WEIGHT.asks]));
  return new Map(entries.filter(([, { may }]) => may?.test(question) === true).map(([slot]) => [slot, WEIGHT.may]));
}

function cue(...languages: readonly string[]): RegExp {
  return new RegExp(languages.join('|'), 'iu');
}
