import type { Voice } from '../domain/query.ts';

/** Clauses that say who told whom, by who of the two told; in the past tense: "Can you tell me where I live?" asks for nothing that was said. */
export const TOLD: Readonly<Record<Voice['role'], readonly RegExp[]>> = {
  assistant: [
    english('you'),
    /\byour\s+(?:\w+\s+)?(?:advice|suggestions?|recommendations?|answers?|tips?|explanations?|proposals?)\b/gi,
    /\b(?:recommended|suggested|given|told)(?:\s+to\s+me)?\s+by\s+you\b/gi,
    german('(?:du|Sie)', 'ich'),
    /\b(?:me|nos)\s+(?:\p{L}+[ai]ste|has\s+\p{L}+|habías\s+\p{L}+)(?!\p{L})/giu,
    /\bm['’](?:as|avais|avez|aviez)(?!\p{L})/giu,
    /\bmi\s+(?:hai|avevi)\s+\p{L}+/giu,
    /\b(?:você|tu)\s+(?:já\s+)?me\s+(?:\p{L}+(?:ou|eu|iu|este)|disse)(?!\p{L})/giu,
    chinese('[你您]'),
    new RegExp(`(?<!(?:내가|제가)\\s[^.?!,。]{0,40})(?:${koreanTold()})`, 'gu'),
    /(?:네가|니가|너가|당신이)(?![^.?!,。]{0,30}(?:내가|제가))/gu,
    /(?:教え|勧め|薦め|すすめ|紹介し|提案し|説明し|アドバイスし|助言し|話し|言っ|答え)てくれ(?:た|てた|てい|まし)/gu,
  ],
  user: [
    english('I'),
    german('ich', '(?:du|Sie)'),
    /\b(?:te|le)\s+(?:dije|conté|comenté|mencioné|hablé|pregunté|recomendé|pedí|consulté|compartí|expliqué|he\s+\p{L}+|había\s+\p{L}+)(?!\p{L})/giu,
    /\b(?:je\s+t['’]|je\s+vous\s+|t['’])(?:ai|avais)(?!\p{L})/giu,
    /\b(?:ti|le)\s+(?:ho|avevo)\s+\p{L}+/giu,
    /\b(?:te|lhe)\s+(?:contei|disse|falei|perguntei|recomendei|mencionei|pedi|expliquei)(?!\p{L})/giu,
    chinese('我'),
    /(?:내가|제가|나는|저는|난|전|나|저)\s[^.?!,。]{0,40}?(?:말|얘기|이야기|추천|상담|부탁|언급|소개|공유|물어|여쭤|털어)\p{Script=Hangul}*\s?(?:했|한|하|봤|본|보|놓)/gu,
    /(?:私|僕|俺|わたし|ぼく|おれ)(?:が|は)?[^。、？！?!]{0,30}?(?:言っ|話し|教え|聞い|尋ね|相談し|伝え|勧め|薦め|すすめ)(?:た|てた|ていた|まし)/gu,
  ],
};

/** Whom a question is about, in a word. */
export const FIRST_PERSON =
  /\b(?:I|my|[Ii]ch|mir|mich|mein(?:e[mnrs]?)?|[Yy]o|mis?|[Jj]e|moi|mon|[Ii]o|mi[oae]|miei|[Ee]u|meus?|minhas?)(?!\p{L})|我|私|僕|俺|(?<!\p{Script=Hangul})(?:내가|제가|나는|저는|나도|저도|나|난|내|저|제|나한테|저한테|저희|우리)(?!\p{Script=Hangul})/u;
export const SECOND_PERSON =
  /\b(?:you|your|du|dir|dich|dein(?:e[mnrs]?)?|tú|ti|te|usted|tu|toi|vous|você)(?!\p{L})|[你您]|あなた|君|(?<!\p{Script=Hangul})(?:너|네가|니가|너는|넌|너한테|당신)(?!\p{Script=Hangul})/iu;

function english(subject: string): RegExp {
  const often = '(?:(?:ever|once|also|already|previously|just|first|last|originally|actually)\\s+)*';
  const tell = 'recommend|suggest|advise|propose|tell|give|share|say|explain|mention|teach|introduce|answer|write|list|ask|talk|speak';
  const told =
    'recommended|suggested|advised|proposed|told|gave|given|shared|said|explained|mentioned|taught|introduced|answered|wrote|written|listed|asked|talked|spoke';
  // A clause that only says when is not what is asked.
  const notWhen = '(?<!\\b(?:when|after|before|until|once|as|because|since|if)\\s+)';
  const past = `${subject}(?:['’](?:ve|d)|\\s+(?:have|had))?\\s+${often}(?:${told})`;
  return new RegExp(`${notWhen}\\b(?:did\\s+${subject}\\s+${often}(?:${tell})|${past}|have\\s+${subject}\\s+${often}(?:${told}))\\b`, 'gi');
}

/** The participle stands at the end, behind the nearest subject. */
function german(subject: string, other: string): RegExp {
  const told =
    'empfohlen|vorgeschlagen|gesagt|erzählt|geraten|gegeben|genannt|erklärt|gezeigt|verraten|erwähnt|gefragt|berichtet|geschrieben|beigebracht';
  return new RegExp(`\\b${subject}\\b(?:(?!\\b${other}\\b)[^,.?!:;]){0,70}?\\b(?:${told})(?!\\p{L})`, 'giu');
}

/** The subject is nobody to whom something is said (给我), and no "can you" stands between it and the verb. */
function chinese(subject: string): RegExp {
  const between = '(?:[^，。？！；,.?!;你您我能可会请]|[给和跟向对为][了过]?[你您我])';
  const told = '推荐|建议|分享|告诉|介绍|提到|提过|提供|说过|说了|教|请教|咨询|问(?!题)|聊|意见';
  return new RegExp(`(?<![给和跟向对为诉让教问]|[给诉教问][了过])${subject}(?!们)${between}{0,12}?(?:${told})`, 'gu');
}

/** Korean leaves the subject out, and says "for me" by the verb. */
function koreanTold(): string {
  const noun = '(?:추천|권|소개|설명|조언|제안|말|얘기|이야기|대답|답|공유|정리|안내|분석)\\s?(?:을\\s?|를\\s?)?해\\s?';
  const verb = '(?:권해|알려|가르쳐|들려|보여|골라|적어|써|찾아|짜)\\s?';
  return `(?:${noun}|${verb})(?:준|줬|주었|주신|주셨)|(?:하|보|쓰|가|읽으|먹으)라고\\s?(?:했|한|하)`;
}
