import { chunkText } from '@tandem-memory/core';
import { TiktokenCounter } from '@tandem-memory/models';
import fc from 'fast-check';
import { expect, it } from 'vitest';

const TEXT =
  'The file ends with <|endoftext|> and a chat starts with <|im_start|>system\nBe brief.<|im_end|>. A gap is <|fim_prefix|>. Use <|endofprompt|> last.';

// chunking-01
it('cuts text that spells control tokens by their size as ordinary text', async () => {
  const counter = await TiktokenCounter.load('o200k_base');
  const chunks = chunkText(TEXT, counter, { maxTokens: 20, overlapTokens: 5 });
  expect(chunks.map((chunk) => chunk.text.slice(chunk.overlap)).join('')).toBe(TEXT);
  expect(Math.max(...chunks.map((chunk) => counter.count(chunk.text)))).toBeLessThanOrEqual(20);
  expect(counter.count('<|endoftext|>')).toBeGreaterThan(1);
});

it('keeps every chunk within its limit by the count of the real encoding', async () => {
  const counter = await TiktokenCounter.load('o200k_base');
  const words = fc.constantFrom(
    'boathouse',
    "don't",
    ' 12',
    '345',
    '한국어',
    '喜欢',
    '🎉',
    '. ',
    '\n',
    '   ',
    '<|endoftext|>',
    'Zażółć',
    '#',
    ' - ',
    '!!',
  );
  const texts = fc.oneof(
    fc.array(words, { maxLength: 60 }).map((list) => list.join('')),
    fc.string({ unit: 'grapheme', maxLength: 80 }),
  );
  fc.assert(
    fc.property(texts, fc.integer({ min: 4, max: 24 }), fc.integer({ min: 0, max: 24 }), (text, maxTokens, overlapTokens) => {
      for (const chunk of chunkText(text, counter, { maxTokens, overlapTokens })) {
        const single = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(chunk.text)].length === 1;
        expect(single || counter.count(chunk.text) <= maxTokens).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
