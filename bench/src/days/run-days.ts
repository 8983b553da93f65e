import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FixedClock } from '@tandem-memory/core/testing';
import { z } from 'zod';
import { openBenchMemory } from '../bench-memory.ts';
import { readJsonLines } from '../read-json-lines.ts';
import { round } from '../recall.ts';

const DATA = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'data', 'days.jsonl');
const CUTS = [3, 5] as const;

const chatSchema = z.object({
  chat: z.string(),
  /** The second was written when the rules had been corrected by the first. */
  set: z.enum(['first', 'second']),
  language: z.string(),
  turns: z.array(z.object({ id: z.string(), at: z.string(), role: z.enum(['user', 'assistant']), content: z.string() })),
  /** By when they are asked. */
  questions: z.array(z.object({ question: z.string(), now: z.string(), kind: z.enum(['ahead', 'back', 'none']), gold: z.array(z.string()) })),
});
type Chat = z.infer<typeof chatSchema>;

export interface DaysOptions {
  readonly embedding: string;
  readonly onProgress: (line: string) => void;
}

/**
 * Chats with an assistant about plans and days, full of old "tomorrow"s: what is to come (`ahead`), what was (`back`), and questions without a day
 * (`none`), each asked when only the turns before it are stored. Percent with an answer first, and of the answering turns among the first.
 */
export async function runDays({ embedding, onProgress }: DaysOptions): Promise<object> {
  const started = performance.now();
  const chats = readJsonLines(DATA).map((line) => chatSchema.parse(line));
  const asked: { readonly groups: readonly string[]; readonly shares: Readonly<Record<string, number>> }[] = [];
  for (const chat of chats) {
    onProgress(`${chat.chat}: ${chat.turns.length} turns, ${chat.questions.length} questions`);
    for (const { kind, shares } of await ask(chat, embedding))
      asked.push({ groups: [kind, `${kind}, ${chat.set}`, `${kind}, ${chat.language}`], shares });
  }
  const groups = Map.groupBy(
    asked.flatMap(({ groups: names, shares }) => names.map((name) => ({ name, shares }))),
    ({ name }) => name,
  );
  return {
    days: Object.fromEntries(
      [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, items]) => [name, means(items.map(({ shares }) => shares))]),
    ),
    turns: chats.reduce((sum, chat) => sum + chat.turns.length, 0),
    settings: { embedding, extraction: 'rules' },
    seconds: round((performance.now() - started) / 1000),
  };
}

async function ask({ turns, questions }: Chat, embedding: string) {
  const clock = new FixedClock(questions[0]?.now ?? '');
  await using memory = await openBenchMemory({ embedding, clock });
  const turnOf = new Map<string, string>();
  const results: { readonly kind: string; readonly shares: Record<string, number> }[] = [];
  for (const { question, now, kind, gold } of questions) {
    clock.advance(Date.parse(now) - clock.now().getTime());
    const due = turns.filter((turn) => turn.at <= now && ![...turnOf.values()].includes(turn.id));
    for (const [sessionId, talk] of Map.groupBy(due, ({ at }) => at.slice(0, 10))) {
      const { episodes } = await memory.store(
        talk.map(({ id: _, ...message }) => message),
        { userId: 'u', sessionId },
      );
      for (const [index, episode] of episodes.entries()) turnOf.set(episode.id, talk[index]?.id ?? '');
    }
    const { items } = await memory.retrieve(question, { userId: 'u' });
    const found = [...new Set(items.flatMap((item) => item.evidence.map((id) => turnOf.get(id) ?? '')))];
    const share = (cut: number) => gold.filter((id) => found.slice(0, cut).includes(id)).length / gold.length;
    results.push({
      kind,
      shares: { first: Number(gold.includes(found[0] ?? '')), ...Object.fromEntries(CUTS.map((cut) => [`@${cut}`, share(cut)])) },
    });
  }
  return results;
}

function means(shares: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const mean = (name: string) => round((100 * shares.reduce((sum, share) => sum + (share[name] ?? 0), 0)) / Math.max(1, shares.length));
  return { questions: shares.length, first: mean('first'), ...Object.fromEntries(CUTS.map((cut) => [`@${cut}`, mean(`@${cut}`)])) };
}
