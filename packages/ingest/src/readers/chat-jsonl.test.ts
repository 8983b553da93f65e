import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readChatLines } from './chat-jsonl.ts';

const readLine = (fields: object) => readChatLines(JSON.stringify(fields))?.messages[0];

describe('readChatLines', () => {
  it.each([
    ['team-chat', 248, 18],
    ['personal-chat', 131, 15],
  ])('reads the sample %s', (name, turns, sessions) => {
    const read = readChatLines(readFileSync(new URL(`../../../../examples/sample/${name}.jsonl`, import.meta.url), 'utf8'));
    expect(read).toMatchObject({ leftOut: 0, notes: [], documents: [] });
    expect(read?.messages).toHaveLength(turns);
    expect(new Set(read?.messages.map((item) => item.sessionId)).size).toBe(sessions);
    expect(read?.messages.every((item) => item.message.at !== undefined && item.message.metadata === undefined)).toBe(true);
  });

  it.each([
    [
      { role: 'user', content: 'a', name: 'Ada', at: '2026-03-01T09:00:00+01:00', session: 's', id: 'm1' },
      { name: 'Ada', at: '2026-03-01T09:00:00+01:00', id: 'm1' },
      's',
    ],
    [{ role: 'human', text: 'a', speaker: 'Ada', timestamp: '2026-03-01', session_id: 7 }, { name: 'Ada', at: '2026-03-01' }, '7'],
    [
      { role: 'AI', content: 'a', author: 'Bot', created_at: 1772352000, conversation_id: 's' },
      { role: 'assistant', name: 'Bot', at: '2026-03-01T08:00:00.000Z' },
      's',
    ],
    [{ role: 'user', content: 'a', ts: 1772352000123, thread: 's' }, { at: '2026-03-01T08:00:00.123Z' }, 's'],
    [{ role: 'user', content: 'a', ts: '1772352000.5' }, { at: '2026-03-01T08:00:00.500Z' }, undefined],
    [
      { speaker: 'Ada', text: 'a', dia_id: 'D1:3', caption: 'a boat' },
      { role: 'user', name: 'Ada', metadata: { sourceMessageId: 'D1:3', caption: 'a boat' } },
      undefined,
    ],
    [{ role: 'developer', content: 'a' }, { role: 'system' }, undefined],
    [{ role: 'user', content: 'a', metadata: { mood: 'calm' }, likes: 2 }, { metadata: { mood: 'calm', likes: 2 } }, undefined],
    [{ role: 'user', content: 'a', author: { id: 3 }, id: ' ', session: '' }, { metadata: { author: { id: 3 }, session: '' } }, undefined],
  ])('reads the fields of %j', (line, message, sessionId) => {
    const read = readLine(line);
    expect(read?.message).toEqual({ role: 'user', content: 'a', ...message });
    expect(read?.sessionId).toBe(sessionId);
  });

  it('reads lists of content parts, and says what it leaves out', () => {
    const read = readChatLines(JSON.stringify({ role: 'user', content: [{ type: 'text', text: 'one' }, { type: 'image_url' }, 'two'] }));
    expect(read?.messages[0]?.message.content).toBe('one\ntwo');
    expect(read?.notes).toEqual(['line 1: parts that are not text were left out']);
    expect(readLine({ role: 'assistant', content: null, tool_calls: [] })?.message.content).toBe('');
  });

  it('reports each broken line by its number and keeps the others', () => {
    const lines = [
      '{"role":"user","content":"한국어 🎉"}',
      '{"role":"user","conte',
      '',
      '[1]',
      '{"content":"x"}',
      '{"role":"moderator","content":"x"}',
      '{"role":"user"}',
      '{"role":"user","content":"y","date":"1:56 pm on 8 May"}',
      `{"role":"user","content":"z","id":"${'i'.repeat(2000)}"}`,
    ];
    const read = readChatLines(lines.join('\n'));
    expect(read?.messages.map((item) => item.message.content)).toEqual(['한국어 🎉', 'y']);
    expect(read?.messages[1]?.message.metadata).toEqual({ date: '1:56 pm on 8 May' });
    expect(read?.leftOut).toBe(6);
    expect(read?.notes.map((note) => note.slice(0, 26))).toEqual([
      'line 2 left out: not JSON',
      'line 4 left out: not an ob',
      'line 5 left out: no role',
      'line 6 left out: its role ',
      'line 7 left out: no conten',
      'line 8: its date is no ISO',
      'line 9 left out: its name,',
    ]);
  });

  it('bounds its notes, however many lines are broken', () => {
    const read = readChatLines(`{"role":"user","content":"a"}\n${'{\n'.repeat(5000)}`);
    expect(read?.leftOut).toBe(5000);
    expect(read?.notes).toHaveLength(21);
    expect(read?.notes.at(-1)).toBe('and 4980 more');
  });

  it('takes hostile fields for data', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const read = readChatLines(`{"role":"user","content":"a","__proto__":{"role":"x"},"constructor":1,"deep":${deep}}`);
    expect(Object.entries(read?.messages[0]?.message.metadata ?? {})).toEqual([
      ['__proto__', { role: 'x' }],
      ['constructor', 1],
    ]);
  });
});
