import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderContext } from '@tandem-memory/cli';
import { ingest } from '@tandem-memory/ingest';
import { type Memory, openMemory } from 'tandem-memory';
import { z } from 'zod';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const sample = join(root, 'examples', 'sample');
const database = join(root, '.tandem', 'demo.db');
const BUDGET = 1_000;
const DEMO_QUESTIONS = 6;

const questions = z
  .array(
    z.object({
      question: z.string(),
      user: z.string(),
      hops: z.number(),
      gold: z.array(z.object({ session: z.string(), index: z.number() })),
      answer: z.string(),
    }),
  )
  .parse(JSON.parse(readFileSync(join(sample, 'questions.json'), 'utf8')))
  .slice(0, DEMO_QUESTIONS);

const say = (text: string) => process.stdout.write(`${text}\n`);

mkdirSync(dirname(database), { recursive: true });
for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true });
await using memory = await openMemory({ path: database });

say('Tandem Memory: two chats go in, six questions come out. No server, no key, no model but a small local embedding.\n');
for (const [file, userId] of [
  ['team-chat.jsonl', 'team'],
  ['personal-chat.jsonl', 'mina'],
] as const) {
  const report = await ingest(memory, [join(sample, file)], { userId });
  say(
    `${file.padEnd(20)} ${report.created} turns, ${report.entities} entities, ${report.facts} facts for user "${userId}" in ${report.seconds.toFixed(1)} s`,
  );
}

let found = 0;
let wanted = 0;
for (const [index, item] of questions.entries()) {
  const context = await memory.retrieve(item.question, { userId: item.user, budget: BUDGET });
  const gold = await evidence(memory, item.user, item.gold);
  const shown = new Set(context.items.flatMap((memoryItem) => memoryItem.evidence));
  const hit = gold.filter((id) => shown.has(id)).length;
  found += hit;
  wanted += gold.length;
  say(`\n${'─'.repeat(100)}\nQuestion ${index + 1} (${item.hops === 1 ? 'one fact' : `${item.hops} facts to join`}): ${item.question}\n`);
  say(
    renderContext(context, process, {
      explain: false,
      only: (shownItem) => shownItem.citation <= 4 || shownItem.evidence.some((id) => gold.includes(id)),
    }),
  );
  say(
    `The answer is: ${item.answer}\nIts evidence: ${hit} of ${gold.length} turns are in the ${context.items.length} recalled within ${BUDGET} tokens (above: the first four and the evidence).`,
  );
}
say(`\n${'─'.repeat(100)}\nEvidence recalled over the six questions: ${found} of ${wanted} turns.`);
say('Ask your own:  npm run -s tandem -- query "Who looks after heron when Priya is on leave?" --user team --db .tandem/demo.db --explain');

/** Ids of the turns that hold the answer, which the sample names by session and place. */
async function evidence(from: Memory, userId: string, gold: readonly { session: string; index: number }[]): Promise<string[]> {
  const ids: string[] = [];
  for (const { session, index } of gold) {
    const turns = await from.episodes({ userId, sessionId: session }, { limit: 1000 });
    ids.push(...turns.filter((turn) => turn.position === index).map((turn) => turn.id));
  }
  return ids;
}
