import { rulesExtractor } from '@tandem-memory/models';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { factsOf, tell } from '../pipeline/tell.ts';

const extractor = rulesExtractor();

/** What is current after each text was said, a month after the one before it, as the built-in rules read it. */
export async function currentAfter(...said: readonly string[]): Promise<string[]> {
  return currentOf('u', said);
}

/** The same of a user of one's choice. */
export async function currentOf(userId: string, said: readonly string[]): Promise<string[]> {
  const { memory } = openTestMemory({ extractor });
  await tell(
    memory,
    said.map((text, index) => [`2024-0${index + 1}-05`, text]),
    userId,
  );
  return (await factsOf(memory, undefined, userId)).current;
}
