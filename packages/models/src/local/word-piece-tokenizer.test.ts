import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Tokenizer } from '@huggingface/tokenizers';
import { array, assert, constantFrom, oneof, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packagedWeights } from './weights.ts';
import { WordPieceTokenizer } from './word-piece-tokenizer.ts';

const FILE = join(packagedWeights('minilm'), 'tokenizer.json');

describe('WordPieceTokenizer', () => {
  it('gives for any text what the tokenizer gives for the whole of it, the same word met again included', () => {
    const whole = new Tokenizer(JSON.parse(readFileSync(FILE, 'utf8')), {});
    const tokenizer = WordPieceTokenizer.read(FILE);
    const words = constantFrom(
      'Tokyo',
      'tokyo',
      'ΟΔΟΣ',
      'e\u0301te\u0301',
      '東京',
      'İ',
      'unaffable',
      '[SEP]',
      '\u0301',
      '\uFEFF',
      '\ud83c',
      'a\u0085b',
    );
    const blanks = constantFrom(' ', '\n', '\t\r\n', '\u00a0', '\u2003', '\v', '\f', '\u2028', '');
    assert(
      property(array(oneof(words, blanks, string({ unit: 'binary', maxLength: 6 })), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        expect(tokenizer.encodeWords(text)).toEqual(whole.encode(text, { add_special_tokens: false }).ids);
        expect(tokenizer.encodeSentence(text, 512)).toEqual(whole.encode(text).ids);
      }),
      { numRuns: 500 },
    );
  });

  it('cuts a sentence to the tokens that there are, its end kept', () => {
    const tokenizer = WordPieceTokenizer.read(FILE);
    const [start, end] = tokenizer.encodeSentence('', 2);
    const ids = tokenizer.encodeSentence('one two three four', 4);
    expect(ids).toEqual([start, ...tokenizer.encodeWords('one two'), end]);
    expect(tokenizer.encodeWords('word '.repeat(100_000)).length).toBeLessThan(2_000);
  });
});
