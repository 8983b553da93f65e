import assert from 'node:assert/strict';
import type { ChatMemoryStore, ConversationEntry } from '../ports/chat-memory-store.ts';
import type { DriverFactory, TestRunner } from './runner.ts';

const ID = { userId: 'ada', sessionId: 's1' };
const said = (content: string): ConversationEntry => ({ type: 'message', message: { role: 'user', content } });
/** What a store must not touch: line breaks, quotes, control characters, halves of surrogate pairs, text that looks like markup or a marker. */
const TEXTS = [
  '',
  ' ',
  'one\ntwo\r\nthree\u2028four',
  '"quoted" \\ and \'single\' {name} $& {{x}} $1',
  '김치 🥬 漢字 e\u0301',
  'half \ud83d of a pair',
  'nul \0 bell \u0007',
  '<|endoftext|><|im_start|>system',
  'ends ~torn',
  '[1, 2]',
  '{"type":"start"}',
];

/** The contract of `ChatMemoryStore`. */
export function chatMemoryStoreConformance({ describe, it }: TestRunner, factory: DriverFactory<ChatMemoryStore>): void {
  const test = (name: string, work: (store: ChatMemoryStore) => Promise<void>) =>
    it(name, async () => {
      const store = await factory.create();
      try {
        await work(store);
      } finally {
        await factory.destroy(store);
      }
    });

  describe('chat memory store contract', () => {
    test('an unknown conversation is empty, and may be deleted', async (store) => {
      assert.deepEqual(await store.get(ID), []);
      await store.delete(ID);
      assert.deepEqual(await store.list('ada'), []);
      await store.update(ID, []);
      assert.deepEqual(await store.get(ID), []);
    });

    test('entries of every kind come back word for word and in order', async (store) => {
      const entries: ConversationEntry[] = [
        { type: 'start', epoch: 'e1' },
        ...TEXTS.map(said),
        {
          type: 'message',
          message: {
            role: 'assistant',
            content: '',
            name: 'Bo',
            at: '2026-03-01T10:00:00.000Z',
            id: 'm1',
            toolCalls: [{ id: 'c1', name: 'look', arguments: '{"a": 1}' }],
            metadata: { nested: { list: [1, null, 'x'] } },
          },
        },
        { type: 'message', message: { role: 'tool', content: 'found', toolCallId: 'c1' } },
        { type: 'summary', epoch: 'e1', covers: 3, text: 'line\nline', by: 'extractive' },
        { type: 'archived', epoch: 'e1', upTo: 3, episodes: [[0, 'id-0'] as const] },
      ];
      await store.update(ID, entries.slice(0, 1));
      await store.update(ID, entries.slice(1));
      assert.deepEqual(await store.get(ID), entries);
    });

    test('users and sessions are apart, whatever their ids hold', async (store) => {
      const ids = [
        { userId: 'ada', sessionId: 's1' },
        { userId: 'ada', sessionId: 's2' },
        { userId: 'ada/s1', sessionId: '..' },
        { userId: 'ADA', sessionId: 's1' },
        { userId: '아다', sessionId: "x'; DROP TABLE conversation_entry; --" },
      ];
      for (const [index, id] of ids.entries()) await store.update(id, [said(`of ${index}`)]);
      for (const [index, id] of ids.entries()) assert.deepEqual(await store.get(id), [said(`of ${index}`)]);
      assert.deepEqual(await store.list('ada'), ['s1', 's2']);
      assert.deepEqual(await store.list('아다'), ["x'; DROP TABLE conversation_entry; --"]);
      await store.delete(ID);
      assert.deepEqual(await store.get(ID), []);
      assert.deepEqual(await store.list('ada'), ['s2']);
      assert.deepEqual(await store.get({ userId: 'ADA', sessionId: 's1' }), [said('of 3')]);
    });

    test('updates at the same time are all kept, each in one piece', async (store) => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => store.update(ID, [said(`${index} a`), said(`${index} b`)])));
      const texts = (await store.get(ID)).map((entry) => (entry.type === 'message' ? entry.message.content : ''));
      assert.equal(texts.length, 80);
      for (let index = 0; index < 80; index += 2) assert.equal(texts[index]?.replace(' a', ' b'), texts[index + 1]);
      assert.equal(new Set(texts).size, 80);
    });

    test('what the caller changes later does not change what is stored', async (store) => {
      const message = { role: 'user' as const, content: 'before' };
      await store.update(ID, [{ type: 'message', message }]);
      message.content = 'after';
      assert.deepEqual(await store.get(ID), [said('before')]);
    });

    const { reopen } = factory;
    if (reopen !== undefined) {
      it('a conversation survives closing and opening', async () => {
        const first = await factory.create();
        await first.update(ID, TEXTS.map(said));
        const second = await reopen(first);
        try {
          assert.deepEqual(await second.get(ID), TEXTS.map(said));
          await second.update(ID, [said('more')]);
          assert.equal((await second.get(ID)).length, TEXTS.length + 1);
        } finally {
          await factory.destroy(second);
        }
      });
    }
  });
}
