export interface Told {
  /** What the author says of themselves and others. */
  readonly own: string;
  /** What is only shown: speech in quotes, quoted lines, a text to work on. Who "I" is there, nobody knows. */
  readonly shown: string;
  /** A sentence of `own` with the quotations that it had. */
  asWritten(sentence: string): string;
}

const QUOTED_LINES = /^[ \t]*>.*$/gm;
/** Three words or more, of which one speaks for itself: not a title. */
const QUOTED_SPEECH = /["“「『«](?=[^"”」』»]*(?:\b(?:I|I['’](?:m|ve|d|ll)|[Ww]e)\b|[나내저제](?:는|가)|我))[^"”」』»]{6,}["”」』»]/gu;
/** "Translate: I moved to Corran." */
const TASK =
  /^\s*(?:(?:please|can you|could you|help me)[ ,]+)*(?:translate|rephrase|rewrite|proofread|paraphrase|summari[sz]e|correct|edit|polish|repeat|write|complete|continue|example(?: sentence)?s?)\b[^:\n]{0,80}:|^[^:：\n]{0,30}(?:번역|요약|교정|다듬)[^:：\n]{0,20}[:：]|^(?:请|帮我|麻烦)*(?:翻译|改写|润色|总结|校对|造句)[^:：\n]{0,20}[:：]/iu;

/** Tells what an author says from what they show: "She wrote: 'I moved to Corran.'" is not their move. */
export function ownWords(text: string): Told {
  const task = TASK.exec(text)?.[0];
  if (task !== undefined) return { own: task, shown: text.slice(task.length), asWritten: (sentence) => sentence };
  const shown: string[] = [];
  const apart = (part: string) => {
    shown.push(part.replace(/^[ \t]*>|["“”「」『』«»]/g, ' ').trim());
    return ' ';
  };
  const unquoted = text.replace(QUOTED_LINES, apart);
  /** Where in `own` a quotation was taken out, and how much. */
  const gaps: { readonly at: number; readonly taken: number }[] = [];
  let taken = 0;
  const own = unquoted.replace(QUOTED_SPEECH, (part, index: number) => {
    gaps.push({ at: index - taken, taken: part.length - 1 });
    taken += part.length - 1;
    return apart(part);
  });
  const before = (place: number) => gaps.reduce((sum, gap) => (gap.at < place ? sum + gap.taken : sum), 0);
  const asWritten = (sentence: string) => {
    const at = own.indexOf(sentence);
    if (at < 0 || gaps.length === 0) return sentence;
    const end = at + sentence.length;
    return unquoted.slice(at + before(at), end + before(end));
  };
  return { own, shown: shown.join('\n'), asWritten };
}
