import { type ChatMessage, createConversation, type Summariser } from '@tandem-memory/core';
import { TiktokenCounter } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';

const counter = await TiktokenCounter.load();
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });
const contents = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content);

describe('what is no message', () => {
  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'messages[0]'],
    ['null', null, 'messages[0]'],
    ['a text', 'hello', 'messages[0]'],
    ['a number in a list', [user('x'), 5], 'messages[1]'],
    ["a message of OpenAI's API", { role: 'assistant', content: null, tool_calls: [] }, 'fromOpenAi'],
    ['a developer message', { role: 'developer', content: 'x' }, 'fromOpenAi'],
    ['a message in parts', { role: 'user', content: [{ type: 'text', text: 'x' }] }, 'messages[0].content'],
    ['a BigInt in its metadata', { ...user('x'), metadata: { a: 1n } }, 'messages[0].metadata.a'],
  ])('is refused by name: %s', async (_, message, named) => {
    const conversation = createConversation({ userId: 'ada', counter });
    await expect(conversation.add(message as ChatMessage)).rejects.toMatchObject({ code: 'INPUT_INVALID', message: expect.stringContaining(named) });
    expect(await conversation.history()).toEqual([]);
  });
});

describe('a message', () => {
  it('may leave its optional fields undefined', async () => {
    const conversation = createConversation({ userId: 'ada', counter });
    await conversation.add({ role: 'user', content: 'x', name: undefined, id: undefined, metadata: undefined } as unknown as ChatMessage);
    expect((await conversation.history()).map(({ at: _, ...message }) => message)).toEqual([user('x')]);
  });

  it('with halves of surrogate pairs, which no model takes, is mended before it is kept', async () => {
    const half = 'a\ud83c';
    const call: ChatMessage = { role: 'assistant', content: half, toolCalls: [{ id: half, name: half, arguments: half }] };
    const conversation = createConversation({ userId: 'ada', counter });
    await conversation.add([
      { ...user(half), name: half, id: half, metadata: { [half]: half } },
      call,
      { role: 'tool', content: half, toolCallId: half },
    ]);
    const messages = await conversation.messages();
    expect(messages).toHaveLength(3);
    expect(JSON.stringify([messages, await conversation.history()])).not.toContain('\\ud83c');
  });
});

describe('a summary', () => {
  const by = (text: unknown): Summariser => ({ id: 'own', summarise: async () => text as string });
  const talk = Array.from({ length: 4 }, (_, i) => [user(`Question ${i}?`), assistant(`Answer ${i}.`)]).flat();

  it.each([
    ['nothing', ''],
    ['white space', ' \n'],
    ['null', null],
  ])('of %s is none: the extractive one stands in, and that is said', async (_, text) => {
    const conversation = createConversation({ userId: 'ada', counter, summary: { summariser: by(text), triggerMessages: 4, keepMessages: 2 } });
    const reports = [];
    for (const message of talk) reports.push(await conversation.add(message));
    expect(reports.flatMap(({ degraded }) => degraded)).toContain('summary without a model (MODEL_OUTPUT_UNUSABLE)');
    expect(await conversation.summary()).toContain('Question 0?');
  });

  it('that takes no notice of its limit is shortened, so that it is shown', async () => {
    const window = { maxTokens: 200 };
    const summary = { summariser: by('word '.repeat(5_000)), triggerMessages: 4, keepMessages: 2, maxTokens: 50 };
    const conversation = createConversation({ userId: 'ada', counter, window, summary });
    for (const message of talk) await conversation.add(message);
    expect(counter.count((await conversation.summary()) ?? '')).toBeLessThanOrEqual(50);
    const { summaryOmitted, tokens } = await conversation.view();
    expect(summaryOmitted).toBe(false);
    expect(tokens.total).toBeLessThanOrEqual(200);
  });

  it.each<[string, boolean, readonly ChatMessage[]]>([
    ['greetings', false, [user('Hi'), assistant('Hello'), user('Bye'), assistant('Bye')]],
    [
      'weighty turns',
      true,
      Array.from({ length: 10 }, (_, i) => [user(`I decided to paint wall ${i} blue, by Friday.`), assistant('Noted.')]).flat(),
    ],
    ['code', true, [user('<div>'.repeat(60)), assistant('<b>'), user('Next?')]],
  ])('asked for by compact() never makes a talk longer: %s', async (_, worthwhile, messages) => {
    const conversation = createConversation({ userId: 'ada', counter });
    await conversation.add(messages);
    const { summarised, tokensBefore, tokensAfter } = await conversation.compact();
    expect(summarised > 0).toBe(worthwhile);
    if (worthwhile) expect(tokensAfter).toBeLessThan(tokensBefore);
    else expect(contents(await conversation.messages())).toEqual(contents(messages));
  });
});
