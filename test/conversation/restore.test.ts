import { join } from 'node:path';
import { type ChatMessage, createConversation, InMemoryChatStore } from '@tandem-memory/core';
import { CharacterCounter } from '@tandem-memory/models';
import { describe, expect, it } from 'vitest';
import { finished, start } from '../support/spawn.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openStore } from './open-store.ts';

const counter = new CharacterCounter(4);
const STRANGE = [
  'plain words',
  '한국어 문장 🥬 漢字',
  'line\nbreak\r\nand \u2028 more',
  'half \ud83d of a pair',
  '<|endoftext|> {name} $& "quoted" \\n',
  '',
  '  spaces  ',
];

function turns(count: number): ChatMessage[] {
  return Array.from({ length: count }, (_, index): ChatMessage[] => {
    const content = `${index} ${STRANGE[index % STRANGE.length]}`;
    const question: ChatMessage = { role: 'user', content, name: 'Mina', at: '2026-03-01T10:00:00+09:00' };
    if (index % 5 !== 0) return [question, { role: 'assistant', content: `re ${content}`, metadata: { index } }];
    const ids = [`a${index}`, `b${index}`];
    return [
      question,
      { role: 'assistant', content: '', toolCalls: ids.map((id) => ({ id, name: 'look', arguments: '{"q": "x"}' })) },
      ...ids.map((toolCallId): ChatMessage => ({ role: 'tool', toolCallId, content: `found ${content}` })),
      { role: 'assistant', content: `re ${content}` },
    ];
  }).flat();
}

interface Restored {
  readonly history: readonly ChatMessage[];
  readonly summary: string | undefined;
  readonly messages: readonly ChatMessage[];
}

describe.each(['sqlite', 'jsonl'])('a conversation in %s', (kind) => {
  it('of 200 turns is restored by another process word for word, its summary and window too', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, kind === 'sqlite' ? 'chat.db' : 'chats');
    const opened = openStore(kind, path);
    const said: ChatMessage[] = [{ role: 'system', content: 'Be brief.' }, ...turns(200)];
    const summary = { triggerMessages: 60, keepMessages: 20 };
    const conversation = createConversation({ userId: 'ada', sessionId: '한 talk/..', counter, store: opened.store, summary });
    for (let index = 0; index < said.length; index += 7) await conversation.add(said.slice(index, index + 7));
    const [messages, text] = [await conversation.messages(), await conversation.summary()];
    opened.close();

    const other = await finished(start('test/conversation/print-history.ts', [kind, path, '한 talk/..']));
    expect(other).toMatchObject({ status: 0, stderr: '' });
    const restored = JSON.parse(other.stdout) as Restored;
    // Halves of surrogate pairs, which no model takes, are U+FFFD from the beginning.
    const kept = said.map(({ at: _, ...message }) => ({ ...message, content: message.content.toWellFormed() }));
    expect(restored.history.map(({ at: _, ...message }) => message)).toEqual(kept);
    expect(restored.history.slice(1).every((message) => message.role !== 'user' || message.at === '2026-03-01T10:00:00+09:00')).toBe(true);
    expect(restored.summary).toBe(text);
    expect(text?.length).toBeGreaterThan(20);
    expect(restored.messages).toEqual(messages);
  });

  it('takes two processes that write at the same time; nothing is lost or torn', async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, kind === 'sqlite' ? 'chat.db' : 'chats');
    const writers = ['ann', 'bob'].map((name) => finished(start('test/conversation/write-messages.ts', [kind, path, name, '40'])));
    for (const writer of await Promise.all(writers)) expect(writer).toMatchObject({ status: 0, stderr: '' });
    const opened = openStore(kind, path);
    const history = await createConversation({ userId: 'ada', sessionId: 'shared', counter, store: opened.store }).history();
    opened.close();
    expect(history).toHaveLength(160);
    for (const name of ['ann', 'bob']) {
      const own = history.filter((message) => message.content.startsWith(name)).map((message) => message.content);
      expect(own).toEqual(Array.from({ length: 40 }, (_, index) => [`${name} asks ${index}`, `${name} answers ${index}`]).flat());
    }
  });
});

