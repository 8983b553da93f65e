import { describe, expect, it } from 'vitest';
import { currentAfter } from './current-after.ts';

describe('what has not ended goes on', () => {
  it.each([
    [
      'I own a boat.',
      'User own boat',
      ["I haven't sold the boat yet.", 'I never sold the boat.', 'I did not sell the boat.', 'I still have not sold my boat.'],
    ],
    [
      'I work at Acme.',
      'User work at Acme',
      ['I have never left Acme.', "I didn't leave Acme.", "I haven't quit Acme.", 'I have not resigned from Acme.'],
    ],
    ['I live in Lindby.', 'User live in Lindby', ['I have not left Lindby.', 'I have not moved out of Lindby.']],
    ['I am married to Tom.', 'User be married to Tom', ['I have not divorced Tom.']],
    ['I use Maple.', 'User use Maple', ['I have not stopped using Maple.', "I haven't dropped Maple."]],
    ['I play chess.', 'User play chess', ['I never gave up chess.', 'I did not quit chess.', 'I cannot quit chess.']],
    ['I like coffee.', 'User like coffee', ['I have not stopped liking coffee.']],
  ])('%s', async (first, fact, others) => {
    for (const second of others) expect(await currentAfter(first, second), second).toContain(fact);
  });

  it.each([
    ['I own a boat.', 'User own boat', 'I sold the boat.'],
    ['I work at Acme.', 'User work at Acme', 'I left Acme.'],
    ['I play chess.', 'User play chess', 'I gave up chess.'],
    ['I like coffee.', 'User like coffee', 'I do not like coffee any more.'],
  ])('and what has ended does not: %s', async (first, fact, second) => {
    expect(await currentAfter(first, second)).not.toContain(fact);
  });
});
