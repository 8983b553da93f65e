import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../domain/chat-message.ts';
import { MemoryError } from '../errors.ts';
import { messageTokens } from './message-tokens.ts';
import { selectWindow, type WindowOptions, type WindowView } from './window.ts';

const counter = { id: 'words', count: (text: string) => text.split(/\s+/).filter((word) => word !== '').length };

const text = fc.oneof(
  fc.lorem({ maxCount: 12 }),
  fc.constantFrom('', 'ok', '결정: 여기서 멈춘다.', '😀'.repeat(9), '<|endoftext|> <|im_start|>system', 'We decided: never cut. The error is fixed.'),
  fc.integer({ min: 1, max: 400 }).map((times) => 'moss '.repeat(times)),
);
const callId = fc.constantFrom('c1', 'c2', 'c3', 'c4');
/** Anything that may stand in a log: whole exchanges, and messages of two writers, retries and bugs in any order. */
const anyMessage: fc.Arbitrary<ChatMessage> = fc.oneof(
  { weight: 4, arbitrary: text.map((content): ChatMessage => ({ role: 'user', content })) },
  { weight: 4, arbitrary: text.map((content): ChatMessage => ({ role: 'assistant', content })) },
  { weight: 2, arbitrary: fc.tuple(text, callId).map(([content, toolCallId]): ChatMessage => ({ role: 'tool', content, toolCallId })) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(text, fc.uniqueArray(callId, { minLength: 1, maxLength: 3 }))
      .map(([content, ids]): ChatMessage => ({ role: 'assistant', content, toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })) })),
  },
);
const exchange: fc.Arbitrary<ChatMessage[]> = fc
  .tuple(fc.uniqueArray(callId, { minLength: 1, maxLength: 3 }), text)
  .chain(([ids, content]) =>
    fc
      .shuffledSubarray(ids, { minLength: ids.length })
      .map((answered) => [
        { role: 'assistant', content: '', toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })) },
        ...answered.map((toolCallId): ChatMessage => ({ role: 'tool', content, toolCallId })),
      ]),
  );
const conversation = fc
  .array(fc.oneof({ weight: 3, arbitrary: anyMessage.map((message) => [message]) }, { weight: 2, arbitrary: exchange }), { maxLength: 14 })
  .map((parts) => parts.flat());
const options: fc.Arbitrary<WindowOptions> = fc.record(
  {
    maxMessages: fc.integer({ min: 1, max: 12 }),
    maxTokens: fc.integer({ min: 1, max: 300 }),
    keep: fc.constantFrom('newest' as const, 'important' as const),
    startWithUser: fc.boolean(),
    systemFirst: fc.boolean(),
  },
  { requiredKeys: [] },
);
const system: ChatMessage = { role: 'system', content: 'You are a garden guide.' };
const summary: ChatMessage = { role: 'user', content: 'summary: they talked about moss' };

function property(check: (messages: readonly ChatMessage[], chosen: WindowOptions, view: WindowView) => void): void {
  fc.assert(
    fc.property(conversation, options, fc.boolean(), (messages, chosen, withSummary) => {
      let view: WindowView;
      try {
        view = selectWindow(
          { messages, system: { message: system, position: Math.min(2, messages.length) }, ...(withSummary ? { summary } : {}) },
          chosen,
          counter,
        );
      } catch (error) {
        if (!MemoryError.isInstance(error)) throw error;
        // The only way to refuse: a number of tokens in which the system message and the last message, shortened, have no room.
        expect(error.code).toBe('BUDGET_TOO_SMALL');
        expect(chosen.maxTokens).toBeLessThan(80);
        return;
      }
      check(messages, chosen, view);
    }),
    { numRuns: 1500 },
  );
}

const body = (view: WindowView) => view.messages.filter((message) => message !== system && message !== summary);

describe('window of any conversation', () => {
  it('never shows a result without its call or a call with a part of its results', () => {
    property((messages, _, view) => {
      const shown = body(view);
      for (let index = 0; index < shown.length; ) {
        const message = shown[index];
        expect(message?.role).not.toBe('tool');
        const ids = new Set(message?.toolCalls?.map((call) => call.id));
        const wanted = ids.size;
        index++;
        let found = 0;
        for (; shown[index]?.role === 'tool'; index++, found++) expect(ids.delete(shown[index]?.toolCallId ?? '')).toBe(true);
        const waitsAtTheEnd = found === 0 && index === shown.length && view.shown.at(-1) === messages.length - 1;
        if (!waitsAtTheEnd) expect(found).toBe(wanted);
      }
    });
  });

  it('is never over budget, and counts what it shows', () => {
    property((_, { maxMessages, maxTokens }, view) => {
      expect(view.tokens.total).toBe(view.messages.reduce((sum, message) => sum + messageTokens(message, counter), 0));
      expect(view.tokens.total).toBeLessThanOrEqual(maxTokens ?? Number.POSITIVE_INFINITY);
      expect(body(view).length).toBeLessThanOrEqual(maxMessages ?? Number.POSITIVE_INFINITY);
    });
  });

  it('keeps the system message, once and first where that is asked', () => {
    property((_, { systemFirst }, view) => {
      expect(view.messages.filter((message) => message.role === 'system')).toEqual([system]);
      if (systemFirst !== false) expect(view.messages[0]).toBe(system);
    });
  });

  it('keeps the order, and every message is either shown or listed with a reason', () => {
    property((messages, _, view) => {
      expect(view.shown).toEqual([...view.shown].sort((a, b) => a - b));
      expect([...view.shown, ...view.omitted.map((item) => item.position)].sort((a, b) => a - b)).toEqual([...messages.keys()]);
      for (const [index, message] of body(view).entries()) {
        const position = view.shown[index] ?? -1;
        if (!view.shortened.includes(position)) expect(message).toBe(messages[position]);
        else {
          expect(message.content).toMatch(/\[… \d+ characters left out …\]/);
          expect({ ...message, content: '' }).toEqual({ ...messages[position], content: '' });
        }
      }
    });
  });

  it('never begins with an assistant or tool message where that is asked', () => {
    property((_, { startWithUser }, view) => {
      const first = body(view)[0];
      if (startWithUser !== false && first !== undefined) expect(first.role).toBe('user');
    });
  });

  it('always shows the newest message where it is a user message', () => {
    property((messages, _, view) => {
      if (messages.at(-1)?.role === 'user') expect(view.shown.at(-1)).toBe(messages.length - 1);
    });
  });

  it('is the whole conversation where there is room and nothing is broken', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            text.map((content): ChatMessage[] => [{ role: 'user', content }]),
            exchange,
          ),
          { maxLength: 10 },
        ),
        (parts) => {
          const messages = parts.flat();
          expect(selectWindow({ messages }, { startWithUser: false }, counter).messages).toEqual(messages);
        },
      ),
    );
  });
});
