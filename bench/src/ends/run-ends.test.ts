import { describe, expect, it } from 'vitest';
import { runEnds } from './run-ends.ts';

describe('what a sentence ends', () => {
  it('is what the labels say, save for what no rule reads', async () => {
    const { wrongly_ended, missed } = await runEnds();
    expect(wrongly_ended).toEqual(['en: I live in Lindby. / I moved to Corran virtually.', 'en: I drink coffee. / I cancelled the coffee with Ben.']);
    expect(missed).toEqual([
      "en: I work at Acme. / I'm not at Acme any more.",
      'en: I smoke. / I have not smoked since June.',
      'en: I work at Acme. / I accepted an offer from Globex and started there on Monday.',
      "en: I'm engaged to Nina. / Nina and I called off the engagement.",
      'en: I am married to Tom. / My husband Tom and I finalised our divorce last week.',
      'en: I have a dog named Rex. / We had to put Rex down.',
      "en: I use an iPhone. / I've switched to Android.",
      "en: I love horror movies. / Horror movies just don't do it for me anymore.",
      'en: I take vitamin D. / My doctor told me to stop taking vitamin D, so I did.',
      'en: I live with Sara. / Sara moved out.',
      "en: I take the bus to work. / I don't take the bus to work any more.",
      "en: I live in Ghent. / I'm a Bruges resident now, I moved there from Ghent in spring.",
      'en: I live in Ghent. / Living in Bruges now, by the way.',
      'en: I work at Nordvik. / I walked out of Nordvik last week and never went back.',
      'en: I work at Nordvik. / My contract with Nordvik ended in May.',
      'en: I drive a Skoda. / The Skoda was stolen in Antwerp.',
    ]);
  }, 120_000);
});
