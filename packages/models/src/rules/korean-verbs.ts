/** One way to say a verb. What is not listed here (questions, wishes, plans, hearsay, commands) has no form, so that nothing is read out of it. */
export interface VerbForm {
  readonly verb: string;
  readonly tense: 'now' | 'past' | 'habit';
  readonly negated: boolean;
  /** Another clause follows: "살고", "이사했는데". */
  readonly links: boolean;
  /** "살아" may go on as another verb ("살아 보고 싶어"); it ends a clause only where nothing follows. */
  readonly open: boolean;
  /** Said of somebody else with respect ("사세요"); of oneself it would be a request or a question. */
  readonly honours: boolean;
}

const FIRST_SYLLABLE = 0xac00;
const FINALS_OF_A_SYLLABLE = 28;
const FINAL = { none: 0, n: 4, l: 8, m: 16, b: 17, ss: 20 } as const;

/** Index of the consonant under the last syllable, 0 for none; undefined where the word does not end in Hangul. */
export function finalOf(word: string): number | undefined {
  const code = word.codePointAt(word.length - 1) ?? 0;
  return code >= FIRST_SYLLABLE && code <= 0xd7a3 ? (code - FIRST_SYLLABLE) % FINALS_OF_A_SYLLABLE : undefined;
}

function withFinal(word: string, final: number): string {
  const code = (word.codePointAt(word.length - 1) ?? 0) - (finalOf(word) ?? 0);
  return word.slice(0, -1) + String.fromCodePoint(code + final);
}

const CLOSING = '어 어요 습니다 다 지 지요 죠 거든 거든요 네 네요 음'.split(' ');
const LINKING = '고 지만 으며 는데 는데요'.split(' ');

/**
 * The forms of a verb, plain and polite, from its stem and the form before "요": 살 and 살아, 일하 and 일해.
 * Vowel harmony and contraction are in the second; the rest is regular.
 */
function formsOf(verb: string, stem: string, infinitive: string): [string, VerbForm][] {
  const forms: [string, VerbForm][] = [];
  const add = (surface: string, fields: Partial<VerbForm>) =>
    forms.push([surface, { verb, tense: 'now', negated: false, links: false, open: false, honours: false, ...fields }]);
  const conjugated = (base: string, fields: Partial<VerbForm>) => {
    for (const ending of CLOSING) add(base + ending, fields);
    for (const ending of LINKING) add(base + ending, { ...fields, links: true });
  };
  const final = finalOf(stem) ?? FINAL.none;
  const isOpen = final === FINAL.none || final === FINAL.l;
  /** ㄹ falls away before ㄴ and ㅂ: 살, 산다, 삽니다. */
  const short = final === FINAL.l ? withFinal(stem, FINAL.none) : stem;
  add(infinitive, { open: true });
  add(`${infinitive}요`, {});
  add(isOpen ? `${withFinal(short, FINAL.n)}다` : `${stem}는다`, {});
  add(isOpen ? `${withFinal(short, FINAL.b)}니다` : `${stem}습니다`, {});
  for (const ending of ['지', '지요', '죠', '거든', '거든요']) add(stem + ending, {});
  for (const ending of ['네', '네요', '는중', '는중이야', '는중이에요', '는중입니다']) add(short + ending, {});
  for (const ending of ['고', '지만', isOpen ? '며' : '으며', isOpen ? '면서' : '으면서']) add(stem + ending, { links: true });
  for (const ending of ['는데', '는데요']) add(short + ending, { links: true });
  if (final === FINAL.none) add(withFinal(stem, FINAL.m), {});
  conjugated(`${stem}고있`, {});
  add(`${stem}고있는중이야`, {});
  conjugated(`${stem}고있었`, { tense: 'past' });
  conjugated(`${stem}게됐`, {});
  conjugated(`${stem}곤했`, { tense: 'habit' });
  const past = withFinal(infinitive, FINAL.ss);
  conjugated(past, { tense: 'past' });
  conjugated(`${past}었`, { tense: 'past' });
  add(`${past}어서`, { tense: 'past', links: true });
  // "이사 갔다가": it did not stay so.
  for (const base of [stem, past]) add(`${base}다가`, { tense: 'habit', links: true });
  const honorific = isOpen ? short : `${stem}으`;
  for (const ending of ['셔', '셔요', '세요', '십니다', '신다', '시고', '시지만', '시는데'])
    add(honorific + ending, { honours: true, links: /[고만데]$/.test(ending) });
  conjugated(`${honorific}셨`, { tense: 'past', honours: true });
  for (const ending of '아 아요 습니다 는다 지 지요 죠 거든 거든요 네 네요 음'.split(' ')) add(`${stem}지않${ending}`, { negated: true });
  for (const ending of ['고', '지만', '으며', '는데']) add(`${stem}지않${ending}`, { negated: true, links: true });
  conjugated(`${stem}지않게됐`, { negated: true });
  conjugated(`${stem}지않았`, { tense: 'past', negated: true });
  return forms;
}

/** Verb as the English rules write it: stem and form before "요". */
const VERBS: Readonly<Record<string, string>> = {
  'live in': '살 살아, 거주하 거주해',
  'move to': '이사하 이사해, 이사가 이사가, 이사오 이사와, 이주하 이주해, 이민가 이민가, 이민오 이민와',
  leave: '떠나 떠나',
  relocate: '옮기 옮겨',
  'work at': '일하 일해, 근무하 근무해, 재직하 재직해',
  attend: '다니 다녀',
  'start at': '입사하 입사해, 취직하 취직해, 취업하 취업해',
  'change job': '이직하 이직해',
  resign: '퇴사하 퇴사해, 퇴직하 퇴직해, 사직하 사직해, 사임하 사임해',
  'lose job': '해고당하 해고당해, 해고되 해고돼, 잘리 잘려, 짤리 짤려',
  quit: '그만두 그만둬, 끊 끊어, 관두 관둬',
  like: '좋아하 좋아해',
  love: '사랑하 사랑해',
  enjoy: '즐기 즐겨',
  hate: '싫어하 싫어해',
  prefer: '선호하 선호해',
  eat: '먹 먹어',
  drink: '마시 마셔',
  smoke: '피우 피워, 피 펴',
  use: '쓰 써, 사용하 사용해, 이용하 이용해',
  have: '키우 키워, 기르 길러, 가지 가져',
  learn: '배우 배워',
  study: '공부하 공부해, 전공하 전공해',
  teach: '가르치 가르쳐',
  play: '치 쳐, 연주하 연주해',
  ride: '타 타',
  speak: '할줄알 할줄알아',
  do: '하 해',
  buy: '사 사, 구매하 구매해, 구입하 구입해',
  sell: '팔 팔아',
  'throw away': '버리 버려',
  marry: '결혼하 결혼해',
  divorce: '이혼하 이혼해',
  'break up with': '헤어지 헤어져',
  change: '바꾸 바꿔, 변경하 변경해, 수정하 수정해, 갈아타 갈아타, 전환하 전환해',
};

/** Every form of every verb that is known; one spelling may be of two verbs ("산다": lives, buys). */
export const VERB_FORMS: ReadonlyMap<string, readonly VerbForm[]> = formsByspelling();

function formsByspelling(): Map<string, VerbForm[]> {
  const all = new Map<string, VerbForm[]>();
  for (const [verb, list] of Object.entries(VERBS))
    for (const pair of list.split(', ')) {
      const [stem = '', infinitive = ''] = pair.split(' ');
      for (const [surface, form] of formsOf(verb, stem, infinitive)) all.set(surface, [...(all.get(surface) ?? []), form]);
    }
  return all;
}
