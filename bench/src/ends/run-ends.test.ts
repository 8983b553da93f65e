import { describe, expect, it } from 'vitest';
import { runEnds } from './run-ends.ts';

describe('what a sentence ends', () => {
  it('is what the labels say, but for nine that no rule reads', async () => {
    const { wrongly_ended, missed, not_read } = await runEnds();
    expect(wrongly_ended).toEqual([]);
    expect(missed).toEqual([
      'en: I work at Acme. / I accepted an offer from Globex and started there on Monday.',
      "en: I'm engaged to Nina. / Nina and I called off the engagement.",
      'en: I am married to Tom. / My husband Tom and I finalised our divorce last week.',
      'en: I have a dog named Rex. / We had to put Rex down.',
      "en: I use an iPhone. / I've switched to Android.",
      "en: I love horror movies. / Horror movies just don't do it for me anymore.",
      'en: I take vitamin D. / My doctor told me to stop taking vitamin D, so I did.',
      'en: I live with Sara. / Sara moved out.',
      "en: I take the bus to work. / I don't take the bus to work any more.",
    ]);
    expect(not_read).toEqual(["en: I take the bus to work. / I don't take the bus to work any more."]);
  });
});
