import type { Memory } from 'tandem-memory';
import { areaUnderCurve, type Judged } from '../auc.ts';
import { openBenchMemory } from '../bench-memory.ts';
import { round } from '../recall.ts';
import { LANGUAGES, type MemoryBankUser, readMemoryBank } from './read-memorybank.ts';

const CUTS = [1, 3, 5, 10] as const;
const BUDGETS = [250, 500] as const;

export interface MemoryBankOptions {
  /** Folder of the data set; without it only the languages that we translated it to. */
  readonly data?: string;
  /** Default all. */
  readonly languages?: readonly string[];
  readonly embedding: string;
  readonly vectorCache?: string;
  readonly onProgress: (line: string) => void;
}

export interface MemoryBankResult {
  /** Percent of the parts of answers that were found. */
  readonly by_language: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly settings: { readonly embedding: string; readonly extraction: string };
  readonly seconds: number;
}

/**
 * Recall on MemoryBank: chats of users with an assistant, each under its own user; the questions are the user's own, and many ask for what the
 * assistant said. Also how well `answerability` tells them from questions of two other users.
 */
export async function runMemoryBank({
  data,
  languages = LANGUAGES,
  embedding,
  vectorCache,
  onProgress,
}: MemoryBankOptions): Promise<MemoryBankResult> {
  const started = performance.now();
  const results: Record<string, Record<string, number>> = {};
  for (const language of languages) {
    const users = readMemoryBank(language, data);
    if (users === undefined) {
      onProgress(`${language}: left out, --data is not given`);
      continue;
    }
    onProgress(`${language}: ${users.length} users`);
    await using memory = await openBenchMemory({ embedding, ...(vectorCache === undefined ? {} : { vectorCache }) });
    results[language] = await measure(memory, users);
  }
  return { by_language: results, settings: { embedding, extraction: 'rules' }, seconds: round((performance.now() - started) / 1000) };
}

async function measure(memory: Memory, users: readonly MemoryBankUser[]): Promise<Record<string, number>> {
  const shares = new Map<string, number[]>();
  const judged: Judged[] = [];
  const episodeOf = new Map<string, string>();
  for (const { name, turns } of users) {
    for (const [sessionId, own] of Map.groupBy(turns, ({ session }) => session)) {
      const messages = own.map(({ role, content, at }) => ({ role, content, at }));
      const { episodes } = await memory.store(messages, { userId: name, sessionId });
      for (const [index, episode] of episodes.entries()) episodeOf.set(`${name} ${own[index]?.id}`, episode.id);
    }
  }
  for (const [index, { name, questions }] of users.entries()) {
    for (const { question, evidence } of questions) {
      const add = (measure: string, found: ReadonlySet<string>) => {
        const parts = evidence.filter((turns) => turns.some((id) => found.has(episodeOf.get(`${name} ${id}`) ?? '')));
        shares.set(measure, [...(shares.get(measure) ?? []), parts.length / evidence.length]);
      };
      if (evidence.length > 0) {
        const wide = await memory.retrieve(question, { userId: name, topK: Math.max(...CUTS), budget: Number.POSITIVE_INFINITY });
        for (const cut of CUTS) add(`@${cut}`, new Set(wide.items.slice(0, cut).flatMap((item) => item.evidence)));
        for (const budget of BUDGETS) {
          const packed = await memory.retrieve(question, { userId: name, topK: 1000, budget });
          add(`${budget} tokens`, new Set(packed.items.flatMap((item) => item.evidence)));
        }
      }
      for (const userId of [name, ...[2, 4].map((step) => users[(index + step) % users.length]?.name ?? name)]) {
        const { answerability } = await memory.retrieve(question, { userId, topK: 0 });
        judged.push({ score: answerability, positive: userId === name && evidence.length > 0 });
      }
    }
  }
  const means = [...shares].map(([measure, values]) => [measure, round((100 * values.reduce((sum, value) => sum + value, 0)) / values.length)]);
  return { ...Object.fromEntries(means), questions: shares.get('@1')?.length ?? 0, 'answerability AUC': Math.round(100 * areaUnderCurve(judged)) };
}
