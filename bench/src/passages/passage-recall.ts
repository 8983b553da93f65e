import type { Memory } from 'tandem-memory';
import { round } from '../recall.ts';

const CUTS = [2, 5, 10] as const;

/** Percent of the gold passages among the first 2, 5, 10; percent of the questions whose gold passages are all among the first 10. */
export interface PassageRecall {
  readonly '@2': number;
  readonly '@5': number;
  readonly '@10': number;
  readonly 'all@10': number;
}

export interface PassageQuestion {
  readonly question: string;
  /** Ids of passages. */
  readonly gold: readonly string[];
}

/** Items to ask for: facts and their passage are several items, and 10 passages are wanted. */
const ITEMS = 150;

/** Passages of the corpus by rank: a fact counts for the passages that it rests on, each passage where it first comes up. */
async function rankedPassages(
  memory: Memory,
  question: string,
  userId: string,
  hops: 0 | 2,
  passageOf: ReadonlyMap<string, string>,
): Promise<string[]> {
  const { items } = await memory.retrieve(question, { userId, hops, topK: ITEMS, budget: Number.POSITIVE_INFINITY });
  return [...new Set(items.flatMap((item) => item.evidence.flatMap((id) => passageOf.get(id) ?? [])))];
}

/** Means over the questions, asked through the public `retrieve()`. */
export async function measurePassages(
  memory: Memory,
  questions: readonly PassageQuestion[],
  userId: string,
  hops: 0 | 2,
  passageOf: ReadonlyMap<string, string>,
): Promise<PassageRecall> {
  const sums = { '@2': 0, '@5': 0, '@10': 0, 'all@10': 0 };
  for (const { question, gold } of questions) {
    const ranked = await rankedPassages(memory, question, userId, hops, passageOf);
    for (const cut of CUTS) {
      const found = gold.filter((id) => ranked.slice(0, cut).includes(id)).length / gold.length;
      sums[`@${cut}`] += found;
      if (cut === 10 && found === 1) sums['all@10'] += 1;
    }
  }
  const mean = (sum: number) => round((100 * sum) / Math.max(1, questions.length));
  return { '@2': mean(sums['@2']), '@5': mean(sums['@5']), '@10': mean(sums['@10']), 'all@10': mean(sums['all@10']) };
}
