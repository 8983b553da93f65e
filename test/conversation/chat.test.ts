import type { GenerateReply, GenerateRequest, LanguageModel } from '@tandem-memory/core';
import { MemoryError } from '@tandem-memory/core';
import { ScriptedLanguageModel } from '@tandem-memory/core/testing';
import { type Chat, type ChatTurn, openChat } from 'tandem-memory';
import { describe, expect, it } from 'vitest';

const open = (model: LanguageModel) => openChat({ path: ':memory:', embedding: 'fast' }, { userId: 'ada', model });

async function say(chat: Chat, text: string, signal?: AbortSignal): Promise<{ pieces: string[]; turn: ChatTurn }> {
  const stream = chat.send(text, signal);
  const pieces: string[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return { pieces, turn: next.value };
    pieces.push(next.value);
  }
}

/** Streams some words, then waits until it is aborted. */
class EndlessModel implements LanguageModel {
  readonly modelId = 'endless';

  async generate(): Promise<GenerateReply> {
    throw new MemoryError('UNSUPPORTED', 'only streams');
  }

  async *stream(_: GenerateRequest, signal?: AbortSignal): AsyncGenerator<string, GenerateReply, undefined> {
    yield 'Once upon ';
    if (signal?.aborted !== true) await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
    throw new MemoryError('ABORTED', 'The call was aborted.');
  }
}

describe('a chat in code', () => {
  it('works with a model that can not stream, and remembers in the background', async () => {
    const model = new ScriptedLanguageModel(['Nice name.', 'Dubu, as you said.']);
    await using chat = await open(model);
    const first = await say(chat, 'My cat is called Dubu.');
    expect(first).toMatchObject({ pieces: ['Nice name.'], turn: { answer: 'Nice name.', degraded: [] } });
    expect(await chat.settled()).toEqual([]);
    expect((await chat.memory.episodes({ userId: 'ada' })).map((episode) => episode.content).sort()).toEqual([
      'My cat is called Dubu.',
      'Nice name.',
    ]);
    await chat.clear();
    const { turn } = await say(chat, 'What is my cat called?');
    expect(turn.recalled?.items.map((item) => item.text)).toContain('My cat is called Dubu.');
    expect(turn.prompt.map((message) => message.role)).toEqual(['system', 'user']);
    const { total, window, ...parts } = turn.tokens;
    expect(total).toBe(Object.values(parts).reduce((sum, tokens) => sum + tokens, 0));
    expect(parts.memory).toBeGreaterThan(0);
    expect(total).toBeLessThan(window);
  });

  it('goes on without a memory that fails, and says so', async () => {
    await using chat = await open(new ScriptedLanguageModel(['Hello.']));
    await chat.memory.close();
    const { turn } = await say(chat, 'Hi.');
    expect(turn).toMatchObject({ answer: 'Hello.', recalled: undefined, degraded: ['nothing recalled (CLOSED)'] });
    expect(await chat.settled()).toEqual([expect.stringContaining('CLOSED')]);
  });

  it('stopped in the middle of an answer keeps the question, not the half', async () => {
    await using chat = await open(new EndlessModel());
    const controller = new AbortController();
    const stream = chat.send('Tell me a story.', controller.signal);
    expect((await stream.next()).value).toBe('Once upon ');
    controller.abort();
    await expect(stream.next()).rejects.toMatchObject({ code: 'ABORTED' });
    expect((await chat.conversation.history()).map((message) => message.role)).toEqual(['system', 'user']);
  });

  it('does not take nothing for an answer', async () => {
    await using chat = await open(new ScriptedLanguageModel([' \n', 'Now.']));
    await expect(say(chat, 'Hi.')).rejects.toMatchObject({ code: 'MODEL_OUTPUT_UNUSABLE' });
    expect((await say(chat, 'Hi again.')).turn.answer).toBe('Now.');
  });
});
