import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TokenCounter } from '../ports/token-counter.ts';
import { type Chunk, chunkText } from './chunk.ts';

/** One token for each code point: sizes in tokens are sizes in characters. */
const byCharacter: TokenCounter = { id: 'characters', count: (text) => [...text].length };
/** Words, punctuation marks and spaces, as a byte-pair encoding cuts before it merges. */
const byWord: TokenCounter = { id: 'words', count: (text) => (text.match(/\w+|\s+|[^\w\s]/gu) ?? []).length };
/** A whole that costs more than its parts, as merges across a cut sometimes do. */
const rising: TokenCounter = { id: 'rising', count: (text) => [...text].length + Math.floor([...text].length / 8) };

const graphemes = (text: string) => [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)];
const fresh = (chunk: Chunk) => chunk.text.slice(chunk.overlap);

/** What a reader sees of a text: neither white space nor zero-width characters, controls and blank letters. */
const visible = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]+/gu, '');

/** Looks for each chunk's own part behind the one before; between two of them only what nobody sees may be missing. */
function expectWhole(chunks: readonly Chunk[], text: string): void {
  let position = 0;
  for (const chunk of chunks) {
    const start = text.indexOf(fresh(chunk), position);
    expect(start).toBeGreaterThanOrEqual(position);
    expect(visible(text.slice(position, start))).toBe('');
    position = start + fresh(chunk).length;
  }
  expect(visible(text.slice(position))).toBe('');
}

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'A line. ',
        'wörter ',
        '한국어 문장입니다. ',
        '我喜欢茶。',
        '🎉',
        '👩‍🚀',
        '🇰🇷',
        'e\u0301',
        ' \u0301',
        '。\ufe00',
        '\r\n',
        '\n',
        '\t',
        '   ',
      ),
      fc.constantFrom('# One\n', '## Two ##\n', '```\n# not a heading\n```\n', '<|endoftext|>', 'a'.repeat(40), 'ก\u0e33 \u0e33', 'क्षि'),
      fc.string({ unit: 'binary', maxLength: 12 }),
      fc.string({ unit: 'grapheme', maxLength: 12 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));
const limits = fc.record({ maxTokens: fc.integer({ min: 1, max: 40 }), overlapTokens: fc.integer({ min: 0, max: 40 }) });

