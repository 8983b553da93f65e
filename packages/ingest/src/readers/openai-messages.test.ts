import { describe, expect, it } from 'vitest';
import { parseJson } from './json-value.ts';
import { readOpenAiMessages } from './openai-messages.ts';

describe('readOpenAiMessages', () => {
  it.each([
    ['[{"role":"user","content":"a"},{"role":"tool","content":"b"}]'],
    [' {"model":"m","messages":[{"role":"user","content":"a"},{"role":"tool","content":"b"}]}'],
  ])('reads %s', (text) => {
    expect(readOpenAiMessages(parseJson(text))?.messages.map((item) => [item.message.role, item.message.content])).toEqual([
      ['user', 'a'],
      ['tool', 'b'],
    ]);
  });

  it('reports a message it cannot read by its place', () => {
    const read = readOpenAiMessages(parseJson('[{"role":"user","content":"a"},{"role":"user","content":{}}]'));
    expect(read).toMatchObject({ leftOut: 1, notes: ['message 2 left out: no content'] });
  });

  it.each(['{"a":1}', '[1,2]', '[]', 'no json', '[{"role":', ''])('leaves %j to others', (text) => {
    expect(readOpenAiMessages(parseJson(text))).toBeUndefined();
  });
});
