import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from './readers/read-file.ts';
import { groupSessions } from './sessions.ts';

const say = (content: string, more: Partial<ChatMessage['message']> = {}, sessionId?: string): ChatMessage => ({
  message: { role: 'user', content, ...more },
  ...(sessionId === undefined ? {} : { sessionId }),
});
const ids = (messages: readonly ChatMessage[], session?: string) =>
  groupSessions(messages, session).flatMap((group) => group.messages.map((message) => message.id));

describe('groupSessions', () => {
  it('groups by session in the order of their beginnings, and puts the rest into the default session', () => {
    const groups = groupSessions([say('a', {}, 's1'), say('b'), say('c', {}, 's2'), say('d', {}, 's1'), say('e', {}, 's2')], 's2');
    expect(groups.map((group) => [group.sessionId, group.messages.map((message) => message.content)])).toEqual([
      ['s1', ['a', 'd']],
      ['s2', ['b', 'c', 'e']],
    ]);
    expect(groupSessions([say('a')], undefined)).toEqual([{ messages: [expect.objectContaining({ content: 'a' })] }]);
  });

  it('tells equal turns apart, and turns of other speakers and times', () => {
    const messages = [say('ok'), say('ok'), say('ok', { name: 'Ada' }), say('ok', { at: '2026-01-01' }), say('ok', { role: 'assistant' }), say('ok')];
    expect(new Set(ids(messages)).size).toBe(6);
  });

  it("rests on the file's own ids too, and tells those apart that come twice or were edited", () => {
    const [first, second, third] = ids([say('a', { id: 'm1' }), say('b', { id: 'm1' }), say('c', { id: 'm2' })]);
    expect(new Set([first, second, third]).size).toBe(3);
    expect(ids([say('a', { id: 'm1' })])).toEqual([first]);
    expect(ids([say('a, edited', { id: 'm1' })])).not.toEqual([first]);
  });

  it('gives a turn the same id when the file grew, whatever stands between', () => {
    const turns = fc.array(fc.tuple(fc.constantFrom('ok', 'no', '네'), fc.constantFrom('s1', 's2', undefined)), { maxLength: 12 });
    fc.assert(
      fc.property(turns, turns, (before, after) => {
        const told = (list: typeof before) => list.map(([content, session]) => say(content, {}, session));
        const known = groupSessions(told(before), undefined);
        const grown = groupSessions(told([...before, ...after]), undefined);
        for (const session of known) {
          const same = grown.find((group) => group.sessionId === session.sessionId);
          expect(same?.messages.slice(0, session.messages.length)).toEqual(session.messages);
        }
      }),
    );
  });
});
