import type { Chunk } from './chunks.ts';

/** Whether a clause begins behind a chunk. */
export function opensClause(chunks: readonly Chunk[], at: number): boolean {
  const chunk = chunks[at];
  if (chunk?.kind === 'time') return opensClause(chunks, at - 1);
  return chunk === undefined || /^(?:comma|subordinator|and|end)$/.test(chunk.kind);
}

/** First and last chunk of the clause of a verb, with what stands before its subject. */
export function clauseAround(chunks: readonly Chunk[], verbAt: number): readonly [start: number, end: number] {
  const isBreak = (chunk: Chunk | undefined) => chunk === undefined || /^(?:and|subordinator|end|relative)$/.test(chunk.kind);
  const previous = chunks.findLastIndex((chunk, at) => at < verbAt && chunk.kind === 'verb');
  let start = previous + 1;
  for (let at = previous + 1; at < verbAt; at++) if (previous >= 0 && (isBreak(chunks[at]) || chunks[at]?.kind === 'comma')) start = at + 1;
  const next = chunks.findIndex((chunk, at) => at > verbAt && chunk.kind === 'verb');
  let end = verbAt;
  while (end + 1 < chunks.length && !isBreak(chunks[end + 1]) && !(next >= 0 && chunks[end + 1]?.kind === 'comma') && end + 1 !== next) end++;
  return [start, end];
}

/** "I moved to Corran in 2020", "in 2019 I moved": not the year of another verb ("at a company founded in 1998"). */
export function yearOf(chunks: readonly Chunk[], verbAt: number): string | undefined {
  const yearAt = (at: number) => {
    const [preposition, phrase] = [chunks[at], chunks[at + 1]];
    const isIn = preposition?.kind === 'preposition' && /^(?:in|during)$/.test(preposition.word);
    const written = isIn && phrase?.kind === 'noun' && phrase.words.length === 1 ? phrase.words[0]?.text : undefined;
    return written !== undefined && /^(?:19|20)\d\d$/.test(written) ? written : undefined;
  };
  for (let at = verbAt + 1; /^(?:noun|preposition|time|and)$/.test(chunks[at]?.kind ?? ''); at++) {
    // "... and in 2019 I moved": of the next clause.
    if (chunks[at]?.kind === 'and' && chunks[at + 1]?.kind === 'preposition') break;
    const year = yearAt(at);
    if (year !== undefined) return year;
  }
  const before = chunks[verbAt - 2]?.kind === 'comma' ? verbAt - 4 : verbAt - 3;
  return opensClause(chunks, before - 1) ? yearAt(before) : undefined;
}
