/** Milliseconds at which half, and 95 %, of the measured calls were done. */
export interface Distribution {
  readonly p50: number;
  readonly p95: number;
}

export function distribution(milliseconds: readonly number[]): Distribution {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  return { p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) };
}

export function median(values: readonly number[]): number {
  return quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );
}

/** Nearest rank: a value that was measured, never one in between. Rounded to hundredths. */
function quantile(sorted: readonly number[], share: number): number {
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
  return Math.round(value * 100) / 100;
}
