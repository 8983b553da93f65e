import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CUT_MARK } from './render-item.ts';
import { shorten } from './shorten.ts';

const within = (length: number) => (text: string) => text.length <= length;

describe('shorten', () => {
  it('cuts at the end of a sentence, else of a word, else of a letter, with a mark', () => {
    expect(shorten('We met Marit in Corran. She leads security. And so on.', 100, within(52))).toBe(
      `We met Marit in Corran. She leads security.${CUT_MARK}`,
    );
    expect(shorten('one two three four five six seven eight nine', 100, within(42))).toBe(`one two three four five six seven${CUT_MARK}`);
    expect(shorten('x'.repeat(500), 100, within(60))).toBe('x'.repeat(60 - CUT_MARK.length) + CUT_MARK);
    expect(shorten('我们在科伦遇到了玛丽特。她负责安全,也负责所有码头的检票机。后来我们去吃了饭。'.repeat(2), 100, within(48))).toBe(
      `我们在科伦遇到了玛丽特。她负责安全,也负责所有码头的检票机。后来我们去吃了饭。${CUT_MARK}`,
    );
  });

  it('gives nothing where only a few letters fit', () => {
    expect(shorten('We met Marit in Corran. She leads security.', 100, within(20))).toBeUndefined();
    expect(shorten('', 100, within(20))).toBeUndefined();
    expect(shorten('a b c', 0, within(20))).toBeUndefined();
  });

  it('never splits what is one letter to a reader, and always fits', () => {
    const letters = fc.array(fc.constantFrom('👩‍🚀', '🇰🇷', 'é', 'a', ' ', '. ', '漢', '한', '\n'), { maxLength: 200 });
    fc.assert(
      fc.property(letters, fc.nat(120), (list, length) => {
        const cut = shorten(list.join(''), 1000, within(length));
        if (cut === undefined) return;
        expect(cut.length).toBeLessThanOrEqual(length);
        const kept = cut.slice(0, -CUT_MARK.length);
        const whole = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(list.join('').trim())].map((part) => part.segment);
        expect(
          whole.map((_, i) =>
            whole
              .slice(0, i + 1)
              .join('')
              .trimEnd(),
          ),
        ).toContain(kept);
      }),
    );
  });
});
