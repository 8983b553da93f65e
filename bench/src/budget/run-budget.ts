import { writeFileSync } from 'node:fs';
import { type Memory, openMemory, type RetrieveOptions } from 'tandem-memory';
import { readLocomo } from '../locomo/read-locomo.ts';
import { storeConversation } from '../locomo/run-locomo.ts';
import { round } from '../recall.ts';
import { type SampleQuestion, storeSample } from '../sample/run-sample.ts';
import { plotRecall } from './plot.ts';

export interface BudgetOptions {
  readonly data?: string;
  /** Of LoCoMo only every so many questions. */
  readonly every: number;
  readonly embedding: 'minilm' | 'fast';
  readonly plot?: string;
  readonly onProgress: (line: string) => void;
}

type Question = Pick<SampleQuestion, 'question' | 'userId' | 'evidence'>;

const BUDGETS = [250, 500, 1000, 2000, 4000] as const;
const VARIANTS: Readonly<Record<string, Pick<RetrieveOptions, 'foldNearDuplicates' | 'diversity'>>> = {
  default: {},
  'near-duplicates kept': { foldNearDuplicates: false },
  'MMR 0.1': { diversity: 0.1 },
  'MMR 0.3': { diversity: 0.3 },
};

/**
 * Share of the evidence that stands in the packed text, by token budget, and where the tokens went. Everything goes through the public
 * `retrieve()`, so counts are those of the default tokenizer (o200k_base), wrapper, dates and speakers included.
 */
export async function runBudget(options: BudgetOptions): Promise<Readonly<Record<string, unknown>>> {
  await using memory = await openMemory({ path: ':memory:', embedding: options.embedding });
  options.onProgress('storing');
  const sets: [string, readonly Question[]][] = [['sample', (await storeSample(memory)).questions]];
  if (options.data !== undefined) sets.push(['locomo', await storeLocomo(memory, options.data, options.every)]);
  const recall: Record<string, Record<string, number>> = {};
  const tokens: Record<string, Record<string, number>> = {};
  for (const [set, questions] of sets) {
    for (const [name, variant] of Object.entries(VARIANTS)) {
      options.onProgress(`${set}, ${name}: ${questions.length} questions`);
      const row: Record<string, number> = {};
      for (const budget of BUDGETS) {
        const measured = await measure(memory, questions, { ...variant, budget, topK: 1000 });
        row[String(budget)] = measured.recall;
        if (name === 'default') tokens[`${set} ${budget}`] = measured.tokens;
      }
      recall[`${set}, ${name}`] = row;
    }
  }
  if (options.plot !== undefined)
    writeFileSync(options.plot, plotRecall(Object.fromEntries(sets.map(([set]) => [set, recall[`${set}, default`] ?? {}]))));
  return {
    recall,
    tokens,
    questions: Object.fromEntries(sets.map(([set, questions]) => [set, questions.length])),
    settings: { embedding: options.embedding, extraction: 'rules', counter: 'o200k_base' },
  };
}

async function measure(memory: Memory, questions: readonly Question[], options: Omit<RetrieveOptions, 'userId'>) {
  let found = 0;
  const sums = { used: 0, episodes: 0, facts: 0, wrapper: 0, items: 0 };
  for (const { question, userId, evidence } of questions) {
    const context = await memory.retrieve(question, { ...options, userId });
    const shown = new Set(context.items.flatMap((item) => item.evidence));
    found += evidence.filter((id) => shown.has(id)).length / evidence.length;
    sums.used += context.tokens.used;
    sums.items += context.items.length;
    for (const part of ['episodes', 'facts', 'wrapper'] as const) sums[part] += context.tokens.byComponent[part] ?? 0;
  }
  const mean = (sum: number) => round(sum / questions.length);
  return { recall: mean(100 * found), tokens: Object.fromEntries(Object.entries(sums).map(([part, sum]) => [part, mean(sum)])) };
}

async function storeLocomo(memory: Memory, data: string, every: number): Promise<Question[]> {
  const questions: Question[] = [];
  for (const conversation of readLocomo(data)) {
    const episodeOf = await storeConversation(memory, conversation);
    for (const { question, category, evidence } of conversation.questions) {
      if (category > 4 || evidence.length === 0) continue;
      questions.push({ question, userId: conversation.id, evidence: evidence.map((id) => episodeOf.get(id) ?? id) });
    }
  }
  return questions.filter((_, index) => index % every === 0);
}
