import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { z } from 'zod';
import { readJsonLines } from '../read-json-lines.ts';
import { round } from '../recall.ts';
import { openSmallMemory } from '../small-memory.ts';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'data', 'ends.jsonl');
const itemSchema = z.strictObject({
  /** Written before the rules were changed for it, or afterwards, to measure them. */
  part: z.enum(['development', 'held out 1', 'held out 2', 'held out 3']),
  language: z.enum(['en', 'ko', 'zh']),
  /** What was said months before. */
  known: z.string(),
  said: z.string(),
  ends: z.boolean(),
});
type Item = z.output<typeof itemSchema>;

export interface EndsResult {
  readonly parts: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly wrongly_ended: readonly string[];
  readonly missed: readonly string[];
  /** What was said before gives no fact that could end. */
  readonly not_read: readonly string[];
}

/** Whether a sentence ends what another, said months before, told: precision and recall of the built-in rules on labelled pairs. */
export async function runEnds(file: string = FILE): Promise<EndsResult> {
  const items = readJsonLines(file).map((line) => itemSchema.parse(line));
  const clock = new FixedClock('2024-12-01T00:00:00.000Z');
  await using memory = openSmallMemory(rulesExtractor(), clock);
  const judged: { readonly item: Item; readonly ended: boolean; readonly isRead: boolean }[] = [];
  for (const [index, item] of items.entries()) {
    const user = { userId: `user ${index}` };
    await memory.store([{ role: 'user', content: item.known, at: '2024-01-05' }], { ...user, sessionId: 'before', waitForIndex: false });
    const before = (await memory.facts(user)).filter(({ subjectId }) => subjectId !== undefined);
    await memory.store([{ role: 'user', content: item.said, at: '2024-08-05' }], { ...user, sessionId: 'after', waitForIndex: false });
    const ids = new Set(before.map(({ id }) => id));
    const after = (await memory.facts(user)).filter(({ id }) => ids.has(id));
    judged.push({ item, ended: after.some(({ invalidAt }) => invalidAt !== undefined), isRead: before.length > 0 });
  }
  const groups = Map.groupBy(
    judged.flatMap((row) => [`${row.item.part}, all`, `${row.item.part}, ${row.item.language}`].map((group) => ({ group, row }))),
    ({ group }) => group,
  );
  const texts = (rows: typeof judged) => rows.map(({ item }) => `${item.language}: ${item.known} / ${item.said}`);
  return {
    parts: Object.fromEntries([...groups].map(([group, rows]) => [group, score(rows.map(({ row }) => row))])),
    wrongly_ended: texts(judged.filter(({ item, ended }) => ended && !item.ends)),
    missed: texts(judged.filter(({ item, ended }) => !ended && item.ends)),
    not_read: texts(judged.filter(({ isRead }) => !isRead)),
  };
}

function score(rows: readonly { readonly item: Item; readonly ended: boolean }[]): Record<string, number> {
  const right = rows.filter(({ item, ended }) => ended && item.ends).length;
  const ended = rows.filter((row) => row.ended).length;
  const ends = rows.filter(({ item }) => item.ends).length;
  return { pairs: rows.length, ends, precision: round((100 * right) / Math.max(1, ended)), recall: round((100 * right) / Math.max(1, ends)) };
}
