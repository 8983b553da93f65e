/** By how much more words count where the question is in letters that MiniLM has not learnt: what its vectors have in common there is mostly noise. Recall is
 * level from 3 to 4 on MemoryBank in Chinese and Korean (docs/benchmarks.md). */
const FOREIGN = 3;
const LATIN = /\p{Script=Latin}/gu;
const LETTER = /\p{L}/gu;

/** The keyword weight of an English model for one question: most of its letters say in which script it is. */
export function englishKeywordWeight(question: string, weight: number): number {
  const count = (letters: RegExp) => question.match(letters)?.length ?? 0;
  return count(LATIN) * 2 < count(LETTER) ? weight * FOREIGN : weight;
}
