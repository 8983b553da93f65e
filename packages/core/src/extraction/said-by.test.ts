import { describe, expect, it } from 'vitest';
import { MessageFinder } from './said-by.ts';

const finder = new MessageFinder([
  { role: 'user', content: 'What should I cook? I am allergic to nuts.' },
  { role: 'assistant', content: 'I grew up near Nice, so I would make ratatouille. Do you have a dog?' },
  { role: 'user', content: 'Rex is my dog.', speaker: 'Ana' },
  { role: 'assistant', content: 'Rex likes ratatouille.' },
]);

describe('the message that an item comes from', () => {
  it.each([
    ['User is allergic to nuts', undefined, 0],
    ['The assistant grew up near Nice', undefined, 1],
    ['Ana owns a dog named Rex', undefined, 2],
    // Each holds a part.
    ['Nuts grow near Nice', undefined, undefined],
    // Two hold it.
    ['Ratatouille', undefined, undefined],
    ['Something else', undefined, undefined],
    ['Something else', 'Ana', 2],
    ['Rex likes it', 'assistant', 3],
    ['Something else', 'Assistant', 1],
    ['Something else', 'nobody', undefined],
  ])('%s (%s)', (text, author, expected) => {
    expect(finder.find(text, author)).toBe(expected);
  });
});
