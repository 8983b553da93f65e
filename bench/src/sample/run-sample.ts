import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configFromEnvironment, type Memory, type MessageInput, openMemory } from 'tandem-memory';
import { z } from 'zod';
import { areaUnderCurve, type Judged } from '../auc.ts';
import type { EmbeddingName } from '../bench-memory.ts';
import { readJsonLines } from '../read-json-lines.ts';
import { meanRecall, measureRecall, type Recall, round } from '../recall.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'examples', 'sample');
const FILES = [
  { file: 'team-chat', userId: 'team' },
  { file: 'personal-chat', userId: 'mina' },
] as const;

const turnSchema = z.object({
  role: z.enum(['user', 'assistant']),
  name: z.string().optional(),
  content: z.string(),
  at: z.string(),
  session: z.string(),
});
const questionSchema = z.object({
  question: z.string(),
  user: z.string(),
  hops: z.number(),
  gold: z.array(z.object({ session: z.string(), index: z.number() })),
});

export interface SampleOptions {
  readonly embedding: EmbeddingName;
}

export interface SampleQuestion {
  readonly question: string;
  readonly userId: string;
  readonly hops: number;
  /** Episode ids. */
  readonly evidence: readonly string[];
}

/** Stores the sample's chats, each under its own user. */
export async function storeSample(memory: Memory): Promise<{ readonly turns: number; readonly questions: readonly SampleQuestion[] }> {
  const episodeOf = new Map<string, string>();
  for (const { file, userId } of FILES) {
    const turns = readJsonLines(join(FOLDER, `${file}.jsonl`)).map((line) => turnSchema.parse(line));
    for (const [session, own] of Map.groupBy(turns, (turn) => turn.session)) {
      const messages = own.map(({ session: _, name, ...turn }): MessageInput => ({ ...turn, ...(name === undefined ? {} : { name }) }));
      const receipt = await memory.store(messages, { userId, sessionId: session });
      for (const [index, episode] of receipt.episodes.entries()) episodeOf.set(`${userId} ${session} ${index}`, episode.id);
    }
  }
  const questions = z
    .array(questionSchema)
    .parse(JSON.parse(readFileSync(join(FOLDER, 'questions.json'), 'utf8')))
    .map(({ question, user, hops, gold }) => ({
      question,
      userId: user,
      hops,
      evidence: gold.map(({ session, index }) => episodeOf.get(`${user} ${session} ${index}`) ?? ''),
    }));
  return { turns: episodeOf.size, questions };
}

/** Recall on the project's own sample, graph off and on. Small (38 questions): a smoke test with figures, not a ranking. */
export async function runSample(options: SampleOptions): Promise<object> {
  const started = performance.now();
  await using memory = await openMemory({ path: ':memory:', ...configFromEnvironment({ TANDEM_EMBEDDING: options.embedding }) });
  const { turns, questions } = await storeSample(memory);
  const result: Record<string, Record<string, Recall>> = {};
  for (const [name, hops] of [
    ['graph_off', 0],
    ['graph_on', 2],
  ] as const) {
    const asked: { hops: number; recall: Recall }[] = [];
    for (const { userId, question, evidence, hops: wanted } of questions)
      asked.push({ hops: wanted, recall: await measureRecall(memory, { userId, question, evidence, hops }) });
    const byHops = [...Map.groupBy(asked, (item) => item.hops)]
      .sort((a, b) => a[0] - b[0])
      .map(([hopCount, items]): [string, Recall] => [`${hopCount} hop`, meanRecall(items.map((item) => item.recall))]);
    result[name] = { all: meanRecall(asked.map((item) => item.recall)), ...Object.fromEntries(byHops) };
  }
  const judged: Judged[] = [];
  for (const { userId, question } of questions) {
    // A question about the other user's life has no answer here.
    for (const { userId: asked } of FILES) {
      const { answerability } = await memory.retrieve(question, { userId: asked, topK: 0 });
      judged.push({ score: answerability, positive: asked === userId });
    }
  }
  return {
    ...result,
    answerability_auc: round(100 * areaUnderCurve(judged)) / 100,
    questions: questions.length,
    turns,
    settings: { embedding: options.embedding, extraction: 'rules' },
    seconds: round((performance.now() - started) / 1000),
  };
}
