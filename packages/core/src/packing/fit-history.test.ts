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

  it('takes a call that its own message answers, as a tool of the provider does', () => {
    const part = (type: string, toolCallId: string) => ({ type, toolCallId });
    const own = { role: 'assistant', content: [part('tool-call', 't1'), part('tool-result', 't1'), { type: 'text', text: 'so' }] };
    expect(fitted([user('q'), own, user('r')])).toMatchObject({ messages: [user('q'), own, user('r')], cut: [] });
    const both = { role: 'assistant', content: [part('tool-call', 't1'), part('tool-result', 't1'), part('tool-call', 't2')] };
    const answer = { role: 'tool', content: [part('tool-result', 't2')] };
    expect(fitted([both, answer, user('r')]).messages).toEqual([both, answer, user('r')]);
    expect(fitted([both, user('r')]).messages).toEqual([user('r')]);
    expect(fitted([{ role: 'assistant', content: [part('tool-result', 't1')] }, user('r')]).messages).toEqual([user('r')]);
  });

  it('takes an answer that calls again together with both', () => {
    const again = {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'x' },
        { type: 'tool_use', id: 'y' },
      ],
    };
    const history = [call('x'), again, result('y'), user('r')];
    expect(fitted(history).messages).toEqual(history);
    expect(fitted(history, 3).messages).toEqual([user('r')]);
    expect(fitted([call('x'), again, user('r')]).messages).toEqual([user('r')]);
  });

  it('keeps the result of a legacy function call only with its call, which may have none', () => {
    const asks = (name: string): PromptMessage => ({ role: 'assistant', content: null, function_call: { name, arguments: '{}' } });
    const answers = (name: string): PromptMessage => ({ role: 'function', name, content: 'done' });
    const history = [user('q'), asks('weather'), answers('weather'), user('r')];
    expect(fitted(history).messages).toEqual(history);
    expect(fitted(history, 3).messages).toEqual(history.slice(1));
    expect(fitted(history, 2).messages).toEqual([user('r')]);
    expect(fitted([answers('weather'), user('r')])).toMatchObject({ messages: [user('r')], cut: [{ index: 0, reason: 'orphan' }] });
    expect(fitted([asks('time'), answers('weather'), user('r')]).messages).toEqual([asks('time'), user('r')]);
    expect(fitted([asks('time'), answers('time'), answers('time'), user('r')]).messages).toEqual([asks('time'), answers('time'), user('r')]);
    expect(fitted([{ ...user('q'), function_call: null }, answers('time')]).messages).toEqual([{ ...user('q'), function_call: null }]);
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
