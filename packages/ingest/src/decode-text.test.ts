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
    ['UTF-16 without a mark', Buffer.from('plain words', 'utf16le'), 'plain words', ['decoded from UTF-16LE']],
    ['coloured logs', utf8('\x1b[31mred\x1b[0m\f'), '\x1b[31mred\x1b[0m\f', []],
    ['nothing', utf8(''), '', []],
  ])('reads %s', async (_, bytes, text, notes) => {
    expect(await decodeText(bytes)).toEqual({ text, notes });
  });

  it('keeps another script when a few bytes of it are broken', async () => {
    const bytes = Buffer.concat([utf8('한국어 문장입니다. '), Buffer.of(0xff), utf8('끝')]);
    expect(await decodeText(bytes)).toEqual({ text: '한국어 문장입니다. \ufffd끝', notes: ['1 place is not valid UTF-8 and replaced by U+FFFD'] });
  });

  it.each([
    ['a picture', Buffer.from('\x89PNG\r\n\x1a\nIHDR', 'latin1'), 'PNG'],
    ['an RTF document', utf8('{\\rtf1 words}'), 'RTF'],
    ['zeros', Buffer.alloc(1000), 'binary'],
    ['every byte', Buffer.from(Array.from({ length: 512 }, (__, index) => (index * 7) % 256)), 'binary'],
  ])('refuses %s', async (_, bytes, reason) => {
    expect(await decodeText(bytes)).toEqual({ refused: expect.stringContaining(reason) });
  });

  it('gives well-formed text without NUL and marks for any bytes, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        const decoded = await decodeText(bytes);
        if ('text' in decoded) {
          expect(decoded.text).not.toMatch(/[\0\ufeff\r]/);
          expect(decoded.text.isWellFormed()).toBe(true);
        }
      }),
    );
  });

  it('gives back any text that was written as UTF-8 or UTF-16', async () => {
    const texts = fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\ufeff]/u.test(text));
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await decodeText(utf8(text))).toEqual({ text, notes: [] });
        expect(await decodeText(utf16be(text))).toMatchObject({ text });
      }),
    );
  });

  /** The same sentence as its country's programs wrote it before Unicode; bytes in hexadecimal. */
  it.each([
    ['windows-1251', 'cce0ffea20f1e8ede8e92e20c4eeece8ea20f0fbe1e0eae020f1f2eee8f220f320eceef0ff2e', 'Маяк синий. Домик рыбака стоит у моря.'],
    ['koi8-r', 'edc1d1cb20d3c9cec9ca2e20e4cfcdc9cb20d2d9c2c1cbc120d3d4cfc9d420d520cdcfd2d12e', 'Маяк синий. Домик рыбака стоит у моря.'],
    ['iso-8859-5', 'bcd0efda20e1d8ddd8d92e20b4dedcd8da20e0ebd1d0dad020e1e2ded8e220e320dcdee0ef2e', 'Маяк синий. Домик рыбака стоит у моря.'],
    ['ibm866', '8ca0efaa20e1a8ada8a92e2084aeaca8aa20e0eba1a0aaa020e1e2aea8e220e320acaee0ef2e', 'Маяк синий. Домик рыбака стоит у моря.'],
    ['windows-874', 'bbc3d0c0d2a4d2c3cad5b9e9d3e0a7d4b9', 'ประภาคารสีน้ำเงิน'],
    ['euc-kr', 'baceb5cec0c720b5eeb4ebb4c220b3ecbbf6c0d4b4cfb4d92e', '부두의 등대는 녹색입니다.'],
    ['euc-kr', 'bec8b3e7c7cfbcbcbfe4', '안녕하세요'],
    ['shift_jis', '8d6082cc939491e482cd97ce904682c582b78142', '港の灯台は緑色です。'],
    ['shift_jis', '82b182f182c982bf82cd', 'こんにちは'],
    ['euc-jp', 'b9c1a4cec5f4c2e6a4cfced0bfa7a4c7a4b9a1a3', '港の灯台は緑色です。'],
    ['gb18030', 'c2ebcdb7b5c4b5c6cac7c2ccc9abb5c4a1a3bbe1d2e9d4dad0c7c6dab6fea1a3', '码头的灯是绿色的。会议在星期二。'],
    ['big5', 'bd58c059aababf4fac4fbaf1a6e2aabaa143b77cc4b3a662ac50b4c1a447a457a4c8a143', '碼頭的燈是綠色的。會議在星期二上午。'],
    ['windows-1251', 'cce0ffea20ede020eff0e8f7e0ebe520e7e5ebb8edfbe92e', 'Маяк на причале зелёный.'],
    ['koi8-r', 'edc1d1cb20cec120d0d2c9dec1ccc520dac5cca3ced9ca2e', 'Маяк на причале зелёный.'],
    [
      'iso-8859-2',
      '5a61bff3b3e62067eab66cb1206a61bcf12c206c617461726e6961206e61206d6f6c6f206a657374207a69656c6f6e612e',
      'Zażółć gęślą jaźń, latarnia na molo jest zielona.',
    ],
  ])('reads %s', async (encoding, hex, text) => {
    expect(await decodeText(Buffer.from(hex, 'hex'))).toEqual({ text, notes: [`not valid UTF-8; decoded as ${encoding}`] });
  });

  it('believes a page that names its encoding', async () => {
    const page = Buffer.concat([Buffer.from('<html><head><meta charset="euc-kr"></head><p>'), Buffer.from('b5eeb4eb', 'hex')]);
    expect(await decodeText(page)).toMatchObject({ text: expect.stringContaining('등대') });
  });
});
