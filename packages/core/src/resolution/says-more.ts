import { clausesIn, LETTERS_READ, sentencesIn } from '../domain/clauses.ts';
import type { Fact } from '../domain/fact.ts';
import { foldText } from '../domain/fold-text.ts';

/**
 * Whether a turn says more than what ended of it: whoever read it need not have read all. Each fact accounts for one clause: of its sentence, where
 * its text is one of the turn's; a model's own words for any. Pure.
 * @param ended facts of the turn that hold no longer
 */
export function saysMore(content: string, ended: readonly Fact[]): boolean {
  if (content.length > LETTERS_READ) return true;
  const sentences = sentencesIn(content).map((text) => ({ form: wordsOf(text), clauses: clausesIn(text).length, told: 0 }));
  let inOtherWords = 0;
  for (const { text, origin } of ended) {
    const form = wordsOf(text);
    const own = sentences.filter((sentence) => form.includes(sentence.form) || sentence.form.includes(form));
    if (own.length === 0 && origin !== 'rules') inOtherWords++;
    for (const sentence of own) sentence.told++;
  }
  return sentences.reduce((rest, { clauses, told }) => rest + Math.max(0, clauses - told), 0) > inOtherWords;
}

function wordsOf(text: string): string {
  return foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
