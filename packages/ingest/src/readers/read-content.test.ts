import { describe, expect, it } from 'vitest';
import { readContent } from './read-content.ts';

describe('readContent', () => {
  const chat = '{"role":"user","content":"a"}\n{"role":"user","content":"b"}';
  it.each([
    ['chat.jsonl', chat, 2],
    ['chat.NDJSON', chat, 2],
    ['chat.json', `[${chat.replace('\n', ',')}]`, 2],
    [undefined, chat, 2],
    [undefined, `[${chat.replace('\n', ',')}]`, 2],
    [undefined, '{ this is no JSON', 0],
    ['chat.txt', chat, 0],
    ['data.json', '{"a":1}', 0],
    ['data.jsonl', '{"title":"t","text":"x"}', 0],
    ['Makefile', 'all:', 0],
    ['x.unknown', 'text', 0],
  ])('reads %s', async (name, text, messages) => {
    const read = await readContent(text, name);
    if ('refused' in read) throw new Error(read.refused);
    expect(read.messages).toHaveLength(messages);
    const texts = read.documents.map((document) =>
      typeof document.text === 'string' ? document.text : document.text.map((part) => part.text).join(''),
    );
    expect(texts).toEqual(messages === 0 ? [text] : []);
  });
});
