import { describe, expect, it } from 'vitest';
import { currentAfter } from './current-after.ts';

describe('how something is done can end while it goes on', () => {
  it.each([
    ['I work for Equinor.', 'User work for Equinor', 'I no longer work nights at Equinor.'],
    ['I work for Equinor.', 'User work for Equinor', 'I no longer work from home for Equinor.'],
    ['I work for Equinor.', 'User work for Equinor', "I don't work Fridays at Equinor any more."],
    ['I work for Equinor.', 'User work for Equinor', 'I no longer work with Dana at Equinor.'],
    ['I live in Oslo.', 'User live in Oslo', 'I no longer live alone in Oslo.'],
    ['I play tennis.', 'User play tennis', 'I stopped playing tennis with Bob.'],
    ['I like jazz.', 'User like jazz', 'I used to like jazz even more.'],
    ['I work for Equinor.', 'User work for Equinor', 'I sometimes work at the Leiden Market.'],
    ['I live in Oslo.', 'User live in Oslo', 'I no longer live with my parents in Oslo.'],
  ])('%s (%s) still holds after: %s', async (first, fact, second) => {
    expect(await currentAfter(first, second)).toContain(fact);
  });

  it.each([
    ['I work for Equinor.', 'User work for Equinor', 'I no longer work for Equinor.'],
    ['I work for Equinor.', 'User work for Equinor', "I don't work at Equinor any more."],
    ['I live in Oslo.', 'User live in Oslo', 'I no longer live in Oslo.'],
    ['I play tennis.', 'User play tennis', 'I stopped playing tennis.'],
    ['I like jazz.', 'User like jazz', 'I used to like jazz.'],
  ])('%s (%s) is over after: %s', async (first, fact, second) => {
    expect(await currentAfter(first, second)).not.toContain(fact);
  });
});
