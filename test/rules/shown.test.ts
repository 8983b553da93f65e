import { describe, expect, it } from 'vitest';
import { currentAfter, currentOf } from './current-after.ts';

describe("what is only shown is nobody's own", () => {
  it.each([
    ['I live in Lindby.', 'User live in Lindby', 'Translate: "I moved to Corran."'],
    ['I live in Lindby.', 'User live in Lindby', 'Please rewrite this politely: I moved to Corran, deal with it.'],
    ['I live in Lindby.', 'User live in Lindby', 'Example sentence: I moved to Corran.'],
    ['I live in Lindby.', 'User live in Lindby', 'Write a poem that begins: I moved to Corran'],
    ['I live in Lindby.', 'User live in Lindby', '> I moved to Corran.\nThat is what Ola wrote.'],
    ['I live in Lindby.', 'User live in Lindby', 'My friend wrote me today. "I moved to Corran. I live in Corran now. I love it."'],
    ['I live in Lindby.', 'User live in Lindby', 'She said: “I moved to Corran last week.”'],
    ['I work at Acme.', 'User work at Acme', 'Summarize the following mail: I quit Acme on Friday.'],
    ['저는 린드비에 살아요.', 'User live in 린드비', '번역해 줘: 저는 코란으로 이사했어요.'],
    ['我住在林比。', 'User live in 林比', '翻译一下：我搬到了科兰。'],
  ])('%s (%s) still holds after %s', async (first, fact, shown) => {
    expect(await currentAfter(first, shown)).toContain(fact);
  });

  it.each([
    ['I told "The Lamp" that I moved to Corran.', 'User live in Lindby'],
    ['Update: I moved to Corran.', 'User live in Lindby'],
    ['I moved to Corran. They call it "the wet town".', 'User live in Lindby'],
  ])('but what is told beside it is: %s', async (told, over) => {
    expect(await currentAfter('I live in Lindby.', told)).not.toContain(over);
  });
});

it('of a company and a place of one name the company is left, whoever asks', async () => {
  for (const userId of ['ana', 'bob', 'cho', 'dan', 'eve', 'fay', 'gil', 'hal']) {
    const facts = await currentOf(userId, ['I work at Stripe.', 'I live near Stripe.', 'I left Stripe.']);
    expect(facts, userId).not.toContain('User work at Stripe');
    expect(facts, userId).toContain('User live near Stripe');
  }
});
