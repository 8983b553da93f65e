import type { Memory } from 'tandem-memory';

const CUTS = [5, 10, 20] as const;
const BUDGETS = [500, 1000, 2000] as const;
type Measure = `@${(typeof CUTS)[number]}` | `tokens${(typeof BUDGETS)[number]}`;
/** Share of the evidence that was found: among the first items, and within token budgets. */
export type Recall = Readonly<Record<Measure, number>>;

const MEASURES: readonly Measure[] = [...CUTS.map((cut): Measure => `@${cut}`), ...BUDGETS.map((budget): Measure => `tokens${budget}`)];

export interface RecallQuestion {
  readonly userId: string;
  readonly question: string;
  /** Episode ids. */
  readonly evidence: readonly string[];
  readonly hops: 0 | 1 | 2;
}

/** Asks one question through the public `retrieve()`: once for the ranks, once for each budget. A fact counts for the turns it rests on. */
export async function measureRecall(memory: Memory, { userId, question, evidence, hops }: RecallQuestion): Promise<Recall> {
  const share = (found: ReadonlySet<string>) => evidence.filter((id) => found.has(id)).length / evidence.length;
  const wide = await memory.retrieve(question, { userId, hops, topK: Math.max(...CUTS), budget: Number.POSITIVE_INFINITY });
  const entries: [Measure, number][] = CUTS.map((cut) => [`@${cut}`, share(new Set(wide.items.slice(0, cut).flatMap((item) => item.evidence)))]);
  for (const budget of BUDGETS) {
    const packed = await memory.retrieve(question, { userId, hops, budget, topK: 1000 });
    entries.push([`tokens${budget}`, share(new Set(packed.items.flatMap((item) => item.evidence)))]);
  }
  return Object.fromEntries(entries) as Recall;
}

/** Means in percent, to one decimal. */
export function meanRecall(recalls: readonly Recall[]): Recall {
  return Object.fromEntries(
    MEASURES.map((measure) => [measure, round((100 * recalls.reduce((sum, recall) => sum + recall[measure], 0)) / Math.max(1, recalls.length))]),
  ) as Recall;
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
