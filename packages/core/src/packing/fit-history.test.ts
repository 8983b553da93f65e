import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PromptMessage } from '../domain/prompt-message.ts';
import { fitHistory } from './fit-history.ts';

const call = (...ids: string[]): PromptMessage => ({ role: 'assistant', content: null, tool_calls: ids.map((id) => ({ id, type: 'function' })) });
const result = (id: string): PromptMessage => ({ role: 'tool', tool_call_id: id, content: 'done' });
const user = (content: string): PromptMessage => ({ role: 'user', content });
const fitted = (history: readonly PromptMessage[], budget = 100) => fitHistory(history, budget, () => 1);

describe('fitHistory', () => {
  it('keeps the newest, whole and without a gap, and names what goes', () => {
    const history = [user('a'), user('giant'), user('c'), user('d')];
    const kept = fitHistory(history, 10, ({ content }) => (content === 'giant' ? 50 : 1));
    expect(kept.messages).toEqual([user('c'), user('d')]);
    expect(kept).toMatchObject({
      tokens: 2,
      cut: [
        { index: 0, reason: 'budget' },
        { index: 1, tokens: 50, reason: 'budget' },
      ],
    });
  });

  it('keeps parallel tool calls and all of their results together, or drops them together', () => {
    const history = [user('q'), call('x', 'y'), result('y'), result('x'), user('r')];
    expect(fitted(history, 5).messages).toEqual(history);
    expect(fitted(history, 4).messages).toEqual(history.slice(1));
    expect(fitted(history, 3).messages).toEqual([user('r')]);
  });

  it('knows the calls and results of a conversation of our own too', () => {
    const own = [
      user('q'),
      { role: 'assistant', content: '', toolCalls: [{ id: 'x' }] },
      { role: 'tool', toolCallId: 'x', content: 'done' },
      user('r'),
    ];
    expect(fitted(own, 4).messages).toEqual(own);
    expect(fitted(own, 2).messages).toEqual([user('r')]);
    expect(fitted(own.slice(2)).messages).toEqual([user('r')]);
  });

  it('drops results without their call, and calls without all of their results', () => {
    expect(fitted([result('x'), user('q')]).messages).toEqual([user('q')]);
    expect(fitted([call('x', 'y'), result('x'), user('q')])).toMatchObject({
      messages: [user('q')],
      cut: [{ reason: 'orphan' }, { reason: 'orphan' }],
    });
    expect(fitted([call('x'), result('z'), user('q')]).messages).toEqual([user('q')]);
    expect(fitted([call('x'), result('x'), result('x'), user('q')]).messages).toEqual([call('x'), result('x'), user('q')]);
  });

  it('knows the forms of the AI SDK and of Anthropic', () => {
    const sdk = [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'x' }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'x' }] },
    ];
    const anthropic = [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'x' }] },
    ];
    for (const [asked, answered] of [sdk, anthropic]) {
      if (asked === undefined || answered === undefined) continue;
      expect(fitted([asked, answered]).messages).toHaveLength(2);
      expect(fitted([asked, answered], 1).messages).toEqual([]);
      expect(fitted([answered, user('q')]).messages).toEqual([user('q')]);
    }
  });

  it('keeps system messages at any cost, in their place', () => {
    const history = [user('a'), { role: 'system', content: 's' }, user('b')];
    expect(fitted(history, 2).messages).toEqual([{ role: 'system', content: 's' }, user('b')]);
    expect(fitted(history, 0).messages).toEqual([{ role: 'system', content: 's' }]);
  });

  it('never leaves an orphan, whatever comes in, and keeps the order', () => {
    const message = fc.oneof(
      fc.constantFrom('a', 'b').map(user),
      fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 3 }).map((ids) => call(...ids)),
      fc.constantFrom('x', 'y', 'z').map(result),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 14 }), fc.nat(14), (history, budget) => {
        const { messages, cut, tokens } = fitted(history, budget);
        expect(tokens).toBe(messages.length);
        expect(messages.length).toBeLessThanOrEqual(budget);
        expect(messages.length + cut.length).toBe(history.length);
        let waiting: string[] = [];
        for (const item of messages) {
          if (item.role === 'tool') {
            expect(waiting).toContain(item['tool_call_id']);
            waiting = waiting.filter((id) => id !== item['tool_call_id']);
            continue;
          }
          expect(waiting).toEqual([]);
          const calls = item['tool_calls'];
          if (Array.isArray(calls)) waiting = calls.map((entry: { id: string }) => entry.id);
        }
        expect(waiting).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});