describe('chunkText', () => {
  it('gives back the whole text, in pieces within the limit, without cutting a grapheme', () => {
    fc.assert(
      fc.property(texts, limits, fc.constantFrom(byCharacter, byWord, rising), (text, options, counter) => {
        const chunks = chunkText(text, counter, options);
        expectWhole(chunks, text);
        const boundaries = new Set([0, text.length, ...graphemes(text).map((part) => part.index)]);
        let position = 0;
        for (const [index, chunk] of chunks.entries()) {
          const start = text.indexOf(fresh(chunk), position);
          position = start + fresh(chunk).length;
          expect(boundaries).toContain(start);
          expect(boundaries).toContain(position);
          expect(fresh(chunk).trim()).not.toBe('');
          expect(index === 0 ? '' : chunks[index - 1]?.text).toContain(chunk.text.slice(0, chunk.overlap));
          if (counter.count(chunk.text) > options.maxTokens) expect(graphemes(chunk.text)).toHaveLength(1);
        }
      }),
      { numRuns: 500 },
    );
  });

  // chunking-02
  it('ends for every size and overlap, and no half of an emoji is left', () => {
    const text = 'abcdefghi🎉jklmnop👩‍🚀qrstuv𠮷野家wxyz';
    for (const given of [text, `\udf89${text}\ud83c`.toWellFormed()]) {
      for (let maxTokens = 1; maxTokens <= 12; maxTokens++) {
        for (let overlapTokens = 0; overlapTokens < maxTokens; overlapTokens++) {
          const chunks = chunkText(given, byCharacter, { maxTokens, overlapTokens });
          expect(chunks.map(fresh).join('')).toBe(given);
          expect(chunks.every((chunk) => chunk.text.isWellFormed() && chunk.text !== '')).toBe(true);
          expect(chunks.some((chunk) => chunk.text.includes('👩‍🚀'))).toBe(true);
        }
      }
    }
    expect(() => chunkText(`\udf89${text}\ud83c`, byCharacter, { maxTokens: 3 })).not.toThrow();
  });

  // chunking-01
  it('treats text that spells control tokens like any other', () => {
    const text =
      'The file ends with <|endoftext|> and a chat starts with <|im_start|>system\nBe brief.<|im_end|>. A gap is <|fim_prefix|>. Use <|endofprompt|> last.';
    const chunks = chunkText(text, byWord, { maxTokens: 20, overlapTokens: 5 });
    expect(chunks.map(fresh).join('')).toBe(text);
    expect(Math.max(...chunks.map((chunk) => byWord.count(chunk.text)))).toBeLessThanOrEqual(20);
  });

  it('repeats whole sentences at the start of the next chunk', () => {
    const chunks = chunkText('One is red. Two is blue. Three is green. Four is grey.', byWord, { maxTokens: 14, overlapTokens: 7 });
    expect(chunks.map((chunk) => [chunk.text.slice(0, chunk.overlap), fresh(chunk)])).toEqual([
      ['', 'One is red. Two is blue. '],
      ['Two is blue. ', 'Three is green. '],
      ['Three is green. ', 'Four is grey.'],
    ]);
  });

  it('never mixes two sections and names the headings above each chunk', () => {
    const text = 'Intro.\n# Boat\nHull.\n## Sail ##\nWhite.\n# Pier\n```\n# a comment\n~~~\n```\nLong.\n# Last\n';
    expect(chunkText(text, byWord, { maxTokens: 100 })).toEqual([
      { text: 'Intro.\n', overlap: 0 },
      { text: '# Boat\nHull.\n', overlap: 0, heading: 'Boat' },
      { text: '## Sail ##\nWhite.\n', overlap: 0, heading: 'Boat > Sail' },
      { text: '# Pier\n```\n# a comment\n~~~\n```\nLong.\n', overlap: 0, heading: 'Pier' },
      { text: '# Last\n', overlap: 0, heading: 'Last' },
    ]);
  });

  it('keeps a heading with nothing below it together with the section that follows', () => {
    expect(chunkText('# Guide\n\n## Setup\nPlug it in.', byWord)).toEqual([
      { text: '# Guide\n\n## Setup\nPlug it in.', overlap: 0, heading: 'Guide > Setup' },
    ]);
  });

  it('takes an overlong line for text, though it begins like a heading', () => {
    const line = `# ${'word '.repeat(300)}`;
    expect(chunkText(line, byWord, { maxTokens: 50 }).every((chunk) => chunk.heading === undefined)).toBe(true);
  });

  it.each(['', ' \n\t\r\n ', '\u200b\ufeff\u2060 \n'])('gives no chunk for a text that nobody can see: %j', (text) => {
    expect(chunkText(text, byCharacter, { maxTokens: 2, overlapTokens: 1 })).toEqual([]);
  });

  it.each([
    ['a run of spaces', ' '.repeat(300_000)],
    ['a heading of spaces', `# a${' '.repeat(300_000)}b`],
    ['a heading of marks', `# ${'# '.repeat(200_000)}`],
    ['one word', 'x'.repeat(300_000)],
    ['full stops', '. '.repeat(200_000)],
    ['blank lines', '\n'.repeat(300_000)],
    ['fences', '`'.repeat(300_000)],
  ])('takes time in proportion to the text: %s', (_, text) => {
    // A cut that reads a run again at each of its characters needs minutes here, far beyond the time limit of a test.
    const chunks = chunkText(`begin ${text} end`, byCharacter);
    expect(
      fresh(chunks.at(-1) ?? { text: '', overlap: 0 })
        .trimEnd()
        .endsWith('end'),
    ).toBe(true);
  });

  describe('a table', () => {
    const head = '| boat | price |\n| --- | --- |\n';
    const row = (n: number) => `| Osprey ${n} | ${n} crowns. Each way. |\n`;
    const rows = Array.from({ length: 30 }, (_, n) => row(n)).join('');

    it('is cut between its rows, and each part begins with its head', () => {
      const text = `Prices.\n\n${head}${rows}\nThe end.\n`;
      const chunks = chunkText(text, byWord, { maxTokens: 80, overlapTokens: 20 });
      expect(chunks.map(fresh).join('')).toBe(text);
      expect(chunks.length).toBeGreaterThan(3);
      for (const chunk of chunks.slice(1)) {
        if (fresh(chunk).startsWith('|')) expect(chunk.text.slice(0, chunk.overlap)).toBe(head);
        expect(byWord.count(chunk.text)).toBeLessThanOrEqual(80);
      }
      for (const chunk of chunks) for (const part of chunk.text.split('\n')) if (part.startsWith('| O')) expect(part).toMatch(/ \|$/);
    });

    it('with a head that is too long for it, or a row that is, stays within the limit', () => {
      const wide = `| ${'column | '.repeat(30)}\n| ${'--- | '.repeat(30)}\n${`| ${'cell | '.repeat(30)}\n`.repeat(3)}`;
      for (const text of [wide, `${head}| ${'long words. '.repeat(200)} |\n`]) {
        const chunks = chunkText(text, byWord, { maxTokens: 40 });
        expect(chunks.map(fresh).join('')).toBe(text);
        expect(Math.max(...chunks.map((chunk) => byWord.count(chunk.text)))).toBeLessThanOrEqual(40);
      }
    });

    it.each(['| a | b |\n| --- | --- |\n', 'a | b\n--- | ---\n1 | 2', '| --- | --- |\n| 1 | 2 |\n', '|\n|-|\n|', 'x\n|-|-|\n|1|2|\n'])(
      'that is none or nearly one loses nothing: %j',
      (text) => {
        expect(chunkText(text, byCharacter, { maxTokens: 12, overlapTokens: 3 }).map(fresh).join('')).toBe(text);
      },
    );
  });

  it('cuts given sections one by one, with their headings and metadata, and looks for no headings in them', () => {
    const sections = [
      { text: '# a comment\nx = 1\n', heading: 'class A > run', metadata: { lines: '1-2' } },
      { text: ' \n' },
      { text: 'One. Two. Three.', metadata: { page: 2 } },
    ];
    expect(chunkText(sections, byWord, { maxTokens: 6, overlapTokens: 0 })).toEqual([
      { text: '# a comment\n', overlap: 0, heading: 'class A > run', metadata: { lines: '1-2' } },
      { text: 'x = 1\n', overlap: 0, heading: 'class A > run', metadata: { lines: '1-2' } },
      { text: 'One. Two. ', overlap: 0, metadata: { page: 2 } },
      { text: 'Three.', overlap: 0, metadata: { page: 2 } },
    ]);
  });
});

describe('what is no text or no limit', () => {
  it.each([{ maxTokens: Number.NaN }, { maxTokens: 0 }, { maxTokens: -5 }, { maxTokens: 2.5 }, { overlapTokens: -1 }, { overlapTokens: Number.NaN }])(
    'is refused by its name: %j',
    (options) => {
      const [name = ''] = Object.keys(options);
      expect(() => chunkText('One is red.', byWord, options)).toThrow(
        expect.objectContaining({ code: 'INPUT_INVALID', message: expect.stringContaining(name) }),
      );
    },
  );

  it('halves of surrogate pairs are told as such', () => {
    const chunks = [...chunkText('abc\ud83c def', byWord), ...chunkText([{ text: '\udf89 abc' }], byWord)];
    expect(chunks.map(({ text }) => text)).toEqual(['abc\ufffd def', '\ufffd abc']);
  });
});
