import { type ChatMessage, type ConversationOptions, createConversation, type LongTermMemory, MemoryError } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { rulesExtractor, TiktokenCounter } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { openTestMemory } from '../pipeline/open-test-memory.ts';

const counter = await TiktokenCounter.load();
const user = (content: string): ChatMessage => ({ role: 'user', content });
const assistant = (content: string): ChatMessage => ({ role: 'assistant', content });

function open(options: Partial<ConversationOptions> = {}, memory: LongTermMemory = openTestMemory({ extractor: rulesExtractor() }).memory) {
  const clock = new FixedClock('2026-03-01T10:00:00.000Z');
  return { memory, clock, conversation: createConversation({ userId: 'ada', sessionId: 's1', counter, memory, clock, ...options }) };
}

describe('what leaves the window', () => {
  it('is summarised and stored with user, type, number of messages and times, and comes back through recall', async () => {
    const { memory, clock } = openTestMemory({ extractor: rulesExtractor() });
    const conversation = createConversation({ userId: 'ada', sessionId: 's1', counter, memory, clock, window: { maxMessages: 4 }, archive: {} });
    await conversation.add([user('The harbour code is 4711, never share it.'), assistant('I will keep the harbour code 4711.')]);
    clock.advance(60_000);
    let archived = 0;
    for (let index = 0; index < 3; index++)
      archived += (await conversation.add([user(`Nice weather ${index}.`), assistant(`Yes ${index}.`)])).archived;
    expect(archived).toBe(4);
    const stored = await memory.episodes({ userId: 'ada' });
    const summary = stored.find((episode) => episode.content.includes('harbour code is 4711'));
    expect(stored).toHaveLength(2);
    expect(summary).toMatchObject({
      userId: 'ada',
      sessionId: 's1',
      role: 'assistant',
      state: 'verbatim',
      at: '2026-06-15T12:00:00.000Z',
      metadata: { type: 'conversation-summary', messageCount: 2, from: '2026-06-15T12:00:00.000Z', to: '2026-06-15T12:00:00.000Z', by: 'extractive' },
    });
    const recalled = await conversation.recall('What is the harbour code?');
    expect(recalled.items[0]?.text).toContain('4711');
    expect(recalled.items.length).toBeLessThanOrEqual(5);
    const strangers = await createConversation({ userId: 'bob', counter, memory }).recall('What is the harbour code?');
    expect(strangers.items).toEqual([]);
  });

  it('is stored as turns where that is asked: once, in order, without system and tool messages', async () => {
    const { memory, clock } = openTestMemory({ extractor: rulesExtractor() });
    const conversation = createConversation({ userId: 'ada', counter, memory, clock, window: { maxMessages: 2 }, archive: { what: 'turns' } });
    const call: ChatMessage = { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look', arguments: '{}' }] };
    await conversation.add([
      { role: 'system', content: 'Be brief.' },
      user('One?'),
      call,
      { role: 'tool', toolCallId: 'a', content: 'x' },
      assistant('1.'),
    ]);
    await conversation.add([user('Two?'), assistant('2.'), user('Three?')]);
    await conversation.add(assistant('3.'));
    const stored = (await memory.episodes({ userId: 'ada' })).sort((a, b) => a.position - b.position);
    expect(stored.map((episode) => `${episode.role}: ${episode.content}`)).toEqual(['user: One?', 'assistant: 1.', 'user: Two?', 'assistant: 2.']);
    expect(stored.every((episode) => episode.metadata['type'] === 'conversation-turn')).toBe(true);
  });

  it('goes there every so many turns too, without the question that is still open, and is not recalled while it is shown', async () => {
    const { conversation, memory } = open({ archive: { what: 'turns', everyTurns: 2 } });
    expect(await conversation.add([user('My boat is called Heron.'), assistant('Nice.')])).toMatchObject({ archived: 0 });
    expect(await conversation.add(user('Heron is blue.'))).toMatchObject({ archived: 0 });
    expect(await conversation.add(assistant('Noted.'))).toMatchObject({ archived: 4 });
    const query = 'What colour is the boat Heron?';
    expect((await memory.retrieve(query, { userId: 'ada' })).items.length).toBeGreaterThan(0);
    expect((await conversation.recall(query, { threshold: 0 })).items).toEqual([]);
    await conversation.clear();
    expect((await conversation.recall(query, { threshold: 0 })).items.map((item) => item.text)).toContain('Heron is blue.');
  });

  it('waits where the memory fails, is said to wait, and goes with the next step, once', async () => {
    const { memory } = openTestMemory({ extractor: rulesExtractor() });
    let fails = true;
    const failing: LongTermMemory = {
      store: async (input, options) => {
        if (fails) throw new MemoryError('GRAPH_UNAVAILABLE', 'down');
        return memory.store(input, options);
      },
      retrieve: (query, options) => memory.retrieve(query, options),
    };
    const { conversation } = open({ window: { maxMessages: 2 }, archive: { what: 'both' } }, failing);
    await conversation.add([user('The key is under the mat.'), assistant('Ok.')]);
    expect(await conversation.add([user('Next.'), assistant('Ok.')])).toMatchObject({
      added: 2,
      archived: 0,
      degraded: [expect.stringContaining('GRAPH_UNAVAILABLE')],
    });
    fails = false;
    expect(await conversation.add(user('And?'))).toMatchObject({ archived: 4, degraded: [] });
    const stored = await memory.episodes({ userId: 'ada' });
    expect(stored.filter((episode) => episode.content === 'The key is under the mat.')).toHaveLength(1);
  });

  it('is archived once also where a process died between storing and noting it', async () => {
    const { memory, clock } = openTestMemory({ extractor: rulesExtractor() });
    const { InMemoryChatStore } = await import('@tandem-memory/core');
    const store = new InMemoryChatStore();
    const forgetful = Object.assign(Object.create(store) as InstanceType<typeof InMemoryChatStore>, {
      get: store.get.bind(store),
      update: async (...[id, entries]: Parameters<typeof store.update>) => {
        if (entries[0]?.type === 'archived') throw new MemoryError('STORAGE_BUSY', 'died here');
        await store.update(id, entries);
      },
    });
    const options = { userId: 'ada', counter, memory, clock, archive: { what: 'turns' as const, everyTurns: 1 } };
    const dying = createConversation({ ...options, store: forgetful });
    expect((await dying.add([user('Hi there.'), assistant('Hello.')])).degraded).toHaveLength(1);
    expect((await createConversation({ ...options, store }).add(user('More.'))).archived).toBe(2);
    const stored = (await memory.episodes({ userId: 'ada' })).sort((a, b) => a.position - b.position);
    expect(stored.map((episode) => episode.content)).toEqual(['Hi there.', 'Hello.']);
  });

  it('can be remembered by hand: remember, recall, answer', async () => {
    const { conversation } = open();
    await conversation.add([user('I moved from Lindby to Corran.'), assistant('How is Corran?')]);
    expect(await conversation.remember()).toMatchObject({ archived: 2 });
    expect(await conversation.remember()).toMatchObject({ archived: 0 });
    await conversation.clear();
    await conversation.add(user('Where did I move to, Lindby or Corran?'));
    const { items } = await conversation.recall();
    expect(items.map((item) => item.text)).toContain('I moved from Lindby to Corran.');
  });
});
