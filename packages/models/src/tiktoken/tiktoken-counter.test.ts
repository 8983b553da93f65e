import fc from 'fast-check';
import { Tiktoken } from 'js-tiktoken/lite';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import o200k from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { TiktokenCounter, type TiktokenEncoding } from './tiktoken-counter.ts';

const TEXTS = [
  '',
  ' ',
  'hello world',
  "I'll don't WE'RE",
  'Grüße, señor',
  '한국어 문장입니다. 오늘은 날씨가 좋네요',
  '这是一个句子。',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  '\ud800',
  'a\udc00b',
  '\ufeff\u2028\u0085',
  '<|endoftext|>',
  '<|fim_prefix|> x <|endofprompt|>',
  '  two\n\n\n  lines  \r\n\t',
  'x = f(1234567) // ok\n',
  'a'.repeat(300),
  'Ab'.repeat(150),
  '.'.repeat(300),
  ' '.repeat(300),
  '\n'.repeat(300),
];
const words = fc.constantFrom(
  'the',
  ' memory',
  'Tandem',
  '한국',
  '어',
  '中文',
  '🙂',
  '\ud83d',
  '\n',
  '\r\n',
  ' ',
  '  ',
  "'s",
  "'LL",
  '/',
  '[',
  ']',
  '1',
  '2345',
  '.',
  '<|endoftext|>',
  'İ',
  'ß',
  '\u0301',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(words, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 }).map((units) => String.fromCharCode(...units)),
);

describe.each<[TiktokenEncoding, typeof o200k]>([
  ['o200k_base', o200k],
  ['cl100k_base', cl100k],
])('TiktokenCounter of %s', async (encoding, table) => {
  const counter = await TiktokenCounter.load(encoding);
  const reference = new Tiktoken(table);
  const expected = (text: string): number => reference.encode(text, [], []).length;

  it.each(TEXTS.map((text) => [text]))('counts %j as js-tiktoken does', (text) => {
    expect(counter.count(text)).toBe(expected(text));
  });

  it('counts any text as js-tiktoken does, the second time too', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(counter.count(text)).toBe(expected(text));
        expect(counter.count(text)).toBe(expected(text));
      }),
      { numRuns: 1500 },
    );
  });

  it('counts lines that start with a bracket one by one or together alike, which packing relies on', () => {
    const line = anyText.map((text) => `[${text}\n`);
    fc.assert(
      fc.property(line, line, (first, second) => {
        expect(counter.count(first + second)).toBe(counter.count(first) + counter.count(second));
      }),
      { numRuns: 1500 },
    );
  });

  it.each([['a'], ['A'], ['가'], ['='], [' '], ['\ud800']])('counts a piece of 200,000 %j', (unit) => {
    // Quadratic time would be an hour here. A long run has the rate of a shorter one.
    const [short, long] = [counter.count(unit.repeat(1000)), counter.count(unit.repeat(200_000))];
    expect(short).toBe(expected(unit.repeat(1000)));
    expect(Math.abs(long / 200_000 - short / 1000)).toBeLessThan(0.01);
  });
});

it('never counts too few where a word is too long for the pattern', async () => {
  const counter = await TiktokenCounter.load();
  const length = 5_000_000;
  // Each syllable is one token, as the shorter runs above show.
  expect(counter.count('가'.repeat(length))).toBeGreaterThanOrEqual(length);
});

it('loads o200k_base unless told otherwise', async () => {
  expect((await TiktokenCounter.load()).id).toBe('o200k_base');
});
