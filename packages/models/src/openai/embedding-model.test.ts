import { FixedClock } from '@tandem-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { OpenAiEmbeddingModel, type OpenAiEmbeddingModelOptions } from './embedding-model.ts';
import { type Answer, type ReceivedRequest, TestServer } from './test-server.ts';

/** Two numbers by text, so that order can be seen; given last first, as a server may. */
function embeddings(request: ReceivedRequest, encode: (vector: number[]) => unknown = (vector) => vector): Answer {
  const input = request.body['input'] as string[];
  return { body: { data: input.map((text, index) => ({ index, embedding: encode([text.length, 1]) })).toReversed() } };
}

function base64(vector: number[]): string {
  return Buffer.from(Float32Array.from(vector).buffer).toString('base64');
}

function model(server: TestServer, options: Partial<OpenAiEmbeddingModelOptions> = {}): OpenAiEmbeddingModel {
  return new OpenAiEmbeddingModel({ model: 'embed', baseUrl: server.baseUrl, clock: new FixedClock('2026-01-01T00:00:00.000Z'), ...options });
}

describe('OpenAI embedding model', () => {
  it.each([
    ['floats', undefined],
    ['base64', base64],
  ])('reads %s in order, at unit length, and learns the dimensions', async (_, encode) => {
    await using server = await TestServer.start((request) => embeddings(request, encode));
    const embed = model(server);
    expect(embed.dimensions).toBeUndefined();
    const vectors = await embed.embed(['aaa', 'b', ''], 'document');
    expect(embed.dimensions).toBe(2);
    expect(vectors.map((vector) => Math.hypot(...vector).toFixed(6))).toEqual(['1.000000', '1.000000', '1.000000']);
    expect(vectors.map((vector) => ((vector[0] ?? 0) / (vector[1] ?? 1)).toFixed(6))).toEqual(['3.000000', '1.000000', '1.000000']);
    expect(server.requests[0]?.body).toEqual({ model: 'embed', input: ['aaa', 'b', ' '], encoding_format: 'base64' });
  });

  it('sends batches of the size it promises', async () => {
    await using server = await TestServer.start((request) => embeddings(request));
    const vectors = await model(server, { maxBatchSize: 2 }).embed(['a', 'bb', 'ccc', 'dddd', 'eeeee'], 'query');
    expect(server.requests.map(({ body }) => (body['input'] as string[]).length)).toEqual([2, 2, 1]);
    expect(vectors.map((vector) => Math.round((vector[0] ?? 0) / (vector[1] ?? 1)))).toEqual([1, 2, 3, 4, 5]);
    expect(await model(server).embed([], 'query')).toEqual([]);
  });

  it('asks for dimensions, makes them part of its id, and notices a server that ignores them', async () => {
    await using server = await TestServer.start((request) => embeddings(request));
    const embed = model(server, { dimensions: 8 });
    expect([embed.modelId, embed.dimensions]).toEqual(['embed@8', 8]);
    await expect(embed.embed(['a'], 'document')).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
      message: expect.stringContaining('`dimensions`'),
    });
    expect(server.requests[0]?.body).toMatchObject({ dimensions: 8 });
  });

  it('adds prefixes and cuts long texts between characters', async () => {
    await using server = await TestServer.start((request) => embeddings(request));
    await model(server, { prefixes: { query: 'query: ' }, maxTextBytes: 12 }).embed(['한국어', 'x'], 'query');
    expect(server.requests[0]?.body['input']).toEqual(['query: 한', 'query: x']);
  });

  it('falls back to floats where base64 is refused, and remembers', async () => {
    await using server = await TestServer.start((request) =>
      request.body['encoding_format'] === 'base64'
        ? { status: 400, body: { error: { message: 'encoding_format base64 is not supported' } } }
        : embeddings(request),
    );
    const embed = model(server);
    await embed.embed(['a'], 'query');
    await embed.embed(['a'], 'query');
    expect(server.requests.map(({ body }) => body['encoding_format'])).toEqual(['base64', 'float', 'float']);
  });

  it('waits out a rate limit given as a date, and only for the batch that met it', async () => {
    await using server = await TestServer.start((request, index) =>
      index === 1 ? { status: 429, headers: { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }, body: {} } : embeddings(request),
    );
    const clock = new FixedClock('2026-01-01T00:00:00.000Z');
    await model(server, { clock, maxBatchSize: 1 }).embed(['a', 'b'], 'document');
    expect(clock.sleeps).toEqual([3000]);
    expect(server.requests.map(({ body }) => body['input'])).toEqual([['a'], ['b'], ['b']]);
  });

  it('gives up within bounds; a bad request is tried once', async () => {
    const clock = new FixedClock();
    await using limited = await TestServer.start(() => ({ status: 429, headers: { 'retry-after': '99999' }, body: {} }));
    await expect(model(limited, { clock }).embed(['a'], 'query')).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED' });
    expect(limited.requests).toHaveLength(5);
    expect(clock.sleeps).toEqual([30_000, 30_000, 30_000, 30_000]);
    await using bad = await TestServer.start(() => ({ status: 400, body: { error: { message: 'no' } } }));
    await expect(model(bad).embed(['a'], 'query')).rejects.toMatchObject({ code: 'MODEL_REJECTED' });
    expect(bad.requests).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['too few vectors', { data: [] }],
    ['no data', { ok: true }],
    ['a zero vector', { data: [{ index: 0, embedding: [0, 0] }] }],
    ['no numbers', { data: [{ index: 0, embedding: ['x'] }] }],
    ['broken base64', { data: [{ index: 0, embedding: 'AAA=' }] }],
    ['a wrong index', { data: [{ index: 3, embedding: [1, 0] }] }],
    ['an empty vector', { data: [{ index: 0, embedding: [] }] }],
  ])('refuses an answer with %s', async (_, body) => {
    await using server = await TestServer.start(() => ({ body }));
    await expect(model(server).embed(['a'], 'query')).rejects.toMatchObject({ code: 'MODEL_OUTPUT_UNUSABLE' });
  });

  it('asks again where an answer broke off in the middle', async () => {
    await using server = await TestServer.start((request, index) => (index === 0 ? 'cut' : embeddings(request)));
    expect(await model(server).embed(['a'], 'query')).toHaveLength(1);
    expect(server.requests).toHaveLength(2);
  });

  it('says that a page is no answer, so that the words are kept and read later', async () => {
    for (const type of ['text/html', 'application/json']) {
      await using page = await TestServer.start(() => ({ headers: { 'content-type': type }, body: '<html>Log in</html>' }));
      const embed = model(page, { maxTries: 1 });
      await expect(embed.embed(['text'], 'document'), type).rejects.toMatchObject({ code: 'MODEL_OUTPUT_UNUSABLE', retryable: true });
    }
  });
});
