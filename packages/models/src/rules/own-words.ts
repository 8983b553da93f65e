export interface Told {
  /** What the author says of themselves and others. */
  readonly own: string;
  /** What is only shown: speech in quotes, quoted lines, a text to work on. Who "I" is there, nobody knows. */
  readonly shown: string;
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
  if (task !== undefined) return { own: task, shown: text.slice(task.length) };
  const shown: string[] = [];
  const apart = (part: string) => {
    shown.push(part.replace(/^[ \t]*>|["“”「」『』«»]/g, ' ').trim());
    return ' ';
  };
  return { own: text.replace(QUOTED_LINES, apart).replace(QUOTED_SPEECH, apart), shown: shown.join('\n') };
}
