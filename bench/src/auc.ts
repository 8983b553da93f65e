export interface Judged {
  readonly score: number;
  readonly positive: boolean;
}

/** Area under the ROC curve: the chance that a positive scores above a negative; equal scores count half. NaN where one side is empty. */
export function areaUnderCurve(judged: readonly Judged[]): number {
  const sorted = [...judged].sort((a, b) => a.score - b.score);
  const positives = judged.filter((item) => item.positive).length;
  let rankSum = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start;
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) end++;
    const meanRank = (start + 1 + end) / 2;
    rankSum += meanRank * sorted.slice(start, end).filter((item) => item.positive).length;
    start = end;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * (judged.length - positives));
}
