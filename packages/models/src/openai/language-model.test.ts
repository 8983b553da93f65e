import { modelExtractor, type NewEpisode } from '@tandem-memory/core';
import { FixedClock } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { OpenAiLanguageModel, type OpenAiLanguageModelOptions } from './language-model.ts';
import { type Answer, TestServer } from './test-server.ts';

const REQUEST = {
  messages: [{ role: 'user' as const, content: 'hi' }],
  schema: { name: 'extraction', definition: { type: 'object' } },
  maxOutputTokens: 50,
};

function completion(content: unknown, fields: object = {}, usage: object | null = { prompt_tokens: 11, completion_tokens: 5 }): Answer {
  return {
    body: {
      id: 'x',
      object: 'chat.completion',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content }, ...fields }],
      ...(usage === null ? {} : { usage }),
    },
  };
}

/** A reply of a server that answers by a tool call. */
function called(message: object): Answer {
  return completion(null, { finish_reason: 'tool_calls', message: { role: 'assistant', content: null, ...message } });
}

function refused(message: string, param?: string, status = 400): Answer {
  return { status, body: { error: { message, type: 'invalid_request_error', param } } };
}

function model(server: TestServer, options: Partial<OpenAiLanguageModelOptions> = {}): OpenAiLanguageModel {
  return new OpenAiLanguageModel({ model: 'small', baseUrl: server.baseUrl, clock: new FixedClock('2026-01-01T00:00:00.000Z'), ...options });
}

