import { rulesExtractor } from '@tandem-memory/models';
import { expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';

const extractor = rulesExtractor();

// 26 April 2026 is a Sunday.
it.each([
  ['I started at Umicore on Monday.', '2026-04-20'],
  ['I moved to Bruges on Saturday.', '2026-04-25'],
  ['I left Umicore on Friday.', '2026-04-24'],
  ['I moved to Bruges on 3 May.', '2025-05-03'],
  ['I moved to Bruges on 3 April.', '2026-04-03'],
  ['I moved to Bruges on 3 May 2026.', '2026-05-03'],
  ['I will start at Umicore on Monday.', '2026-04-27'],
])('the day of "%s" is %s', async (text, day) => {
  const { memory } = openTestMemory({ extractor });
  await memory.store([{ role: 'user', content: text, at: '2026-04-26T10:00:00Z' }], { userId: 'u' });
  const facts = await memory.facts({ userId: 'u' });
  expect(facts.map((fact) => fact.validAt?.slice(0, 10))).toContain(day);
});