describe('two objects of one conversation', () => {
  it('see what the other said, and do a summary that both find due once', async () => {
    const store = new InMemoryChatStore();
    const open = () => createConversation({ userId: 'ada', counter, store, summary: { triggerMessages: 6, keepMessages: 2 } });
    const [ann, bob] = [open(), open()];
    await Promise.all([ann.add(turns(4).slice(1)), bob.add({ role: 'user', content: 'me too' }), ann.add({ role: 'user', content: 'and?' })]);
    expect(await ann.history()).toEqual(await bob.history());
    expect(await ann.summary()).toBe(await bob.summary());
    expect(await ann.messages()).toEqual(await bob.messages());
    expect(await ann.history()).toHaveLength(12);
  });

  it('take a message with an id once, also when both add it', async () => {
    const store = new InMemoryChatStore();
    const open = () => createConversation({ userId: 'ada', counter, store });
    const message: ChatMessage = { role: 'user', content: 'once', id: 'm1' };
    await Promise.all([open().add(message), open().add(message), open().add([message, message])]);
    expect(await open().history()).toHaveLength(1);
  });

  it('of which one cleared meanwhile: a summary made for the old talk means nothing in the new one', async () => {
    const store = new InMemoryChatStore();
    let cleared = false;
    const slow = {
      id: 'slow',
      async summarise() {
        if (!cleared) {
          cleared = true;
          await other.clear();
          await other.add([
            { role: 'user', content: 'new 1' },
            { role: 'assistant', content: 'new 2' },
            { role: 'user', content: 'new 3' },
          ]);
        }
        return 'OLD SUMMARY';
      },
    };
    const other = createConversation({ userId: 'ada', counter, store });
    const first = createConversation({ userId: 'ada', counter, store, summary: { summariser: slow, triggerMessages: 4, keepMessages: 1 } });
    await first.add(turns(4).slice(5));
    expect(cleared).toBe(true);
    expect(JSON.stringify(await store.get(first.id))).not.toContain('OLD SUMMARY');
    expect(await first.summary()).toBeUndefined();
    expect((await first.messages()).map((message) => message.content)).toEqual(['new 1', 'new 2', 'new 3']);
  });

  it('of two users, or two sessions, know nothing of each other', async () => {
    const store = new InMemoryChatStore();
    await createConversation({ userId: 'ada', counter, store }).add({ role: 'user', content: 'mine' });
    expect(await createConversation({ userId: 'bob', counter, store }).history()).toEqual([]);
    expect(await createConversation({ userId: 'ada', sessionId: 'x', counter, store }).history()).toEqual([]);
  });
});

describe('a conversation refuses', () => {
  it('options that can not work, all named', () => {
    const open = (options: object) => () => createConversation({ userId: 'ada', counter, ...options });
    expect(open({ userId: ' ' })).toThrow(expect.objectContaining({ code: 'SCOPE_REQUIRED' }));
    expect(open({ window: { maxTokens: 0 }, archive: {} })).toThrow(/window\.maxTokens.*archive: needs `memory`/);
    expect(open({ summary: { triggerMessages: 4, keepMessages: 4 } })).toThrow(/keepMessages/);
    expect(open({ summary: { triggerTokens: 80, keepTokens: 200 } })).toThrow(/keepTokens/);
    expect(open({ window: { maxTokens: 300 }, summary: { triggerTokens: 400, maxTokens: 300 } })).toThrow(/triggerTokens.*summary\.maxTokens/);
    expect(open({ window: { maxMessages: 4 }, summary: { triggerMessages: 6 } })).toThrow(/triggerMessages.*window\.maxMessages/);
  });

  it('messages that are none, and keeps nothing of them', async () => {
    const conversation = createConversation({ userId: 'ada', counter });
    const bad = [{ role: 'robot', content: 'x' }, { role: 'user' }, { role: 'tool', content: 'x' }, { role: 'user', content: 'x', at: 'soon' }];
    for (const message of bad) {
      await expect(conversation.add([{ role: 'user', content: 'good' }, message as ChatMessage])).rejects.toMatchObject({
        code: 'INPUT_INVALID',
        message: expect.stringContaining('messages[1]'),
      });
    }
    expect(await conversation.history()).toEqual([]);
    await expect(conversation.recall('x')).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('memory') });
  });
});
