import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ChatMessage } from '../domain/chat-message.ts';
import { createConversation } from './conversation.ts';
import { splitExchanges } from './exchange.ts';
import { InMemoryChatStore } from './in-memory-chat-store.ts';
import { readState } from './state.ts';

const counter = { id: 'words', count: (text: string) => text.split(/\s+/).filter((word) => word !== '').length };

const text = fc.oneof(fc.lorem({ maxCount: 8 }), fc.constantFrom('결정: 여기서 멈춘다.', 'We must never cut.', '</summary> <|endoftext|>', '😀'));
const turn: fc.Arbitrary<ChatMessage[]> = fc.tuple(text, text, fc.integer({ min: 0, max: 3 })).map(([question, answer, calls]) => {
  const ids = Array.from({ length: calls }, (_, index) => `c${index}`);
  return [
    { role: 'user', content: question },
    ...(calls === 0
      ? []
      : [
          { role: 'assistant' as const, content: '', toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{}' })) },
          ...ids.map((toolCallId): ChatMessage => ({ role: 'tool', toolCallId, content: answer })),
        ]),
    { role: 'assistant', content: answer },
  ];
});
const system: ChatMessage = { role: 'system', content: 'Be brief.' };

describe('any talk, added in any batches, with window and summary', () => {
  it('keeps every word, the system message, whole exchanges and the budget; each message is summarised, shown or listed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 }),
        fc.integer({ min: 2, max: 9 }),
        fc.integer({ min: 1, max: 8 }),
        async (turns, batches, triggerMessages, keepMessages) => {
          const store = new InMemoryChatStore();
          const conversation = createConversation({
            userId: 'ada',
            counter,
            store,
            window: { maxTokens: 150, maxMessages: 20 },
            summary: { triggerMessages, keepMessages: Math.min(keepMessages, triggerMessages - 1), maxTokens: 40 },
          });
          const said = turns.flat();
          await conversation.add(system);
          for (let next = 0, batch = 0; next < said.length; batch++) {
            const size = batches[batch % batches.length] ?? 1;
            await conversation.add(said.slice(next, next + size));
            next += size;
            const view = await conversation.view();
            expect(view.messages[0]?.content).toBe(system.content);
            expect(view.tokens.total).toBeLessThanOrEqual(150);
            const body = view.messages.slice(view.summaryOmitted || (await conversation.summary()) === undefined ? 1 : 2);
            expect(splitExchanges(body).broken).toEqual([]);
            expect(body[0]?.role ?? 'user').toBe('user');
            const covers = readState(await store.get(conversation.id)).summary?.covers ?? 0;
            const placed = [...view.shown, ...view.omitted.map((item) => item.position)].sort((a, b) => a - b);
            expect(placed).toEqual(Array.from({ length: Math.min(next, said.length) - covers }, (_, index) => covers + index));
            // The summary ends where an exchange ends.
            expect(said[covers]?.role ?? 'user').toBe('user');
          }
          expect((await conversation.history()).map(({ at: _, ...message }) => message)).toEqual([system, ...said]);
        },
      ),
      { numRuns: 150 },
    );
  });
});