describe('OpenAI language model', () => {
  it('asks with schema, limit and temperature, and reads text and usage', async () => {
    await using server = await TestServer.start(() => completion('{"facts":[]}'));
    const reply = await model(server, {
      apiKey: 'k',
      headers: { 'x-team': 'a' },
      query: { 'api-version': 'v1' },
      extraBody: { reasoning_effort: 'low' },
    }).generate(REQUEST);
    expect(reply).toEqual({ text: '{"facts":[]}', finishReason: 'stop', inputTokens: 11, outputTokens: 5 });
    const [sent] = server.requests;
    expect(sent?.path).toBe('/v1/chat/completions?api-version=v1');
    expect(sent?.headers).toMatchObject({ authorization: 'Bearer k', 'x-team': 'a' });
    expect(sent?.body).toEqual({
      model: 'small',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0,
      max_tokens: 50,
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'extraction', schema: { type: 'object' }, strict: true } },
    });
  });

  it('sends no key where none was given, whatever the environment holds', async () => {
    await using server = await TestServer.start(() => completion('x'));
    await model(server).generate(REQUEST);
    expect(server.requests[0]?.headers['authorization']).toBeUndefined();
    expect(server.requests[0]?.headers['openai-organization']).toBeUndefined();
  });

  it.each<[string, Answer, object]>([
    ['null content', completion(null), { text: '', finishReason: 'stop' }],
    ['a refusal', completion(null, { message: { role: 'assistant', content: null, refusal: 'No.' } }), { text: '', finishReason: 'refusal' }],
    ['a filtered reply', completion('x', { finish_reason: 'content_filter' }), { finishReason: 'refusal' }],
    ['a cut reply', completion('{"fa', { finish_reason: 'length' }), { text: '{"fa', finishReason: 'length' }],
    ['parts', completion([{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }]), { text: 'ab' }],
    ['an object', completion({ facts: ['a'] }), { text: '{"facts":["a"]}' }],
    ['an object of the type of a part', completion({ type: 'text', text: 'a' }), { text: 'a' }],
    [
      'a tool call',
      called({ tool_calls: [{ id: '1', type: 'function', function: { name: 'x', arguments: '{"facts":["a"]}' } }] }),
      { text: '{"facts":["a"]}' },
    ],
    [
      'tool calls with objects',
      called({ tool_calls: [{ function: { arguments: { a: 1 } } }, { function: { arguments: { b: 2 } } }] }),
      { text: '{"a":1}\n{"b":2}' },
    ],
    ['a function call', called({ content: '', function_call: { name: 'x', arguments: '{"a":1}' } }), { text: '{"a":1}' }],
    ['words beside a tool call', called({ content: 'ok', tool_calls: [{ function: { arguments: '{}' } }] }), { text: 'ok' }],
    ['broken tool calls', called({ tool_calls: [null, {}, { function: null }] }), { text: '' }],
    ['usage as text', completion('x', {}, { prompt_tokens: '12', completion_tokens: null }), { inputTokens: 12, outputTokens: 0 }],
    ['usage that is no number', completion('x', {}, { prompt_tokens: 'many', completion_tokens: -1 }), { inputTokens: 0, outputTokens: 0 }],
    ['missing usage', completion('x', {}, null), { text: 'x', inputTokens: 0, outputTokens: 0 }],
    ['no choice', { body: { choices: [] } }, { text: '', finishReason: 'other' }],
  ])('reads %s', async (_, answer, expected) => {
    await using server = await TestServer.start(() => answer);
    expect(await model(server).generate(REQUEST)).toMatchObject(expected);
  });

  it('falls back from schema to JSON mode to text, and remembers', async () => {
    await using server = await TestServer.start(({ body }) =>
      body['response_format'] === undefined ? completion('ok') : refused(`This response_format type is unavailable now`),
    );
    const small = model(server);
    expect((await small.generate(REQUEST)).text).toBe('ok');
    await small.generate(REQUEST);
    const formats = server.requests.map(({ body }) => (body['response_format'] as { readonly type: string } | undefined)?.type);
    expect(formats).toEqual(['json_schema', 'json_object', undefined, undefined]);
  });

  it('changes the name of the limit and drops the temperature where a model wants it so', async () => {
    await using server = await TestServer.start(({ body }) => {
      if ('max_tokens' in body) return refused("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", 'max_tokens');
      if ('temperature' in body) return refused("Unsupported value: 'temperature' does not support 0.", 'temperature');
      return completion('ok');
    });
    await model(server).generate(REQUEST);
    expect(server.requests).toHaveLength(3);
    expect(server.requests[2]?.body).toMatchObject({ max_completion_tokens: 50 });
  });

  it('ends a chain of refusals', async () => {
    await using server = await TestServer.start(() => refused('max_tokens temperature response_format are all wrong'));
    await expect(model(server).generate(REQUEST)).rejects.toMatchObject({ code: 'MODEL_REJECTED' });
    expect(server.requests.length).toBe(6);
  });

  it('tries a bad request exactly once', async () => {
    await using server = await TestServer.start(() => refused('The messages are wrong.'));
    await expect(model(server).generate(REQUEST)).rejects.toMatchObject({
      code: 'MODEL_REJECTED',
      details: { status: 400, type: 'invalid_request_error' },
    });
    expect(server.requests).toHaveLength(1);
  });

  it('tries a rate limit once and says how long to wait', async () => {
    await using server = await TestServer.start(() => ({
      status: 429,
      headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' },
      body: { error: { message: 'slow down' } },
    }));
    await expect(model(server).generate(REQUEST)).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED', retryAfterMs: 3000 });
    expect(server.requests).toHaveLength(1);
  });

  it('reports a server that is not there, hangs, breaks off, or speaks another protocol', async () => {
    const gone = await TestServer.start(() => 'hang');
    const closed = model(gone);
    await gone[Symbol.asyncDispose]();
    await using hanging = await TestServer.start(() => 'hang');
    await using cut = await TestServer.start(() => 'cut');
    await using page = await TestServer.start(() => ({ body: '<html>Welcome</html>' }));
    await expect(closed.generate(REQUEST)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await expect(model(cut).generate(REQUEST)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await expect(model(hanging, { timeoutMs: 50 }).generate(REQUEST)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining('timeoutMs'),
    });
    await expect(model(page).generate(REQUEST)).rejects.toMatchObject({ code: 'MODEL_REJECTED', message: expect.stringContaining('baseUrl') });
  });

  it('stops when told to', async () => {
    const controller = new AbortController();
    await using server = await TestServer.start(() => {
      controller.abort();
      return 'hang';
    });
    await expect(model(server).generate(REQUEST, controller.signal)).rejects.toMatchObject({ code: 'ABORTED' });
  });

  it('refuses a configuration that can not work, before any call', () => {
    const clock = new FixedClock();
    expect(() => new OpenAiLanguageModel({ model: 'm', clock })).toThrow(/apiKey/);
    expect(() => new OpenAiLanguageModel({ model: ' ', baseUrl: 'http://x', clock })).toThrow(/model/);
    expect(() => new OpenAiLanguageModel({ model: 'm', baseUrl: 'localhost:1', clock })).toThrow(/baseUrl/);
  });

  it('serves the model extractor end to end: two rate limits, then a damaged reply, then a good one', async () => {
    const script: Answer[] = [
      { status: 429, headers: { 'retry-after': '2' }, body: { error: { message: 'slow down' } } },
      { status: 429, body: { error: { message: 'slow down' } } },
      completion('{"facts":["Omar keeps bees","Omar sells hon', { finish_reason: 'length' }),
      completion('```json\n{"facts":[{"text":"Omar keeps bees","message":1}],"entities":[],"relations":[]}\n```'),
    ];
    await using server = await TestServer.start((_, index) => script[index] ?? refused('too many calls'));
    const clock = new FixedClock();
    const at = '2026-01-01T00:00:00.000Z';
    const episode: NewEpisode = {
      id: 'e',
      userId: 'u',
      kind: 'message',
      role: 'user',
      content: 'I keep bees 🐝 in 대전.',
      at,
      createdAt: at,
      utcOffsetMinutes: 0,
      metadata: {},
      state: 'pending',
    };
    const extraction = await modelExtractor(model(server, { clock }), { clock }).extract({ episodes: [episode], preceding: [] });
    expect(extraction.facts).toEqual([{ text: 'Omar keeps bees', episode: 0 }]);
    expect(extraction.usage).toEqual({ calls: 2, inputTokens: 22, outputTokens: 10 });
    expect(clock.sleeps).toEqual([2000, 2000]);
    expect(JSON.stringify(server.requests[3]?.body)).toContain('I keep bees 🐝 in 대전.');
  });
});
