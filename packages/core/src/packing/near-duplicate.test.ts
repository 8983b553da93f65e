import { describe, expect, it } from 'vitest';
import { isContained, wordingOf } from './near-duplicate.ts';

const contained = (text: string, other: string) => isContained(wordingOf(text), wordingOf(other));

describe('isContained', () => {
  it.each([
    ['The scanner firmware was updated on Monday.', 'Well, the scanner firmware was updated on Monday!'],
    ["I'm allergic to peanuts and shellfish", 'I am really allergic to peanuts and shellfish.'],
    ["We don't ship on Fridays", 'We do not ship on Fridays.'],
    ['Bob and Ana went to the market near the harbour and bought fish', 'Bob and Ana went to the big market near the harbour and bought fish'],
    ['小林每周三去游泳。', '小林每周三去游泳'],
    ['민수는 매주 수요일에 수영을 간다', '민수는 매주 수요일에 수영을 간다!'],
    ['ＡＢＣ café', 'ABC café'],
  ])('%j says no more than %j', (text, other) => {
    expect(contained(text, other)).toBe(true);
  });

  it.each([
    ['another number', 'Permit 31 has expired last week in Corran', 'Permit 32 has expired last week in Corran'],
    ['another code', 'Permit HB-2031-07 is valid', 'Permit HB-2031-08 is valid'],
    ['another decimal', 'We run version 3.2 of Maple', 'We run version 32 of Maple'],
    ['an added number', 'The ferry to Corran leaves from the old pier', 'The ferry to Corran leaves from the old pier 4'],
    ['a negation', 'Bob moved to Berlin with Ana last spring', 'Bob never moved to Berlin with Ana last spring'],
    ['a contracted negation', 'I can eat peanuts with the others today', "I can't eat peanuts with the others today"],
    ['a hedge', 'Bob moved to Berlin with Ana last spring', 'Bob almost moved to Berlin with Ana last spring'],
    ['swapped roles', 'Ana paid Bob', 'Bob paid Ana'],
    ['swapped pronouns', 'I love you', 'You love me'],
    ['another name', 'Ana went to the market near the harbour with Tom', 'Ana went to the market near the harbour with Tim'],
    ['another tense', 'Bob is ill', 'Bob was ill'],
    ['another tense by the verb alone', 'My father plays the organ in the church.', 'My father played the organ in the church.'],
    ['another tense of a need', 'The boat needs new paint', 'The boat needed new paint'],
    ['another number of things', 'I rent the flat above the bakery', 'I rent the flats above the bakery'],
    ['another word of one stem', 'The organization needs a new roof', 'The organ needs a new roof'],
    ['another trade', 'Ana works in marketing in Oslo now', 'Ana works in the market in Oslo now'],
    ['another form of what turns it', 'Bob opens a bakery with Ana in spring', 'Bob opens a planned bakery with Ana in spring'],
    ['a question', 'You live in Oslo?', 'You live in Oslo.'],
    ['more than the other says', 'Ana likes tea with lemon', 'Ana likes tea'],
    ['much less than the other', 'Ana likes tea', 'Ana likes tea, and her brother at work likes coffee with milk'],
    ['another direction', 'We drove with the children and the dog to Corran', 'We drove with the children and the dog from Corran'],
    ['another day in Chinese', '小林每周三去游泳', '小林每周四去游泳'],
    ['a Chinese negation', '小林每周三都去游泳', '小林每周三都不去游泳'],
    ['a Korean negation', '민수는 매주 수요일에 수영을 간다', '민수는 매주 수요일에 수영을 안 간다'],
    ['a Japanese negation', '弟は大阪の工場で働いている', '弟は大阪の工場で働いていない'],
    ['another sign', 'It was -5 degrees at night', 'It was +5 degrees at night'],
    ['another currency', 'The ticket costs $5', 'The ticket costs €5'],
    ['another emoji', 'The new boss 😂', 'The new boss 😡'],
    ['nothing', '', 'Ana likes tea'],
    ['fillers only', 'Oh well', 'Yeah, so'],
  ])('%s is no duplicate', (_what, text, other) => {
    expect(contained(text, other)).toBe(false);
  });
});
