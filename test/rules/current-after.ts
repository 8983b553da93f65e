import { rulesExtractor } from '@tandem-memory/models';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { factsOf, tell } from '../pipeline/tell.ts';

const extractor = rulesExtractor();

/** What is current after each text was said, a month after the one before it, as the built-in rules read it. */
export async function currentAfter(...said: readonly string[]): Promise<string[]> {
  const { memory } = openTestMemory({ extractor });
  await tell(
    memory,
    said.map((text, index) => [`2024-0${index + 1}-05`, text]),
  );
  return (await factsOf(memory)).current;
}
