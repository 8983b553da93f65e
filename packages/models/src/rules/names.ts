import type { ExtractedEntity } from '@tandem-memory/core';

/** A stretch of text that is a name by its form alone, in whatever language it stands. */
export interface NameSpan {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly type?: string;
}

const FORMS: readonly { readonly pattern: RegExp; readonly type?: string; readonly group?: number }[] = [
  { pattern: /\bhttps?:\/\/[^\s<>"'、。「」)\]]{1,500}/gu, type: 'document' },
  { pattern: /\b[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{2,24}){1,4}\b/gu },
  {
    pattern:
      /(?<![\w.])(?:[\w-]{1,40}\/){0,8}[\w-]{1,60}\.(?:ts|js|mjs|tsx|jsx|py|rs|go|java|kt|c|cpp|h|cs|rb|php|sh|sql|json|ya?ml|toml|md|txt|csv|pdf|docx?|xlsx?|pptx?|html|css|ipynb|log|env)\b/gu,
    type: 'document',
  },
  { pattern: /(?<![\w&])#(?=\p{L})[\p{L}\p{N}_]{2,50}/gu, type: 'concept' },
  { pattern: /(?<![\p{L}\p{N}-])\p{Lu}[\p{Lu}\p{N}]{0,9}(?:-\p{N}{1,8}){1,4}(?![\p{L}\p{N}-])/gu, type: 'object' },
  { pattern: /(?<![\w.])v?\d{1,4}\.\d{1,4}\.\d{1,6}(?:-[\w.]{1,20})?(?![\w.]\d)\b/gu },
  { pattern: /(?<![\w.])v\d{1,4}(?:\.\d{1,4})?\b/gu },
  { pattern: /[「『《〈“"]([^「」『』《》〈〉“”"\n]{1,60})[」』》〉”"]/gu, group: 1 },
];
const KATAKANA = /[ァ-ヴ][ァ-ヴー・]{1,30}/gu;
const LATIN_NAME =
  /(?<![\p{Script=Latin}\p{N}_])\p{Lu}[\p{Script=Latin}\p{N}&.+-]{1,40}(?: \p{Lu}[\p{Script=Latin}\p{N}&.+-]{1,40}){0,3}(?![\p{Script=Latin}_])/gu;
/** A quotation is a name only where it looks like one: short, and no sentence. */
const SENTENCE_LIKE = /[.!?。！？…]|\s\S+\s\S+\s\S+\s\S/u;
const MAX_SPANS = 64;

/** Names by form: codes, versions, files, addresses, tags and quoted titles. In order, none overlapping another. */
export function namesByForm(text: string): NameSpan[] {
  const spans: NameSpan[] = [];
  for (const { pattern, type, group } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const written = (match[group ?? 0] ?? '').trim();
      // Punctuation behind an address belongs to the sentence.
      const name = group === undefined ? written.replace(/[.,;:!?]+$/, '') : written;
      const start = match.index;
      const end = start + (group === undefined ? match[0].trimEnd().replace(/[.,;:!?]+$/, '').length : match[0].length);
      if (name === '' || (group !== undefined && SENTENCE_LIKE.test(name)) || spans.some((span) => start < span.end && span.start < end)) continue;
      spans.push({ start, end, name, ...(type === undefined ? {} : { type }) });
      if (spans.length >= MAX_SPANS) break;
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** Names in a text that is not English: by form, katakana runs, and Latin names inside other scripts or capitalised within a sentence. */
export function namesOfOtherLanguage(text: string): ExtractedEntity[] {
  const spans = namesByForm(text);
  const found: ExtractedEntity[] = spans.map(({ name, type }) => ({ name, ...(type === undefined ? {} : { type }) }));
  const rest = mask(text, spans, () => ' ');
  for (const [name] of rest.matchAll(KATAKANA)) found.push({ name });
  // Capitals say little in German, where every noun has one.
  const capitalsAreCommon = /(?<!\p{L})(?:der|die|das|und|ist|nicht|ich)(?!\p{L})/iu.test(rest);
  for (const match of rest.matchAll(LATIN_NAME)) {
    const name = match[0].replace(/[.,&+-]+$/, '');
    const before = rest.slice(Math.max(0, match.index - 3), match.index);
    const startsSentence = match.index === 0 || /(?:^|[.!?:]\s*|\n\s*)$/u.test(before);
    if (name.length > 1 && (name.includes(' ') || !(startsSentence || capitalsAreCommon))) found.push({ name });
  }
  return found;
}

/** The text with each span replaced. */
export function mask(text: string, spans: readonly NameSpan[], replacement: (index: number) => string): string {
  let masked = '';
  let at = 0;
  for (const [index, span] of spans.entries()) {
    masked += text.slice(at, span.start) + replacement(index);
    at = span.end;
  }
  return masked + text.slice(at);
}
