import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { JsonlChatStore } from '@tandem-memory/conversation';
import { type ChatMessage, createConversation, type ForgetOptions, InMemoryChatStore } from '@tandem-memory/core';
import { TiktokenCounter } from '@tandem-memory/models';
import { assert, asyncProperty, constantFrom, record, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neo4jMissing } from '../neo4j/open-neo4j-store.ts';
import { openTestMemory, propertyRuns, reply } from '../pipeline/open-test-memory.ts';
import { qdrantMissing } from '../services/qdrant/provided-qdrant.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const counter = await TiktokenCounter.load();
const userId = 'u-forgotten';
const TALK: readonly ChatMessage[] = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: `Zorkblat lives in 도깨비골. ${'It is a long way from here. '.repeat(6).trim()}`, at: '2024-01-01T00:00:00.000Z' },
  { role: 'assistant', content: 'Noted about Zorkblat.', at: '2024-01-01T00:00:01.000Z' },
  { role: 'user', content: 'The weather is fine.', at: '2024-02-01T00:00:00.000Z' },
  { role: 'assistant', content: 'So it is.', at: '2024-02-01T00:00:01.000Z' },
];

function open(path = ':memory:') {
  const test = openTestMemory({ path, replies: [reply([], [['Zorkblat', 'person']]), reply([])] });
  const talk = (sessionId: string) =>
    createConversation({ userId, sessionId, counter, store: test.conversations, memory: test.memory, archive: { what: 'turns' }, summary: {} });
  return { ...test, talk };
}

const contents = (messages: readonly ChatMessage[]) => messages.map(({ content }) => content);

describe('forget reaches kept conversations', () => {
  it.each([
    ['everything', {}, []],
    ['the session', { sessionId: 'a' }, []],
    ['what was said before a moment', { before: '2024-01-15' }, ['Be kind.', 'The weather is fine.', 'So it is.']],
    ['an entity', { entity: 'zorkblat' }, ['Be kind.', 'The weather is fine.', 'So it is.']],
    ['another session', { sessionId: 'b' }, contents(TALK)],
    ['an entity that is not there', { entity: 'nobody' }, contents(TALK)],
  ] satisfies [string, Omit<ForgetOptions, 'userId'>, string[]][])('%s', async (_, what, left) => {
    const { memory, talk } = open();
    await memory.store('Zorkblat is a name.', { userId, sessionId: 'z' });
    const conversation = talk('a');
    await conversation.add(TALK);
    await conversation.remember();
    const receipt = await memory.forget({ userId, ...what });
    expect(receipt.erased.messages).toBe(TALK.length - left.length);
    expect(contents(await conversation.history())).toEqual(left);
    // It goes on where it is, and nothing that is left is archived twice.
    const before = (await memory.stats(userId)).episodes;
    await conversation.add({ role: 'user', content: 'One more.' });
    await conversation.remember();
    expect(contents(await conversation.history())).toEqual([...left, 'One more.']);
    expect((await memory.stats(userId)).episodes).toBe(before + 1);
  });

  it('a turn by its id goes from the talk that it was said in', async () => {
    const { memory, talk } = open();
    const conversation = talk('a');
    await conversation.add(TALK);
    await conversation.remember();
    const [turn] = (await memory.episodes({ userId })).filter((episode) => episode.content.includes('weather'));
    await memory.delete(turn?.id ?? '', { userId });
    expect(contents(await conversation.history())).toEqual(contents(TALK).filter((content) => !content.includes('weather')));
  });

  it('a summary goes with what it may tell of, and stays where it tells of others', async () => {
    for (const [before, stays] of [
      ['2024-01-15', false],
      ['2023-01-01', true],
    ] as const) {
      const { memory, talk } = open();
      const conversation = talk('a');
      await conversation.add(TALK);
      expect((await conversation.compact()).summarised).toBeGreaterThan(0);
      await memory.forget({ userId, before });
      expect((await conversation.summary()) !== undefined).toBe(stays);
    }
  });

  it('other users keep theirs, and no byte is left in the file', async () => {
    using folder = temporaryFolder();
    const { memory, talk, conversations } = open(join(folder.path, 'memory.db'));
    await talk('sess-quux').add(TALK);
    await talk('sess-quux').compact();
    const other = { userId: 'u-kept', sessionId: 's' };
    await conversations.update(other, [{ type: 'message', message: { role: 'user', content: 'Plain talk.' } }]);
    const found = () => {
      const files = readdirSync(folder.path).map((name) => readFileSync(join(folder.path, name)));
      return ['Zorkblat', '도깨비골', 'sess-quux', userId].filter((mark) => files.some((bytes) => bytes.includes(mark)));
    };
    // With the graph on a server the file holds indexes alone, and with both nothing.
    const inTheFile = neo4jMissing ? ['Zorkblat', '도깨비골', 'sess-quux', userId] : qdrantMissing ? ['sess-quux', userId] : [];
    expect(found()).toEqual(inTheFile);
    // The tests' Neo4j keeps its log; `test/neo4j/erased-bytes` has one that does not.
    expect(await memory.forget({ userId })).toMatchObject({ erased: { messages: 5 }, compacted: neo4jMissing });
    expect(found()).toEqual([]);
    expect(await conversations.get(other)).toHaveLength(1);
    await memory.close();
  });

  it('of any talk exactly the messages that name it, in every store', async () => {
    const message = record({
      content: constantFrom('Ann sings.', 'Bo left.', 'ann came', 'Nothing of note.'),
      role: constantFrom('user' as const, 'assistant' as const),
      id: constantFrom('1', '2', '3', '4', '5', '6'),
    });
    using folder = temporaryFolder();
    let run = 0;
    await assert(
      asyncProperty(uniqueArray(message, { maxLength: 6, selector: ({ id }) => id }), async (messages) => {
        for (const store of [new InMemoryChatStore(), new JsonlChatStore({ folder: join(folder.path, String(run++)) })]) {
          const test = openTestMemory({ replies: [reply([], [['Ann', 'person']]), reply([])], conversations: store });
          await test.memory.store('Ann is here.', { userId });
          const conversation = createConversation({ userId, sessionId: 's', counter, store });
          await conversation.add(messages);
          await test.memory.forget({ userId, entity: 'Ann' });
          expect(contents(await conversation.history())).toEqual(contents(messages).filter((content) => !/ann/i.test(content)));
          await test.memory.close();
        }
      }),
      { numRuns: propertyRuns(12) },
    );
  });
});
