import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmbeddingModel } from '../ports/embedding-model.ts';
import type { TokenCounter } from '../ports/token-counter.ts';
import { splitByMeaning } from './meaning.ts';

const counter: TokenCounter = { id: 'words', count: (text) => text.split(/\s+/).filter(Boolean).length };
/** A direction for each subject; words of none point between them. */
const SUBJECTS = ['pump', 'goat', 'lamp'];
const embedding: EmbeddingModel & { texts: number } = {
  modelId: 'subjects',
  dimensions: SUBJECTS.length,
  maxBatchSize: 4,
  keywordWeight: 1,
  texts: 0,
  async embed(texts) {
    this.texts += texts.length;
    return texts.map((text) => Float32Array.from(SUBJECTS, (subject) => (text.includes(subject) ? 1 : 0.1)));
  },
  async close() {},
};
const about = (subject: string, count: number) => Array.from({ length: count }, (_, n) => `The ${subject} number ${n} is here today. `).join('');
const split = (text: string | { text: string; heading?: string }[], maxTokens = 120) => splitByMeaning(text, { embedding, counter }, maxTokens);

describe('splitByMeaning', () => {
  it('cuts where the subject changes', async () => {
    const parts = await split(about('pump', 9) + about('goat', 9) + about('lamp', 9));
    expect(parts.map((part) => part.text)).toEqual([about('pump', 9), about('goat', 9), about('lamp', 9)]);
  });

  it('keeps headings, and cuts each section by itself', async () => {
    const parts = await split(`# Farm\n${about('pump', 9)}${about('goat', 9)}\n# Light\n${about('lamp', 2)}`);
    expect(parts.map((part) => part.heading)).toEqual(['Farm', 'Farm', 'Light']);
  });

  it('embeds nothing of a section that is short, and cuts nothing where the subject stays', async () => {
    const before = embedding.texts;
    expect(await split(about('pump', 3))).toHaveLength(1);
    expect(embedding.texts).toBe(before);
    expect(await split(about('pump', 30))).toHaveLength(1);
  });

  it('loses no letter', async () => {
    const parts = fc.constantFrom(
      'pump. ',
      'goat! ',
      'lamp\n',
      '한국어 문장입니다. ',
      '我喜欢茶。',
      '🎉 ',
      '# One\n',
      '| a | b |\n| - | - |\n| 1 | 2 |\n',
      '   ',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(parts, { maxLength: 60 }), fc.integer({ min: 8, max: 60 }), async (list, maxTokens) => {
        const text = list.join('');
        expect((await split(text, maxTokens)).map((part) => part.text).join('')).toBe(text);
      }),
    );
  });
});
