import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';

describe('a time of which only the beginning is known', () => {
  it.each([
    ['I live in Lindby.', 'I moved to Corran last year.', 'Where do I live?'],
    ['I am married to Tom.', 'We got divorced last year.', 'Am I married?'],
    ['I work at Acme.', 'I started at Globex last month.', 'Where do I work?'],
    ['린드비에 살아.', '작년에 부산으로 이사했어.', '나 어디 살지?'],
    ['我住在成都。', '我去年搬到了杭州。', '我住在哪里？'],
  ])('does not lose to what was said in it before: %s %s', async (before, after, question) => {
    for (const said of ['2022-05-03', '2023-02-03', '2023-05-20']) {
      const { memory } = openTestMemory({ extractor: rulesExtractor(), clock: new FixedClock('2023-07-01T12:00:00Z') });
      await memory.store({ role: 'user', content: before, at: said }, { userId: 'u', sessionId: 'before' });
      await memory.store({ role: 'user', content: after, at: '2023-06-05' }, { userId: 'u', sessionId: 'after' });
      const { items } = await memory.retrieve(question, { userId: 'u', kinds: ['episode'] });
      expect(items.map(({ text, outdated }) => [text, outdated !== undefined])).toEqual([
        [after, false],
        [before, true],
      ]);
      await memory.close();
    }
  });
});
