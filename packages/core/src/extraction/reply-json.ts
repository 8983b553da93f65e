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
  readonly end: number;
}

/** Marks around what a reasoning model thinks aloud; a draft inside them is no answer. `open` is missing where the prompt template wrote it. */
const THOUGHT_OPEN = /<(think|thinking|thought|reasoning|reflection|scratchpad)>|\[THINK\]/iy;
const THOUGHT_CLOSE = /<\/(?:think|thinking|thought|reasoning|reflection|scratchpad)>|\[\/THINK\]|<\|channel\|>final<\|message\|>/iy;
const THOUGHT_END = /<\/(?:think|thinking|thought|reasoning|reflection|scratchpad)>|\[\/THINK\]/gi;
const LOOKS_LIKE_JSON = /^(?:\{\s*(?:["'“”‘’}]|[A-Za-z_]+\s*:|$)|\[\s*(?:["'“”‘’{[\]]|$))/;
const MAX_STRAY_BRACKETS = 20;

/**
 * Finds the JSON value of a reply among fences, prose and thinking text. The last value that `recognise` takes is the answer: models
 * write drafts first. Near-JSON (single quotes, trailing commas, comments, Python constants) is repaired, a value without its end never is.
 */
export function findJson<T>(
  reply: Pick<GenerateReply, 'text' | 'finishReason'>,
  recognise: (value: unknown) => T | undefined,
): { readonly status: 'found'; readonly value: T } | UnusableReply {
  const text = unquoted(reply.text ?? '');
  const unusable = (reason: string, cut = false): UnusableReply => ({ status: 'unusable', reason, cut });
  if (reply.finishReason === 'refusal') return unusable('the model refused to answer');
  const stoppedByLimit = reply.finishReason === 'length';
  if (text.trim() === '') return unusable('the reply was empty', stoppedByLimit);

  const { spans, cut } = scan(text);
  if (cut) return unusable('the reply was cut off before its end', true);
  for (const arrays of [false, true]) {
    for (const span of spans.toReversed()) {
      if (span.text.startsWith('[') !== arrays) continue;
      const value = recognise(parse(span.text));
      if (value === undefined) continue;
      const closed = /^[\s`]*$/.test(text.slice(span.end));
      return stoppedByLimit && !closed ? unusable('the reply was cut off before its end', true) : { status: 'found', value };
    }
  }
  if (stoppedByLimit) return unusable('the reply was cut off before its end', true);
  return unusable(spans.length === 0 ? 'the reply held no JSON' : 'the JSON of the reply had none of the expected keys');
}

/** Some servers hand the whole object back as a JSON string. */
function unquoted(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.startsWith('"')) return text;
  try {
    const value: unknown = JSON.parse(trimmed);
    return typeof value === 'string' ? value : text;
  } catch {
    return text;
  }
}

function scan(text: string): { readonly spans: readonly Span[]; readonly cut: boolean } {
  let spans: Span[] = [];
  let strays = 0;
  let at = 0;
  while (at < text.length) {
    const character = text[at];
    if (character === '<' || character === '[') {
      const afterThought = skipThought(text, at);
      if (afterThought === undefined) return { spans: [], cut: true };
      if (afterThought.at > at) {
        if (afterThought.wasThought) spans = [];
        at = afterThought.at;
        continue;
      }
    }
    if (character !== '{' && character !== '[') {
      at++;
      continue;
    }
    const end = closingBracket(text, at);
    if (end !== undefined) {
      if (LOOKS_LIKE_JSON.test(text.slice(at, at + 200))) spans.push({ text: text.slice(at, end), end });
      at = end;
      continue;
    }
    if (LOOKS_LIKE_JSON.test(text.slice(at, at + 200)) || ++strays > MAX_STRAY_BRACKETS) {
      const resumed = endOfThought(text, at);
      if (resumed === undefined) return { spans, cut: true };
      spans = [];
      at = resumed;
      continue;
    }
    at++;
  }
  return { spans, cut: false };
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    try {
      const repaired = jsonrepair(text);
      // An apostrophe in a single-quoted string ('O'Neil') is repaired to a quotation mark, which would change the words.
      return !text.includes('"') && repaired.includes('\\"') ? undefined : JSON.parse(repaired);
    } catch {
      return undefined;
    }
  }
}
