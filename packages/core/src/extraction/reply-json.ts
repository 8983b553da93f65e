import { jsonrepair } from 'jsonrepair';
import type { GenerateReply } from '../ports/language-model.ts';

export interface UnusableReply {
  readonly status: 'unusable';
  /** In words that may be shown and sent to the model; never the reply itself. */
  readonly reason: string;
  /** True where the reply ended too early: a larger output limit can help. */
  readonly cut: boolean;
}

interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Marks around what a reasoning model thinks aloud; a draft inside them is no answer. `open` is missing where the prompt template wrote it. */
const THOUGHT = '(?:think|thinking|thoughts?|reasoning|reflection|scratchpad|analysis)';
const THOUGHT_END_MARKS = `<\\/(?:\\w+:)?${THOUGHT}>|[[◁]\\/THINK[\\]▷]|<\\|end_of_thought\\|>`;
const THOUGHT_OPEN = new RegExp(`<(?:\\w+:)?${THOUGHT}>|[[◁]THINK[\\]▷]|<\\|begin_of_thought\\|>`, 'iy');
const THOUGHT_CLOSE = new RegExp(`${THOUGHT_END_MARKS}|<\\|channel\\|>final<\\|message\\|>`, 'iy');
const THOUGHT_END = new RegExp(THOUGHT_END_MARKS, 'gi');
const LOOKS_LIKE_JSON = /^(?:\{\s*(?:["'“”‘’}#]|\/[/*]|[A-Za-z_]+\s*:|$)|\[\s*(?:["'“”‘’{[\]#]|\/[/*]|$))/;
/** What is a backslash and what comes with it in JSON; before anything else it is meant as a backslash (`C:\data`, `\u12`). */
const ESCAPE = /\\(?:["\\/bfnrt'\n]|u[0-9a-f]{4})?/gi;
/** So begins JSON and no sentence; "[Ana] likes tea" and "[[Blue Hall]] opens" are words. */
const BEGINS_JSON = /^(?:\{\s*(?:["'“‘{}]|[A-Za-z_]+\s*:|$)|\[\s*(?:["'“‘{\]]|\[\s*["'“‘{]|$))/;
const FENCE = /^\s*```(?:json)?\s*|\s*```\s*$/gi;
const CONTROL = /\p{Cc}/gu;
/** Those that a repair gives up on; JSON itself has none of them as they are. */
const BEYOND_REPAIR = /[^\P{Cc}\b\t\n\f\r\x7f-\x9f]/gu;
const MAX_STRAY_BRACKETS = 20;

interface FindOptions<T> {
  /** Puts an answer that came in several objects together, the earlier first; undefined where the earlier is none of its parts. */
  readonly join?: (earlier: T, later: T, between: string) => T | undefined;
  /** Whether what stands under such a key is kept where the key stands twice in an object further in. */
  readonly isPart?: (key: string) => boolean;
}

/**
 * Finds the JSON value of a reply among fences, prose and thinking text. The last value that `recognise` takes is the answer: models
 * write drafts first. Near-JSON (single quotes, trailing commas, comments, Python constants) is repaired, a value without its end never is.
 */
export function findJson<T>(
  reply: Partial<Pick<GenerateReply, 'text' | 'finishReason'>>,
  recognise: (value: unknown) => T | undefined,
  { join = () => undefined, isPart }: FindOptions<T> = {},
): { readonly status: 'found'; readonly value: T } | UnusableReply {
  const text = unquoted(textOf(reply.text));
  const unusable = (reason: string, cut = false): UnusableReply => ({ status: 'unusable', reason, cut });
  if (reply.finishReason === 'refusal') return unusable('the model refused to answer');
  const stoppedByLimit = reply.finishReason === 'length';
  if (text.trim() === '') return unusable('the reply was empty', stoppedByLimit);

  const { spans, cut, begin } = scan(text);
  if (cut) return unusable('the reply was cut off before its end', true);
  const isWhole = (span: Span) => !stoppedByLimit || /^[\s`]*$/.test(text.slice(span.end));
  const read = (all: readonly Span[]) =>
    all.flatMap((span) => {
      const value = recognise(parseJson(span.text, isPart));
      return value === undefined ? [] : [{ span, value }];
    });
  const objects = read(spans.filter((span) => span.text.startsWith('{')));
  const last = objects.pop();
  if (last !== undefined) {
    let { span, value } = last;
    for (const earlier of objects.toReversed()) {
      const joined = join(earlier.value, value, text.slice(earlier.span.end, span.start));
      if (joined === undefined) break;
      ({ span, value } = { span: earlier.span, value: joined });
    }
    return isWhole(last.span) ? { status: 'found', value } : unusable('the reply was cut off before its end', true);
  }
  // A list says less of what it is: beside another one, or empty among words, it is a part of something.
  const [only, another] = read(spans);
  if (another !== undefined) return unusable('the reply held several lists in place of one JSON object');
  if (
    only !== undefined &&
    (!/^\[\s*\]$/.test(only.span.text) || /^(?:[\s`]|json)*$/i.test(text.slice(begin, only.span.start) + text.slice(only.span.end)))
  )
    return isWhole(only.span) ? { status: 'found', value: only.value } : unusable('the reply was cut off before its end', true);
  if (stoppedByLimit) return unusable('the reply was cut off before its end', true);
  return unusable(spans.length === 0 ? 'the reply held no JSON' : 'the JSON of the reply had none of the expected keys');
}

/** A model that somebody else put together may give nothing, or the object itself. */
function textOf(written: unknown): string {
  if (typeof written === 'string') return written;
  return written === undefined || written === null ? '' : JSON.stringify(written);
}

/** Some servers hand the whole object back as a JSON string, some models leave out its outer quotation marks. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  if (!/^(?:"|[{[]\s*\\")/.test(trimmed)) return text;
  const escaped = trimmed.replace(CONTROL, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`);
  try {
    const value: unknown = JSON.parse(escaped.startsWith('"') ? escaped : `"${escaped}"`);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

/** @returns `begin`, where the thinking ends */
function scan(text: string): { readonly spans: readonly Span[]; readonly cut: boolean; readonly begin: number } {
  let spans: Span[] = [];
  let begin = 0;
  let strays = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '<' || character === '[' || character === '◁') {
      const afterThought = skipThought(text, at);
      if (afterThought === undefined) return { spans: [], cut: true, begin };
      if (afterThought.at > at) {
        if (afterThought.wasThought) spans = [];
        at = afterThought.at;
        begin = at;
        continue;
      }
    }
    if (character !== '{' && character !== '[') {
      at++;
      continue;
    }
    const end = closingBracket(text, at);
    if (end !== undefined) {
      if (LOOKS_LIKE_JSON.test(text.slice(at, at + 200))) spans.push({ text: text.slice(at, end), start: at, end });
      at = end;
      continue;
    }
    if (LOOKS_LIKE_JSON.test(text.slice(at, at + 200)) || ++strays > MAX_STRAY_BRACKETS) {
      const resumed = endOfThought(text, at);
      if (resumed === undefined) return { spans, cut: true, begin };
      spans = [];
      at = resumed;
      begin = at;
      continue;
    }
    at++;
  }
  return { spans, cut: false, begin };
}

/** @returns where to go on; `wasThought` when all that stood before was thinking; undefined for a thought that never ends. */
function skipThought(text: string, at: number): { readonly at: number; readonly wasThought: boolean } | undefined {
  THOUGHT_CLOSE.lastIndex = at;
  const close = THOUGHT_CLOSE.exec(text);
  if (close !== null) return { at: at + close[0].length, wasThought: true };
  THOUGHT_OPEN.lastIndex = at;
  if (THOUGHT_OPEN.exec(text) === null) return { at, wasThought: false };
  const end = endOfThought(text, at);
  return end === undefined ? undefined : { at: end, wasThought: true };
}

function endOfThought(text: string, from: number): number | undefined {
  THOUGHT_END.lastIndex = from;
  const end = THOUGHT_END.exec(text);
  return end === null ? undefined : end.index + end[0].length;
}

/** Index behind the bracket that closes the one at `start`, or undefined. Only double quotes delimit strings: an apostrophe is a letter. */
function closingBracket(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

const KEY_OR_BRACKET = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs;

/** The same value with numbers behind keys that their object has before: of one that stands twice, `JSON.parse` would keep the last value only. */
function withoutRepeats(text: string, isPart: (key: string) => boolean): string {
  const open: Map<string, number>[] = [];
  return text.replace(KEY_OR_BRACKET, (token: string, colon: string | undefined) => {
    if (token === '{' || token === '[') open.push(new Map());
    else if (token === '}' || token === ']') open.pop();
    const seen = open.at(-1);
    if (colon === undefined || seen === undefined) return token;
    const key = token.slice(0, -colon.length - 1);
    if (open.length > 1 && !isPart(key)) return token;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return count === 1 ? token : `${key} ${count}"${colon}`;
  });
}

/** The value of a text that ends where its last bracket closes, repaired where need be; undefined where it can't be. */
function parseJson(written: string, isPart: (key: string) => boolean = () => false): unknown {
  const text = written.replace(BEYOND_REPAIR, ' ');
  try {
    return JSON.parse(withoutRepeats(text, isPart));
  } catch {
    try {
      const repaired = jsonrepair(text.replace(ESCAPE, (found) => (found === '\\' ? '\\\\' : found)));
      // An apostrophe in a single-quoted string ('O'Neil') is repaired to a quotation mark, which would change the words.
      return !text.includes('"') && repaired.includes('\\"') ? undefined : JSON.parse(repaired);
    } catch {
      return undefined;
    }
  }
}

/** JSON inside a string: its value, several of them as a list. Null where it is broken off, the text as it is where it is no JSON. */
export function unpackJson(written: string, isPart: (key: string) => boolean): unknown {
  const text = written.replace(FENCE, '').trim();
  if (!BEGINS_JSON.test(text)) return written;
  return isClosed(text) ? (parseJson(text, isPart) ?? null) : null;
}

/** Whether all brackets close and nothing else stands beside them: a repair would close them, and keep half of what was meant. */
function isClosed(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = text[at] === '{' || text[at] === '[' ? closingBracket(text, at) : /[\s,]/.test(text[at] ?? '') ? at + 1 : undefined;
    if (end === undefined) return false;
    at = end;
  }
  return true;
}
