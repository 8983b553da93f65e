import { type ChatMessage, createConversation, type WindowOptions } from '@tandem-memory/core';
import { CharacterCounter, TiktokenCounter } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';

const counter = await TiktokenCounter.load();

const S: ChatMessage = { role: 'system', content: 'You are a ferry clerk.' };
const U1: ChatMessage = { role: 'user', content: 'When is the next boat?' };
const A1: ChatMessage = { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'timetable', arguments: '{}' }] };
const T1: ChatMessage = { role: 'tool', toolCallId: 'c1', content: '14:20' };
const A2: ChatMessage = { role: 'assistant', content: 'At 14:20.' };
const U2: ChatMessage = { role: 'user', content: 'And after that?' };

async function conversationOf(messages: readonly ChatMessage[], window: WindowOptions) {
  const conversation = createConversation({ userId: 'ada', counter, window });
  await conversation.add(messages);
  return conversation;
}

async function shown(messages: readonly ChatMessage[], window: WindowOptions): Promise<ChatMessage[]> {
  const conversation = await conversationOf(messages, window);
  return (await conversation.messages()).map(({ at: _, ...message }) => message);
}

describe('a window whose edge falls inside a tool exchange', () => {
  const all = [S, U1, A1, T1, A2, U2];

  it('shows everything where it fits, unchanged', async () => {
    expect(await shown(all, { maxMessages: 5 })).toEqual(all);
  });

  it.each([4, 3, 2, 1])('of %i messages begins with a user message after the system message', async (maxMessages) => {
    expect(await shown(all, { maxMessages })).toEqual([S, U2]);
  });

  it.each<[string, ChatMessage[], ChatMessage[]]>([
    ['nothing', [], []],
    ['a system message', [S], [S]],
    ['a result without its call', [S, T1], [S]],
    ['a call alone', [A1], []],
  ])('takes %s', async (_, messages, expected) => {
    expect(await shown(messages, { maxMessages: 3 })).toEqual(expected);
  });

  it('keeps a call that waits at the end, and shows no half-answered one', async () => {
    const two: ChatMessage = { ...A1, toolCalls: [...(A1.toolCalls ?? []), { id: 'c2', name: 'weather', arguments: '{}' }] };
    const T2: ChatMessage = { role: 'tool', toolCallId: 'c2', content: 'rain' };
    expect(await shown([S, U1, two], {})).toEqual([S, U1, two]);
    expect(await shown([S, U1, two, T2], {})).toEqual([S, U1]);
    expect(await shown([S, U1, two, T2, T1], {})).toEqual([S, U1, two, T2, T1]);
    expect(await shown([S, U1, two, T2, T1, A2, U2], { maxMessages: 5 })).toEqual([S, U2]);
  });
});

describe('one message larger than the budget, and the system message', () => {
  const guide: ChatMessage = { role: 'system', content: 'You are a garden guide. Answer in short, plain words.' };
  const pond: ChatMessage = { role: 'system', content: 'You are a pond guide.' };
  const giant: ChatMessage = { role: 'user', content: 'moss '.repeat(5_000) };
  const total = (messages: readonly ChatMessage[]) => messages.reduce((sum, message) => sum + counter.count(message.content), 0);
  const contents = (messages: readonly ChatMessage[]) => messages.map((message) => message.content);

  it('shortens the giant with a visible mark, then shows the newest in full', async () => {
    const conversation = await conversationOf([guide, giant], { maxTokens: 50 });
    const first = await conversation.messages();
    expect(first[0]?.content).toBe(guide.content);
    expect(first[1]?.content).toMatch(/^moss moss .*\[… \d+ characters left out …\].* moss/);
    expect(total(first)).toBeLessThanOrEqual(50);

    await conversation.add([
      { role: 'assistant', content: 'Noted.' },
      { role: 'user', content: 'Is moss good for roses?' },
    ]);
    const second = await conversation.messages();
    expect(contents(second)).toEqual([guide.content, 'Is moss good for roses?']);
    expect(total(second)).toBeLessThanOrEqual(50);
    expect((await conversation.history())[1]?.content).toBe(giant.content);
  });

  it('keeps one system message: the same is ignored, another replaces it', async () => {
    const conversation = await conversationOf([guide, { role: 'user', content: 'Hello.' }], { maxTokens: 50 });
    expect(await conversation.add(guide)).toMatchObject({ added: 0 });
    expect(contents(await conversation.messages())).toEqual([guide.content, 'Hello.']);
    expect(await conversation.add(pond)).toMatchObject({ added: 1 });
    expect(contents(await conversation.messages())).toEqual([pond.content, 'Hello.']);
    await conversation.add([guide, pond]);
    expect(contents(await conversation.messages())).toEqual([pond.content, 'Hello.']);
  });

  it('refuses a budget smaller than the system message when read, and takes messages all the same', async () => {
    const conversation = await conversationOf([guide, giant], { maxTokens: 5 });
    await expect(conversation.messages()).rejects.toMatchObject({ code: 'BUDGET_TOO_SMALL', message: expect.stringContaining('maxTokens') });
    expect(await conversation.history()).toHaveLength(2);
  });

  it('counts by characters where a model has no encoding at hand: 1.5 a token for Korean', async () => {
    const korean = new CharacterCounter(1.5);
    const conversation = createConversation({ userId: 'ada', counter: korean, window: { maxTokens: 30 } });
    await conversation.add(
      ['첫 번째 질문은 이것입니다.', '두 번째 질문은 저것입니다.', '세 번째는요?'].map((content) => ({ role: 'user', content })),
    );
    const { messages, tokens } = await conversation.view();
    expect(contents(messages)).toEqual(['두 번째 질문은 저것입니다.', '세 번째는요?']);
    expect(tokens.total).toBeLessThanOrEqual(30);
  });
});

describe('text that spells control tokens', () => {
  const text =
    'The file ends with <|endoftext|> and a chat starts with <|im_start|>system\nBe brief.<|im_end|>. A gap is <|fim_prefix|>. Use <|endofprompt|> last.';

  it.each(['user', 'system', 'assistant'] as const)('is kept letter for letter as a %s message, and counts as text', async (role) => {
    const conversation = await conversationOf(
      [
        { role: 'user', content: 'q' },
        { role, content: text },
      ],
      { maxTokens: 500 },
    );
    const { messages, tokens } = await conversation.view();
    expect(messages.filter((message) => message.content === text)).toHaveLength(1);
    expect(tokens.total).toBeGreaterThan(counter.count(text.replaceAll(/<\|\w+\|>/g, '')) + 5);
  });

  it('is shortened like any text', async () => {
    const conversation = await conversationOf([{ role: 'user', content: text.repeat(50) }], { maxTokens: 60 });
    const [message] = await conversation.messages();
    expect(message?.content.startsWith('The file ends with <|endoftext|>')).toBe(true);
    expect(counter.count(message?.content ?? '')).toBeLessThanOrEqual(60);
  });
});
