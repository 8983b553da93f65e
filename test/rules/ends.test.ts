import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';
import { factsOf } from '../pipeline/tell.ts';
import { currentAfter } from './current-after.ts';

const extractor = rulesExtractor();

describe('a job that is given up without its name', () => {
  it.each(['I quit.', 'I resigned.', 'I got fired.', 'I was laid off.', 'I quit my job.', 'I lost my job.'])(
    '%s ends the one that is known',
    async (text) => {
      expect(await currentAfter('I work at Acme.', text)).not.toContain('User work at Acme');
      const two = await currentAfter('I work at Acme.', 'I also work at Globex.', text);
      expect(two).toEqual(expect.arrayContaining(['User work at Acme', 'User work at Globex']));
      expect(await currentAfter('I live in Lindby.', text)).toContain('User live in Lindby');
    },
  );

  it('and with its name that one of two', async () => {
    const current = await currentAfter('I work at Acme.', 'I also work at Globex.', 'I quit my job at Acme.');
    expect(current).toContain('User work at Globex');
    expect(current).not.toContain('User work at Acme');
  });
});

describe('a move is of what was left', () => {
  it.each([
    ['a home', ['I live in Lindby.', 'I moved from Lindby to Corran.'], ['User move to Corran'], ['User live in Lindby']],
    ['a home in the other order', ['I live in Lindby.', 'I moved to Corran from Lindby.'], ['User move to Corran'], ['User live in Lindby']],
    ['a first home', ['I moved from Lindby to Corran.', 'I moved to Bergen.'], ['User move to Bergen'], ['User move to Corran']],
    ['a dwelling', ['I live in Lindby.', "I moved from my parents' house to Corran."], ['User move to Corran'], ['User live in Lindby']],
    [
      'a job',
      ['I work at Acme.', 'I live in Lindby.', 'I moved from Acme to Globex.'],
      ['User live in Lindby', 'User start at Globex'],
      ['User work at Acme'],
    ],
    [
      'a tool',
      ['I use Larkbox.', 'I live in Lindby.', 'I moved from Larkbox to Kestrel.'],
      ['User live in Lindby', 'User switch to Kestrel'],
      ['User use Larkbox'],
    ],
    ['what nobody has heard of', ['I live in Lindby.', 'I moved to Kestrel from Larkbox.'], ['User live in Lindby'], []],
    ['a common thing', ['I live in Lindby.', 'I moved from the old editor to Kestrel.'], ['User live in Lindby'], []],
  ])('%s', async (_, said, current, past) => {
    const found = await currentAfter(...said);
    expect(found).toEqual(expect.arrayContaining(current));
    for (const fact of past) expect(found).not.toContain(fact);
  });
});

describe('a value takes the place of another in whatever words', () => {
  it.each([
    ['I am employed by Acme.', 'I joined Globex.', 'User be employed by Acme'],
    ['I am employed by Acme.', 'I work at Globex.', 'User be employed by Acme'],
    ['I work at Acme.', 'I am employed by Globex.', 'User work at Acme'],
    ['I work at Acme.', 'I was hired by Globex.', 'User work at Acme'],
    ['I am 34.', 'I turned 35.', 'User age 34'],
    ["I'm 34 years old.", 'I am 35 now.', 'User age 34'],
    ['My rent is 900 euros.', 'My rent is 950 euros.', 'User rent is 900 euros'],
    ['The rent is 900.', 'The rent is 950.', 'rent be set to 900'],
    ['My commute is 40 minutes.', 'My commute is 20 minutes.', 'User commute is 40 minutes'],
    ['I am married to Tom.', 'We got divorced.', 'User be married to Tom'],
    ['I am married to Tom.', 'Tom and I got divorced.', 'User be married to Tom'],
    ['I own a kayak.', 'My kayak was stolen.', 'User own kayak'],
  ])('%s %s', async (first, second, past) => {
    expect(await currentAfter(first)).toContain(past);
    expect(await currentAfter(first, second)).not.toContain(past);
  });
});

describe('what one leaves one may love', () => {
  it.each([
    ['I love Lindby.', 'I left Lindby.', 'User love Lindby'],
    ['I was born in Lindby.', 'I left Lindby.', 'User be born in Lindby'],
    ['I hate smoking.', 'I quit smoking.', 'User hate smoking'],
    ['I like Acme.', 'I quit Acme.', 'User like Acme'],
  ])('%s %s', async (first, second, fact) => {
    expect(await currentAfter(first, second)).toContain(fact);
  });
});

describe('what one joins beside a job ends none', () => {
  it.each(['I joined a gym.', 'I joined the Corran Running Club.', 'I joined Tinder.', 'I joined Corran FC.', 'I joined the choir.'])(
    '%s',
    async (text) => {
      expect(await currentAfter('I work at Acme.', text)).toContain('User work at Acme');
    },
  );
});

describe('of somebody who is known by name', () => {
  it.each(['I sold my kayak.', 'My kayak was stolen.', 'I no longer own a kayak.'])('%s', async (content) => {
    const { memory } = openTestMemory({ extractor });
    for (const [at, text] of [
      ['2024-01-05', 'I own a kayak.'],
      ['2024-02-05', content],
    ] as const)
      await memory.store([{ role: 'user', name: 'Lia', content: text, at }], { userId: 'u' });
    const found = await factsOf(memory);
    expect(found.past).toContain('Lia own kayak');
    expect(found.current).not.toContain('Lia own kayak');
  });
});
