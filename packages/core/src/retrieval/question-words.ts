/** Words of Chinese that any question may have, as ICU cuts them: who asks whom, what makes it a question, asking to remember. */
const CHINESE: ReadonlySet<string> = new Set(
  `我 你 您 他 她 它 咱 我们 你们 他们 她们 它们 咱们 我的 你的 他的 她的 的 地 得 了 过 着 吗 呢 吧 啊 呀 嘛 是 在 和 与 跟 给 对 向 把 被 让 为 因为 所以 因此 但是
  但 如果 或者 或 还是 什么 哪 哪些 哪个 哪里 哪儿 哪种 哪位 哪天 怎么 怎样 怎么样 如何 多少 几 几个 谁 曾经 曾 还 也 都 就 才 很 最 又 再 这 那 这个 那个 这些 那些
  这样 那样 这天 那天 一 一个 一些 一下 个 些 种 有 没 不 会 能 可以 要 从 到 关于 请问 请 告诉 知道 记得 还记得 当时 时候 以及 并 而 且 之 所 以 于 其 此 本 部 位 件
  次 去 来 说 想 提到 提 看了`.split(/\s+/),
);
const JAPANESE: ReadonlySet<string> = new Set(
  `私 僕 俺 わたし ぼく おれ あなた 君 誰 何 何だ どこ だれ どんな どれ これ それ あれ この前 前 前に こと もの ました ません でした だった から まで より けど なん ほう 覚え 教え 言っ
  話 話し`.split(/\s+/),
);
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Rows of particles (过的), and the particles and endings of Japanese; other rows are words of their own (部件). */
const CHINESE_PARTICLES = /^[的了过着吗呢吧啊呀嘛是在和与跟给也都就才还我你他她它]+$/u;
const JAPANESE_PARTICLES = /^[はがをにでともへやかねよなだたてっしいれけんのば]{1,2}$/u;

/** Tells of words, as ICU cuts them from this text, whether they are such, or a row of them (过的). The languages share letters: 本 is a book in Japanese. */
export function functionWords(text: string): (word: string) => boolean {
  if (KANA.test(text)) return (word) => JAPANESE.has(word) || JAPANESE_PARTICLES.test(word);
  return (word) => CHINESE.has(word) || CHINESE_PARTICLES.test(word);
}

const PERSON =
  '(?:나|난|날|내|저|전|제|절|너|넌|널|네|니|우리|저희|당신|그쪽|(?:나|저|너|우리|저희|당신|그쪽)(?:가|는|은|를|한테|에게|의|도|랑|한테서)|(?:내|제|네|니)가)';
/** Nouns that begin so are longer (수도, 건의), so each takes only what is said with it. */
const ASKING =
  '(?:(?:뭐|뭘|뭔|무슨|무엇|어떤|어느|어디|언제|누구|누가|왜|어떻게|얼마|얼마나|몇|그때|그날|그거|그게|거|것|예전|지난번|한번|하나|여러|뭐뭐)' +
  '(?:가|는|은|이|을|를|에|엔|에는|에서|의|도|로|인|들|라고|이라고|였|였지|였죠|였더라|였어|예요|이에요|야|이야|으로)?' +
  '|게|건|걸|그|이|수(?:가|는)?|적(?:이|은|에)?|때(?:는|도|에|엔|의)?|전(?:에|에는|엔)|좀|혹시|정확히|구체적으로|다|더|제일|가장|아까|방금)';
/** Syllables that endings of verbs and particles are made of; 나 and 라 would eat stems such as 나라. */
const GLUE = '했하해한할함됐되돼된었았였겠셨시습니까다어아여에예지죠네요더고거든던데는은면서려기게잖줬준줄주';
/** Of the verbs of asking and remembering only forms that are no noun: 해지, 해고 and 한나 begin alike. */
const REMEMBERING =
  `(?:(?:했|있|없|됐|그랬|그렇|맞|싶)[${GLUE}나라을음]*|그치|(?:기억|얘기|이야기|말씀)[${GLUE}나라을음]*|말(?:(?:해|했|한|하)[${GLUE}]*|이|은|을|도)?` +
  '|하(?:는|던|고|면|지|죠|네|니|나|는지|는데|려고|려면|더라|더라고|던데|잖아|잖아요|거든|거든요|면서)|한(?:다|다고|다는|다면|다던|거|건)?|할(?:지|까|게|까요|게요|래|거|때)?' +
  '|해(?:요|줘|줘요|줬지|줬어|준|주신|야|도|봤지|본)?|되(?:는|던|고|면|지|나|나요)|알(?:아|아요|려|지|고|면)?|줘|줘요|줄래|주세요)';

/** What stands behind a number in a date. */
const OF_DATE = '(?:년|월|일)(?:에|엔|에는|은|는|이|의|부터|까지)?';

/** A Korean word that any question may have, with what is glued to it. */
export const KOREAN_FUNCTION_WORD = new RegExp(`^(?:${PERSON}|${ASKING}|${REMEMBERING}|${OF_DATE})$`, 'u');
export const KOREAN_ENDING = new RegExp(`[${GLUE}이가를을도만의로와과랑엔들]+$`, 'u');
export const KOREAN_PARTICLE = /(?:에게서|한테서|께서|에게|한테|에서|으로|부터|까지|처럼|보다|마다|이나|이랑|이라고|라고|이라|하고)[는도만은]?$/u;
