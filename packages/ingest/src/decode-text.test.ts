import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-text.ts';

const utf8 = (text: string) => Buffer.from(text);
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16();

describe('decodeText', () => {
  it.each([
    ['UTF-8', utf8('Grüße, 안녕 🎉'), 'Grüße, 안녕 🎉', []],
    ['a byte order mark', utf8('\ufeff# Pier'), '# Pier', []],
    ['UTF-16 LE', Buffer.from('\ufeffkey 🎉\r\n', 'utf16le'), 'key 🎉\n', ['decoded from UTF-16LE']],
    ['UTF-16 BE', utf16be('stove'), 'stove', ['decoded from UTF-16BE']],
    ['line ends of Windows and old Macs', utf8('a\r\nb\rc\n\r\nd'), 'a\nb\nc\n\nd', []],
    ['a byte order mark in the middle', utf8('one\ufefftwo'), 'onetwo', []],
    ['Latin-1', Buffer.from('caf\xe9', 'latin1'), 'café', ['not valid UTF-8; decoded as windows-1252']],
    ['curly quotes of Windows', Buffer.from('\x93so\x94', 'latin1'), '“so”', ['not valid UTF-8; decoded as windows-1252']],
    ['a NUL', utf8('The mill\0 wheel turns.'), 'The mill wheel turns.', ['1 NUL character removed']],
    ['coloured logs', utf8('\x1b[31mred\x1b[0m\f'), '\x1b[31mred\x1b[0m\f', []],
    ['nothing', utf8(''), '', []],
  ])('reads %s', (_, bytes, text, notes) => {
    expect(decodeText(bytes)).toEqual({ text, notes });
  });

  it('keeps another script when a few bytes of it are broken', () => {
    const bytes = Buffer.concat([utf8('한국어 문장입니다. '), Buffer.of(0xff), utf8('끝')]);
    expect(decodeText(bytes)).toEqual({ text: '한국어 문장입니다. \ufffd끝', notes: ['1 places are not valid UTF-8 and were replaced by U+FFFD'] });
  });

  it.each([
    ['a PDF', utf8('%PDF-1.7\nplain words'), 'PDF'],
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\nIHDR', 'latin1'), 'PNG'],
    ['an Office file', Buffer.from('PK\x03\x04word/document.xml', 'latin1'), 'Office'],
    ['UTF-16 without a mark', Buffer.from('plain words', 'utf16le'), 'binary'],
    ['zeros', Buffer.alloc(1000), 'binary'],
    ['every byte', Buffer.from(Array.from({ length: 512 }, (__, index) => (index * 7) % 256)), 'binary'],
  ])('refuses %s', (_, bytes, reason) => {
    expect(decodeText(bytes)).toEqual({ refused: expect.stringContaining(reason) });
  });

  it('gives well-formed text without NUL and marks for any bytes, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = decodeText(bytes);
        if ('text' in decoded) {
          expect(decoded.text).not.toMatch(/[\0\ufeff\r]/);
          expect(decoded.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('gives back any text that was written as UTF-8 or UTF-16', () => {
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\ufeff]/u.test(text));
    fc.assert(
      fc.property(texts, (text) => {
        expect(decodeText(utf8(text))).toEqual({ text, notes: [] });
        expect(decodeText(utf16be(text))).toMatchObject({ text });
      }),
    );
  });
});
