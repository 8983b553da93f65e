import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessageInput, openMemory } from 'tandem-memory';
import { z } from 'zod';
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
  readonly embedding: 'minilm' | 'fast';
}

/** Recall on the project's own sample, graph off and on. Small (38 questions): a smoke test with figures, not a ranking. */
export async function runSample(options: SampleOptions): Promise<object> {
  const started = performance.now();
  await using memory = await openMemory({ path: ':memory:', embedding: options.embedding });
  const episodeOf = new Map<string, string>();
  for (const { file, userId } of FILES) {
    const turns = readFileSync(join(FOLDER, `${file}.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => turnSchema.parse(JSON.parse(line)));
    for (const [session, own] of Map.groupBy(turns, (turn) => turn.session)) {
      const messages = own.map(({ session: _, name, ...turn }): MessageInput => ({ ...turn, ...(name === undefined ? {} : { name }) }));
      const receipt = await memory.store(messages, { userId, sessionId: session });
      for (const [index, episode] of receipt.episodes.entries()) episodeOf.set(`${userId} ${session} ${index}`, episode.id);
    }
  }
  const questions = z.array(questionSchema).parse(JSON.parse(readFileSync(join(FOLDER, 'questions.json'), 'utf8')));
  const result: Record<string, Record<string, Recall>> = {};
  for (const [name, hops] of [
    ['graph_off', 0],
    ['graph_on', 2],
  ] as const) {
    const asked: { hops: number; recall: Recall }[] = [];
    for (const item of questions) {
      const evidence = item.gold.map(({ session, index }) => episodeOf.get(`${item.user} ${session} ${index}`) ?? '');
      asked.push({ hops: item.hops, recall: await measureRecall(memory, { userId: item.user, question: item.question, evidence, hops }) });
    }
    const byHops = [...Map.groupBy(asked, (item) => item.hops)]
      .sort((a, b) => a[0] - b[0])
      .map(([hopCount, items]): [string, Recall] => [`${hopCount} hop`, meanRecall(items.map((item) => item.recall))]);
    result[name] = { all: meanRecall(asked.map((item) => item.recall)), ...Object.fromEntries(byHops) };
  }
  return {
    ...result,
    questions: questions.length,
    turns: episodeOf.size,
    settings: { embedding: options.embedding, extraction: 'rules' },
    seconds: round((performance.now() - started) / 1000),
  };
}
