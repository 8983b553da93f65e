import type { GenerateReply } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { OpenAiLanguageModel } from './language-model.ts';
import { type Answer, TestServer } from './test-server.ts';

const REQUEST = { messages: [{ role: 'user' as const, content: 'hi' }] };

function events(...chunks: readonly object[]): Answer {
  const lines = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return { headers: { 'content-type': 'text/event-stream' }, body: `${lines.join('')}data: [DONE]\n\n` };
}

function piece(content: string | null, finish_reason: string | null = null): object {
  return { id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] };
}

async function read(server: TestServer): Promise<{ pieces: string[]; reply: GenerateReply }> {
  const model = new OpenAiLanguageModel({ model: 'small', baseUrl: server.baseUrl, clock: new FixedClock() });
  const stream = model.stream(REQUEST);
  const pieces: string[] = [];
  for (;;) {
    const next = await stream.next();
    if (next.done === true) return { pieces, reply: next.value };
    pieces.push(next.value);
  }
}

describe('streamed replies', () => {
  it('come piece by piece, and whole at the end with the tokens used', async () => {
    await using server = await TestServer.start(() =>
      events(piece(null), piece('Moss '), piece('🌱'), piece(null, 'stop'), { choices: [], usage: { prompt_tokens: 7, completion_tokens: 3 } }),
    );
    expect(await read(server)).toEqual({
      pieces: ['Moss ', '🌱'],
      reply: { text: 'Moss 🌱', finishReason: 'stop', inputTokens: 7, outputTokens: 3 },
    });
    expect(server.requests[0]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
  });

  it('do without the tokens where the server refuses to count them', async () => {
    await using server = await TestServer.start(({ body }) =>
      'stream_options' in body
        ? { status: 400, body: { error: { message: 'Unknown field.', param: 'stream_options' } } }
        : events(piece('a', 'stop')),
    );
    expect((await read(server)).reply).toEqual({ text: 'a', finishReason: 'stop', inputTokens: 0, outputTokens: 0 });
    expect(server.requests).toHaveLength(2);
  });

  it('are one piece from a server that knows no streams', async () => {
    await using server = await TestServer.start(() => ({
      body: { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'all at once' } }] },
    }));
    expect(await read(server)).toMatchObject({ pieces: ['all at once'], reply: { text: 'all at once', finishReason: 'stop' } });
  });

  it('say that they broke off, were filtered, or could not begin', async () => {
    await using failing = await TestServer.start(() => events(piece('half'), { error: { message: 'overloaded', type: 'server_error' } }));
    await using filtered = await TestServer.start(() => events(piece('x', 'content_filter')));
    await using busy = await TestServer.start(() => ({ status: 503, body: { error: { message: 'busy' } } }));
    await expect(read(failing)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect((await read(filtered)).reply.finishReason).toBe('refusal');
    await expect(read(busy)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });
});
