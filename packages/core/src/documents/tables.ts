/** A stretch of text; with `head` the rows of a Markdown table, whose head (column names and rule) stands before them. */
export interface Block {
  readonly text: string;
  readonly head?: string;
}

const RULE = /^[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\n$/;
/** Longer lines are no rule; a pattern must not be run over a megabyte of dashes. */
const MAX_RULE_LENGTH = 4096;

/** The text cut into tables and what stands between them; all of it, in order. */
export function* blocks(text: string): Generator<Block> {
  let start = 0;
  let before: string | undefined;
  for (let from = 0, to = 0; from < text.length; from = to) {
    to = lineEnd(text, from);
    const line = text.slice(from, to);
    if (before === undefined || !isRule(before, line)) {
      before = line;
      continue;
    }
    const headStart = from - before.length;
    const end = rowsEnd(text, to);
    before = undefined;
    if (end === to) continue;
    if (headStart > start) yield { text: text.slice(start, headStart) };
    yield { head: text.slice(headStart, to), text: text.slice(to, end) };
    start = end;
    to = end;
  }
  if (start < text.length) yield { text: text.slice(start) };
}

function isRule(before: string, line: string): boolean {
  return line.includes('|') && before.includes('|') && line.length <= MAX_RULE_LENGTH && RULE.test(line);
}

/** Rows go on while each line has a cell's border. */
function rowsEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length) {
    const next = lineEnd(text, end);
    if (!text.slice(end, next).includes('|')) break;
    end = next;
  }
  return end;
}

function lineEnd(text: string, from: number): number {
  return text.indexOf('\n', from) + 1 || text.length;
}
