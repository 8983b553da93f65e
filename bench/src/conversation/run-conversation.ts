import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChatMessage, type Conversation, type ConversationOptions, createConversation, openMemory, TiktokenCounter } from 'tandem-memory';
import { z } from 'zod';
import { readJsonLines } from '../read-json-lines.ts';
import { round } from '../recall.ts';

const FOLDER = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', 'examples', 'sample');
const FILES = [
  { file: 'team-chat', userId: 'team' },
  { file: 'personal-chat', userId: 'mina' },
] as const;

const turnSchema = z.object({
  role: z.enum(['user', 'assistant']),
  name: z.string().exactOptional(),
  content: z.string(),
  at: z.string(),
  session: z.string(),
});
type Turn = z.output<typeof turnSchema>;
const questionSchema = z.object({ question: z.string(), user: z.string(), gold: z.array(z.object({ session: z.string(), index: z.number() })) });

export interface ConversationBenchOptions {
  readonly embedding: 'minilm' | 'fast';
  /** Tokens of conversation and memory in a prompt, for every way alike. */
  readonly budget: number;
}

interface Way {
  readonly options: (budget: number) => Partial<ConversationOptions>;
  /** Share of the budget for recalled memories. */
  readonly recall?: { readonly share: number; readonly topK: number };
}

const summary = (budget: number, share: number) => ({
  triggerTokens: Math.floor(budget * (1 - share) * 0.9),
  keepTokens: Math.floor(budget * (1 - share) * 0.45),
  maxTokens: Math.floor(budget * share * 0.9),
});

/** Each way spends the same budget on other things. */
const WAYS: Readonly<Record<string, Way>> = {
  everything: { options: () => ({ window: { maxTokens: 1_000_000 } }) },
  window: { options: (budget) => ({ window: { maxTokens: budget } }) },
  'window, important': { options: (budget) => ({ window: { maxTokens: budget, keep: 'important' } }) },
  'window + summary': { options: (budget) => ({ window: { maxTokens: budget }, summary: summary(budget, 0.5) }) },
  '+ long-term: summaries, top 5': layered('summary', 5),
  '+ long-term: turns, top 5': layered('turns', 5),
  '+ long-term: turns, as fit': layered('turns', 50),
};

function layered(what: 'summary' | 'turns', topK: number): Way {
  return {
    options: (budget) => ({ window: { maxTokens: Math.floor(budget / 2) }, summary: summary(budget / 2, 0.3), archive: { what } }),
    recall: { share: 0.5, topK },
  };
}

/**
 * Three ways to remember a long talk compared on the project's sample, without a language model: each of the two chats is one conversation,
 * the questions are asked at its end. Recall is the share of the turns with the answer of which at least half of the sentences stand in the prompt.
 */
export async function runConversation(options: ConversationBenchOptions): Promise<object> {
  const started = performance.now();
  const counter = await TiktokenCounter.load();
  const questions = z.array(questionSchema).parse(JSON.parse(readFileSync(join(FOLDER, 'questions.json'), 'utf8')));
  const ways: Record<string, Record<string, number>> = {};
  for (const [name, way] of Object.entries(WAYS)) {
    const found: number[] = [];
    const tokens: number[] = [];
    let milliseconds = 0;
    await using memory = await openMemory({ path: ':memory:', embedding: options.embedding });
    for (const { file, userId } of FILES) {
      const turns = readTurns(file);
      const before = performance.now();
      const conversation = createConversation({ userId, counter, memory, ...way.options(options.budget) });
      for (const turn of turns) await conversation.add(messageOf(turn));
      milliseconds += performance.now() - before;
      for (const item of questions.filter((question) => question.user === userId)) {
        const prompt = await promptFor(conversation, item.question, way, options.budget);
        tokens.push(counter.count(prompt));
        const gold = item.gold.map(({ session, index }) => turns.filter((turn) => turn.session === session)[index]?.content ?? '');
        found.push(gold.filter((text) => stands(text, prompt)).length / gold.length);
      }
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const msPerTurn = round(milliseconds / FILES.reduce((sum, { file }) => sum + readTurns(file).length, 0));
    ways[name] = { tokens: Math.round(mean(tokens)), 'recall %': round(100 * mean(found)), 'ms a turn': msPerTurn };
  }
  return {
    ways,
    questions: questions.length,
    settings: { ...options, extraction: 'rules', summaries: 'extractive' },
    seconds: round((performance.now() - started) / 1000),
  };
}

async function promptFor(conversation: Conversation, question: string, way: Way, budget: number): Promise<string> {
  const { messages } = await conversation.view();
  const shown = messages.map((message) => message.content);
  if (way.recall === undefined) return shown.join('\n');
  const { text } = await conversation.recall(question, { budget: Math.floor(budget * way.recall.share), topK: way.recall.topK });
  return [text, ...shown].join('\n');
}

function readTurns(file: string): Turn[] {
  return readJsonLines(join(FOLDER, `${file}.jsonl`)).map((line) => turnSchema.parse(line));
}

function messageOf({ session: _, ...turn }: Turn): ChatMessage {
  return turn;
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });
const SHORTEST_SENTENCE = 8;

function stands(text: string, prompt: string): boolean {
  const plain = (value: string) => value.replaceAll('&lt;', '<').replace(/\s+/g, ' ').trim();
  const where = plain(prompt);
  const parts = [...sentences.segment(text)].map(({ segment }) => plain(segment)).filter((sentence) => sentence.length >= SHORTEST_SENTENCE);
  if (parts.length === 0) return where.includes(plain(text));
  return parts.filter((sentence) => where.includes(sentence)).length / parts.length >= 0.5;
}
