import type { Voice } from '../domain/query.ts';

/**
 * Clauses that say who told whom, by who of the two told; in the past tense: "Can you tell me where I live?" asks for nothing that was said. What
 * somebody else told ("the place that my friend recommended", 친구가 추천해 준) is neither.
 */
export const TOLD: Readonly<Record<Voice['role'], readonly RegExp[]>> = {
  assistant: [
    english('you'),
    /\bthe\s+(?:assistant|AI|bot|chatbot)(?:['’]s\s+(?:advice|suggestions?|recommendations?)|\s+(?:recommend|suggest|advise|tell|told|say|said|give|gave)(?:e?d)?)\b/gi,
    /\byour\s+(?:\w+\s+)?(?:advice|suggestions?|recommendations?|tips?|explanations?|proposals?)\b/gi,
    /\b(?:recommended|suggested|given|told)(?:\s+to\s+me)?\s+by\s+you\b/gi,
    german('(?:[Dd]u|Sie)', '[Ii]ch'),
    /\b(?:[Mm]e|[Nn]os)\s+(?:\p{L}+[ai]ste|has\s+\p{L}+|habías\s+\p{L}+)(?!\p{L})/gu,
    /\b[Mm]['’](?:as|avais|avez|aviez)(?!\p{L})/gu,
    /\b[Mm]i\s+(?:hai|avevi)\s+\p{L}+/gu,
    /\b(?:[Vv]ocê|[Tt]u)\s+(?:já\s+)?me\s+(?:\p{L}+(?:ou|eu|iu|este)|disse)(?!\p{L})/gu,
    chinese('[你您]'),
    korean(),
    /(?<!(?<!あなた|君)が[^。、？！?!]{0,30})(?:教え|勧め|薦め|すすめ|紹介し|提案し|説明し|アドバイスし|助言し|話し|言っ|答え)てくれ(?:た|てた|てい|まし)/gu,
  ],
  user: [
    english('I'),
    german('[Ii]ch', '(?:[Dd]u|Sie)'),
    /\b(?:[Tt]e|[Ll]e)\s+(?:dije|conté|comenté|mencioné|hablé|pregunté|recomendé|pedí|consulté|compartí|expliqué|he\s+\p{L}+|había\s+\p{L}+)(?!\p{L})/gu,
    /\b(?:[Jj]e\s+t['’]|[Jj]e\s+vous\s+|t['’])(?:ai|avais)(?!\p{L})/gu,
    /\b(?:[Tt]i|[Ll]e)\s+(?:ho|avevo)\s+\p{L}+/gu,
    /\b(?:[Tt]e|[Ll]he)\s+(?:contei|disse|falei|perguntei|recomendei|mencionei|pedi|expliquei)(?!\p{L})/gu,
    chinese('我'),
    /(?<!\p{Script=Hangul})(?:내가|제가|나는|저는|난|나|저)\s[^.?!,。]{0,40}?(?:말|얘기|이야기|뭐라고|추천|상담|부탁|언급|소개|공유|물어|여쭤|털어)\p{Script=Hangul}*\s?(?:했|한|하|봤|본|보|놓)/gu,
    /(?:私|僕|俺|わたし|ぼく|おれ)(?:が|は)?[^。、？！?!]{0,30}?(?:言っ|話し|教え|聞い|尋ね|相談し|伝え|勧め|薦め|すすめ)(?:た|てた|ていた|まし)/gu,
  ],
};

/** The subject of an English question itself, whatever else stands beside it: "What did I order in the restaurant that you recommended?" */
export const ENGLISH_QUESTION = /\b(?:did|do|have|had|was|were|am|are)\s+(I|you)\b(?!\s+(?:still\s+|also\s+)?(?:remember|recall|know|think)\b)/gi;

/** Whom a question is about, in a word. */
export const FIRST_PERSON =
  /(?<![\p{L}\p{N}./_'’-])(?:I|my|My|(?:do|did|am|was|have|had) i|[Ii]ch|mir|mich|[Mm]ein(?:e[mnrs]?)?|[Yy]o|[Mm]is?|[Jj]e|moi|mon|[Ii]o|[Mm]i[oae]|[Mm]iei|[Ee]u|meus?|minhas?)(?![\p{L}\p{N}/_.-])|我|(?:私|僕|俺)(?=[はがのにをもっ、])|(?<!\p{Script=Hangul})(?:내가|제가|나는|저는|나도|저도|나|난|내|저(?!\s(?:사람|분|것|거|곳|쪽))|제(?!\s?\d)|나한테|저한테|저희|우리)(?!\p{Script=Hangul})/u;
export const SECOND_PERSON =
  /(?<![\p{L}\p{N}./_-])(?:[Yy]ou|[Yy]our|[Dd]u|dir|dich|[Dd]ein(?:e[mnrs]?)?|tú|ti|te|usted|tu|toi|vous|[Vv]ocê)(?![\p{L}\p{N}/_-])|[你您]|あなた|君(?=[はがのにをも])|(?<!\p{Script=Hangul})(?:너|네가|니가|너는|넌|너한테|당신)(?!\p{Script=Hangul})/u;
/** How one does a thing is told by whoever knows it. */
export const HOW_TO =
  /\bhow\b|\b(?:should|can|could|may|must)\s+I\b|怎么|如何|어떻게|どうやって|\bwie\s+(?:kann|soll|mache?)\b|\bcómo\b|\bcomment\b/iu;

function english(subject: string): RegExp {
  const often = '(?:(?:ever|once|also|already|previously|just|first|last|originally|actually)\\s+)*';
  const tell =
    'recommend|suggest|advise|offer|promise|remind|warn|propose|tell|give|share|say|explain|mention|teach|introduce|answer|write|list|ask|talk|speak';
  const told =
    'recommended|suggested|advised|offered|promised|reminded|warned|proposed|told|gave|given|shared|said|explained|mentioned|taught|introduced|answered|wrote|written|listed|asked|talked|spoke';
  // A clause that only says when, or whose word it is, is not what is asked.
  const notWhen = '(?<!\\b(?:when|after|before|until|once|as|like|because|since|if)\\s+)';
  const past = `${subject}(?:['’](?:ve|d)|\\s+(?:have|had))?\\s+${often}(?:${told})`;
  return new RegExp(`${notWhen}\\b(?:did\\s+${subject}\\s+${often}(?:${tell})|${past}|have\\s+${subject}\\s+${often}(?:${told}))\\b`, 'gi');
}

/** The participle stands at the end, behind the nearest subject. */
function german(subject: string, other: string): RegExp {
  const told =
    'empfohlen|vorgeschlagen|gesagt|erzählt|geraten|gegeben|genannt|erklärt|gezeigt|verraten|erwähnt|gefragt|berichtet|geschrieben|beigebracht';
  return new RegExp(`\\b${subject}\\b(?:(?!\\b${other}\\b)[^,.?!:;]){0,70}?\\b(?:${told})(?!\\p{L})`, 'gu');
}

/** The subject is nobody to whom something is said (给我), and neither "can you" nor "do you know" stands between it and the verb. */
function chinese(subject: string): RegExp {
  const between = '(?:[^，。？！；,.?!;你您我能可会请]|[给和跟向对为][了过]?[你您我])';
  const told = '推荐|建议|提醒|叮嘱|分享|告诉|介绍|提到|提过|提供|说过|说了|教(?![育授室师材堂])|请教|咨询|问(?!题)|聊|意见';
  // "In the place that you recommended, what did I order?" asks for what I did.
  const notOf = '(?!的[^，。？！；,.?!]{0,20}[我他她])';
  const knowing = '(?!们|还?记得|知道|觉得|认为|以为|听说)';
  return new RegExp(`(?<![给和跟向对为诉让教问帮与與同叫请替陪劝]|[给诉教问][了过])${subject}${knowing}${between}{0,12}?(?:${told})${notOf}`, 'gu');
}

/** Korean says "for me" by the verb, and leaves the subject out; where it has one, it must be the one spoken to. */
function korean(): RegExp {
  const noun = '(?:추천|권|소개|설명|조언|제안|말|얘기|이야기|대답|답|공유|정리|안내|분석)\\s?(?:을\\s?|를\\s?)?해\\s?';
  const verb = '(?:권해|알려|가르쳐|들려|보여|골라|적어|써|찾아|짜)\\s?';
  const told = `(?:${noun}|${verb})(?:준|줬|주었|주신|주셨)|(?:하|보|쓰|가|읽으|먹으)라고\\s?(?:했|한|하)|다고\\s?한`;
  const clause = '[^.?!,。]{0,40}';
  const other = `(?<!(?<!\\p{Script=Hangul})(?!(?:네|니|너|당신|그쪽|많|같|높|깊)(?:이|가)\\s)\\p{Script=Hangul}+(?:이|가|께서|님은|씨는|씨가)\\s${clause})`;
  const beforeMe = `(?!${clause}(?:내가|제가))`;
  return new RegExp(`${other}(?:${told})${beforeMe}`, 'gu');
}
